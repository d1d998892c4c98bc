import assert from "node:assert/strict";
import type { Config } from "../config/config.ts";
import { documentPermissions, listenHost, serverPermissions } from "./permissions.ts";

type Parts = {
  readonly host?: string;
  readonly url?: string | null;
  readonly spacePath?: string;
  readonly jwksUrl?: string;
  readonly stateDir?: string | null;
  readonly roots?: readonly string[];
  readonly signIn?: boolean;
  readonly transport?: "http" | "stdio";
};

function permissions(parts: Parts) {
  const { host = "127.0.0.1", url = "http://127.0.0.1:3000", stateDir = "/var/lib/bridge", roots = [] } =
    parts;
  const config = {
    host,
    port: 8787,
    silverbullet: url === null ? null : { url, spacePath: parts.spacePath ?? null },
    oauth: parts.signIn === true ? {} : null,
    jwt: parts.jwksUrl === undefined ? null : { jwksUrl: parts.jwksUrl },
    state: { dir: stateDir },
    roots: roots.map((path) => ({ path })),
  } as unknown as Config;
  return serverPermissions(config, parts);
}

Deno.test("permissions name SilverBullet, the listening address and the state folder, and nothing else", () => {
  assert.deepEqual(permissions({}), {
    net: ["127.0.0.1:8787", "127.0.0.1:3000"],
    read: ["/var/lib/bridge"],
    write: ["/var/lib/bridge"],
    env: false,
    run: false,
    ffi: false,
    sys: false,
    import: false,
  });
});

Deno.test("permissions add the roots, the space folder and the key server only where they are configured", () => {
  const { net, read, write } = permissions({
    roots: ["/srv/docs", "/srv/papers"],
    spacePath: "/srv/space",
    jwksUrl: "https://login.example/keys",
  });
  assert.deepEqual(net, ["127.0.0.1:8787", "127.0.0.1:3000", "login.example:443"]);
  assert.deepEqual(read, ["/srv/docs", "/srv/papers", "/srv/space", "/var/lib/bridge"]);
  assert.deepEqual(write, ["/var/lib/bridge"], "nothing but the state folder is ever written");
});

Deno.test("permissions of a server on standard input and output name no address to listen on", () => {
  assert.deepEqual(permissions({ transport: "stdio" }).net, ["127.0.0.1:3000"]);
  assert.deepEqual(permissions({ transport: "stdio", url: null, roots: ["/srv/docs"] }).net, []);
});

Deno.test("permissions of a server without SilverBullet, or without a state folder, have no file to write", () => {
  assert.deepEqual(permissions({ url: null, roots: ["/srv/docs"] }).write, []);
  assert.deepEqual(permissions({ url: null, roots: ["/srv/docs"] }).read, ["/srv/docs"]);
  assert.deepEqual(permissions({ url: null, roots: ["/srv/docs"] }).net, ["127.0.0.1:8787"]);
  assert.deepEqual(permissions({ stateDir: null }).write, []);
  const signIn = permissions({ url: null, roots: ["/srv/docs"], signIn: true });
  assert.deepEqual(signIn.write, ["/var/lib/bridge"], "clients that sign in are kept");
});

Deno.test("permissions of the server do not grow with client documents, and their worker can only connect", () => {
  assert.deepEqual(permissions({ signIn: true }), permissions({}));
  assert.deepEqual(documentPermissions(), {
    net: true,
    read: [],
    write: [],
    env: false,
    run: false,
    ffi: false,
    sys: false,
    import: false,
  });
});

Deno.test("permissions write addresses as Deno compares them", () => {
  const table: Array<[string, string]> = [
    ["https://notes.example.org/prefix", "notes.example.org:443"],
    ["http://notes.example.org", "notes.example.org:80"],
    ["http://NOTES.example.org:3000/a", "notes.example.org:3000"],
    ["http://[::1]:3000", "[::1]:3000"],
    ["http://bücher.example:3000", "xn--bcher-kva.example:3000"],
    ["http://localhost:3000", "localhost:3000"],
  ];
  for (const [url, host] of table) assert.equal(permissions({ url }).net[1], host, url);
  assert.equal(listenHost({ host: "::", port: 80 }), "[::]:80");
  assert.equal(listenHost({ host: "[::1]", port: 80 }), "[::1]:80");
  assert.equal(listenHost({ host: "0.0.0.0", port: 8787 }), "0.0.0.0:8787");
});
