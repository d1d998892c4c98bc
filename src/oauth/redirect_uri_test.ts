import assert from "node:assert/strict";
import { isAcceptableRedirect, isRegisteredRedirect, redirectPlace } from "./redirect_uri.ts";

Deno.test("isAcceptableRedirect() takes https, http on loopback names, and the one known scheme", () => {
  for (
    const address of [
      "https://claude.ai/api/mcp/auth_callback",
      "https://chatgpt.com/connector/oauth/abc123",
      "https://grok.com/connectors-oauth-exchange-code/",
      "https://notes.example.org:8443/cb?from=here",
      "https://xn--bcher-kva.example/cb",
      "https://chat.nas.local/cb",
      "https://localhost:3000/cb",
      "http://localhost/callback",
      "http://localhost:8787/callback",
      "http://127.0.0.1/",
      "http://127.0.0.1:33418",
      "http://[::1]:4000/cb",
      "cursor://anysphere.cursor-mcp/oauth/callback",
    ]
  ) {
    assert.equal(isAcceptableRedirect(address), true, address);
  }
});

Deno.test("isAcceptableRedirect() refuses everything that leads elsewhere than it looks, or to a program", () => {
  for (
    const address of [
      "",
      "callback",
      "/callback",
      "//evil.example/cb",
      "http://evil.example/cb",
      "http://localhost.evil.example/cb",
      "http://127.0.0.1.nip.io/cb",
      "http://127.0.0.2/cb",
      "http://0.0.0.0/cb",
      "http://2130706433/cb",
      "http://127.1/cb",
      "https://1.2.3.4/cb",
      "https://[2001:db8::1]/cb",
      "https://app.localhost/cb",
      "https://good.example./cb",
      "https://user@good.example/cb",
      "https://user:pass@good.example/cb",
      "https://@good.example/cb",
      "https://good.example/cb#fragment",
      "https://good.example/cb#",
      "https://good.example/a/../b",
      "https://good.example/a/%2E%2e/b",
      "https://good.example\\@evil.example/cb",
      "https:good.example/cb",
      "https:/good.example/cb",
      "https:///good.example/cb",
      "HTTPS://good.example/cb",
      "https://GOOD.example/cb",
      "https://bücher.example/cb",
      "https://good.example/c b",
      "https://good.example/cb\n",
      "https://good.example/cb\r\nSet-Cookie: a=b",
      'https://good.example/"><script>',
      "https://*.example.org/cb",
      "javascript:alert(1)",
      "JAVASCRIPT:alert(1)//https://good.example",
      "data:text/html,x",
      "file:///etc/passwd",
      "blob:https://good.example/x",
      "intent://x#Intent;end",
      "vscode://x/y",
      "cursor://anysphere.cursor-mcp/oauth/callback/more",
      "cursor://evil/oauth/callback",
      `https://good.example/${"a".repeat(2048)}`,
    ]
  ) {
    assert.equal(isAcceptableRedirect(address), false, address);
  }
});

Deno.test("isRegisteredRedirect() compares character by character", () => {
  const registered = ["https://good.example/cb", "https://good.example/other?a=1"];
  assert.equal(isRegisteredRedirect("https://good.example/cb", registered), true);
  assert.equal(isRegisteredRedirect("https://good.example/other?a=1", registered), true);
  for (
    const wanted of [
      "https://good.example/cb/",
      "https://good.example/CB",
      "https://good.example:443/cb",
      "https://good.example/cb?x=1",
      "https://good.example/",
      "https://good.example/other",
      "https://good.example/other?a=1&b=2",
      "http://good.example/cb",
      "https://sub.good.example/cb",
      "https://good.example.evil/cb",
      "https://good.example/c%62",
    ]
  ) {
    assert.equal(isRegisteredRedirect(wanted, registered), false, wanted);
  }
  assert.equal(isRegisteredRedirect("https://good.example/cb", []), false);
});

Deno.test("isRegisteredRedirect() leaves the port of a loopback address out of account, and nothing else", () => {
  const registered = ["http://localhost/callback", "http://127.0.0.1/", "http://[::1]:99/cb"];
  for (
    const wanted of [
      "http://localhost:1/callback",
      "http://localhost:65535/callback",
      "http://localhost/callback",
      "http://127.0.0.1:33418/",
      "http://127.0.0.1:33418",
      "http://127.0.0.1",
      "http://[::1]:100/cb",
    ]
  ) {
    assert.equal(isRegisteredRedirect(wanted, registered), true, wanted);
  }
  for (
    const wanted of [
      "http://127.0.0.1:1/callback",
      "http://localhost:1/",
      "http://localhost:1/callback/",
      "http://localhost:1/callback?x=1",
      "http://localhost:1/callback#x",
      "https://localhost:1/callback",
      "http://localhost:99999/callback",
      "http://u@localhost:1/callback",
      "http://LOCALHOST:1/callback",
      "http://localhost.:1/callback",
      "http://localhost:1/x/../callback",
      "http://localhost:1/%63allback",
      "http://localhost:/callback",
      "http://0x7f.0.0.1:1/",
    ]
  ) {
    assert.equal(isRegisteredRedirect(wanted, registered), false, wanted);
  }
});

Deno.test("redirectPlace() tells a site from this computer and from a program", () => {
  assert.deepEqual(redirectPlace("https://claude.ai/api/x"), { kind: "site", host: "claude.ai" });
  assert.deepEqual(redirectPlace("https://a.example:8443/"), { kind: "site", host: "a.example:8443" });
  assert.deepEqual(redirectPlace("http://localhost:1/x"), { kind: "loopback", host: "localhost:1" });
  assert.deepEqual(redirectPlace("https://localhost:1/x"), { kind: "loopback", host: "localhost:1" });
  assert.deepEqual(redirectPlace("cursor://anysphere.cursor-mcp/oauth/callback"), {
    kind: "program",
    host: "cursor:",
  });
});
