import assert from "node:assert/strict";
import { removeNetworkVariables } from "./environment.ts";

Deno.test("proxy and Node variables go, everything else stays", () => {
  const variables = new Map(Object.entries({
    HTTP_PROXY: "x",
    https_proxy: "x",
    ALL_PROXY: "x",
    No_Proxy: "x",
    socks5_proxy: "x",
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    NODE_OPTIONS: "x",
    DENO_SERVE_ADDRESS: "x",
    HOME: "/home/x",
    PROXY: "x",
    SILVERBRIDGE_TRUSTED_PROXIES: "x",
    MY_HTTP_PROXY_NOTE: "x",
  }));
  const named = removeNetworkVariables({
    toObject: () => Object.fromEntries(variables),
    delete: (name) => void variables.delete(name),
  });
  assert.deepEqual(named, ["ALL_PROXY", "HTTP_PROXY", "https_proxy", "socks5_proxy"]);
  assert.deepEqual([...variables.keys()], [
    "HOME",
    "PROXY",
    "SILVERBRIDGE_TRUSTED_PROXIES",
    "MY_HTTP_PROXY_NOTE",
  ]);
});
