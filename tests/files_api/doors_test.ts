/** Who gets through to the folders over plain HTTP, by which method, with which token, and from where. */

import assert from "node:assert/strict";
import type { Config } from "../../src/config/config.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import { token } from "../support/app.ts";
import { type Answer, bearer, type FilesApp, withFilesApp, withFilesProgram } from "../support/files_api.ts";
import { cites } from "../requirements.ts";

const gets = [
  "/roots",
  "/files?root=notes",
  "/read?root=notes&path=welcome.md",
  "/read-range?root=notes&path=welcome.md&start_line=1&line_count=1",
  "/tail?root=notes&path=welcome.md&last_lines=1",
  "/file-info?root=notes&path=welcome.md",
  "/search?root=notes&q=budget",
];
const listRoots = { tool: "list_roots" };
const localOnly = "generic /call is localhost-only";
const forwarding = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-port",
  "x-real-ip",
  "via",
  "cf-connecting-ip",
  "true-client-ip",
  "x-original-host",
  "x-original-forwarded-for",
];

const seen = ({ status, code }: Answer) => `${status} ${code}`.trim();

/** Every answer of these doors, whatever it says. */
function assertSealed({ headers, text }: Answer): void {
  assert.equal(headers.get("cache-control"), "no-store", text);
  assert.equal(headers.get("x-content-type-options"), "nosniff", text);
  assert.equal(headers.get("content-type"), "application/json", text);
  const cors = [...headers.keys()].filter((name) => name.startsWith("access-control"));
  assert.deepEqual(cors, []);
}

Deno.test("every address answers GET alone, /call POST alone, and nothing is ever stored, sniffed or shared with pages", async () => {
  cites("files-api.doors");
  await withFilesApp({}, async (app) => {
    for (const target of gets) {
      const answer = await app.get(target);
      assert.equal(answer.status, 200, target);
      assertSealed(answer);
      for (const method of ["HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]) {
        const refused = await app.send(method, target);
        assert.equal(refused.status, 405, `${method} ${target}`);
        assert.equal(refused.headers.get("allow"), "GET");
      }
    }
    for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]) {
      const refused = await app.send(method, "/call");
      assert.deepEqual([refused.status, refused.headers.get("allow")], [405, "POST"], method);
    }
    for (
      const target of ["/read?root=notes", "/read?root=notes&path=no", "/read?root=x&path=y", "/read?a=1&a=2"]
    ) {
      assertSealed(await app.get(target));
    }
    for (const body of ["", "[]", "{}", '{"tool":"x"}', '{"tool":"list_roots"}']) {
      assertSealed(await app.call(body));
    }
    const pages = await app.get("/roots", { origin: "http://localhost:5173" });
    assertSealed(pages);
  });
});

Deno.test("addresses are exactly these: nothing near them is one", async () => {
  cites("files-api.doors");
  await withFilesApp({}, async (app) => {
    const near = [
      "/read/",
      "/READ",
      "/%72ead",
      "//read",
      "/read//",
      "/read;x",
      "/read.json",
      "/read_range",
      "/file_info",
    ];
    for (const path of [...near, "/list", "/callback", "/call/", "/search_files", "/x/%2e%2e%2fread"]) {
      assert.equal(seen(await app.get(`${path}?root=notes&path=welcome.md`)), "404 not-found", path);
    }
  });
});

Deno.test("without a token callers on this machine are let in, and nobody who comes from elsewhere or through a proxy", async () => {
  cites("files-api.doors");
  await withFilesApp({}, async (app) => {
    for (const peer of ["127.0.0.1", "127.0.0.53", "::1", "::ffff:127.0.0.1"]) {
      assert.equal((await app.get("/roots", {}, peer)).status, 200, peer);
      assert.equal((await app.call(listRoots, {}, peer)).status, 200, peer);
    }
    for (const peer of ["203.0.113.9", "10.0.0.1", "192.168.1.2", "::ffff:10.0.0.1", "fe80::1", ""]) {
      for (const target of gets) {
        assert.equal(seen(await app.get(target, {}, peer)), "403 remote-without-token", peer);
      }
      assert.equal(seen(await app.call(listRoots, {}, peer)), `403 ${localOnly}`, peer);
    }
    for (const name of forwarding) {
      for (const value of ["", "127.0.0.1", "for=127.0.0.1"]) {
        assert.equal(seen(await app.get("/roots", { [name]: value })), "403 remote-without-token", name);
        assert.equal(seen(await app.call(listRoots, { [name]: value })), `403 ${localOnly}`, name);
      }
    }
  });
});

Deno.test("with a token everybody must send it, and /call is for this machine besides", async () => {
  cites("files-api.doors");
  await withFilesApp({ env: { BRIDGE_TOKEN: token } }, async (app) => {
    const wrong = [
      "Bearer",
      "Bearer ",
      "Bearer x",
      `Bearer ${token}x`,
      `Bearer ${token.slice(1)}`,
      `Basic ${token}`,
      token,
    ];
    for (const target of gets) {
      assert.equal((await app.get(target, bearer)).status, 200);
      assert.equal(
        (await app.get(target, { ...bearer, "x-forwarded-for": "9.9.9.9" }, "203.0.113.9")).status,
        200,
      );
      assert.equal(seen(await app.get(target)), "401 invalid-token", target);
      for (const authorization of wrong) {
        assert.equal(seen(await app.get(target, { authorization })), "401 invalid-token", authorization);
      }
    }
    assert.equal((await app.call(listRoots, bearer)).status, 200);
    assert.equal(seen(await app.call(listRoots)), "401 invalid-token");
    assert.equal(seen(await app.call(listRoots, bearer, "203.0.113.9")), `403 ${localOnly}`);
    for (const name of forwarding) {
      assert.equal(seen(await app.call(listRoots, { ...bearer, [name]: "" })), `403 ${localOnly}`, name);
    }
  });
});

Deno.test("whoever may not use /call learns so before a byte of the body is read", async () => {
  cites("files-api.doors");
  await withFilesApp({ env: { BRIDGE_TOKEN: token } }, async (app) => {
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1000));
      },
    }, { highWaterMark: 0 });
    const answer = await app.send("POST", "/call", { headers: { ...bearer, via: "x" }, body });
    assert.deepEqual([seen(answer), pulled], [`403 ${localOnly}`, 0]);
  });
});

Deno.test("on a public server the address of a caller grants nothing, and /call is closed", async () => {
  cites("files-api.doors");
  await withFilesApp({ env: { BRIDGE_TOKEN: token, BRIDGE_PUBLIC_MODE: "1" } }, async (app) => {
    for (const target of gets) {
      assert.equal(seen(await app.get(target)), "401 invalid-token");
      assert.equal((await app.get(target, bearer)).status, 200);
    }
    for (const headers of [{}, bearer]) {
      assert.equal(seen(await app.call(listRoots, headers)), `403 ${localOnly}`);
    }
    assert.equal((await app.get("/health")).text, '{"status":"ok"}');
  });
});

const inUrl = ["token", "access_token", "Token", "ACCESS_TOKEN", "%74oken"];

Deno.test("a token in the address is refused on every route, right or wrong, beside a good header too", async () => {
  cites("files-api.doors");
  for (const env of [{}, { BRIDGE_TOKEN: token }, { BRIDGE_TOKEN: token, BRIDGE_PUBLIC_MODE: "1" }]) {
    await withFilesApp({ env }, async (app) => {
      for (const target of [...gets, "/call", "/mcp", "/health", "/nowhere"]) {
        for (const name of inUrl) {
          const mark = target.includes("?") ? "&" : "?";
          const answer = await app.get(`${target}${mark}${name}=${token}`, bearer);
          assert.equal(seen(answer), "403 token-in-url-refused", target);
          assert.doesNotMatch(answer.text, new RegExp(token));
        }
      }
      assert.doesNotMatch(app.lines.join("\n"), new RegExp(token));
    });
  }
});

Deno.test("where the old switch allows it, ?token= lets a caller in on a private server, and stays out of log and answers", async () => {
  cites("files-api.doors");
  await withFilesApp({ env: { BRIDGE_TOKEN: token, ALLOW_QUERY_TOKEN_AUTH: "1" } }, async (app) => {
    for (const target of gets) {
      const mark = target.includes("?") ? "&" : "?";
      const answer = await app.get(`${target}${mark}token=${token}`);
      assert.equal(answer.status, 200, target);
      assert.equal(seen(await app.get(`${target}${mark}token=wrong`)), "401 invalid-token");
      assert.equal(seen(await app.get(`${target}${mark}access_token=${token}`)), "403 token-in-url-refused");
      assert.equal(seen(await app.get(`${target}${mark}token=${token}&token=x`)), "403 token-in-url-refused");
      assert.doesNotMatch(answer.text, new RegExp(token));
    }
    assert.equal(seen(await app.get(`/read?root=notes&token=${token}`)), "400 invalid-argument");
    const text = app.lines.join("\n");
    assert.match(text, /"event":"tool"/);
    assert.doesNotMatch(text, new RegExp(token.slice(5, 25)));
  });
});

Deno.test("the log has neither paths nor what was searched for", async () => {
  cites("files-api.doors");
  await withFilesApp({ files: { "canary-name.txt": "x" } }, async (app) => {
    await app.get("/read?root=notes&path=canary-name.txt");
    await app.get("/read?root=notes&path=canary-missing.txt");
    await app.get("/search?root=notes&q=canary-query");
    await app.get("/files?root=canary-root");
    await app.call({ tool: "read_file", args: { root: "notes", path: "canary-called.txt", canary: 1 } });
    await app.call('{"tool":"canary-tool"}');
    const text = app.lines.join("\n");
    assert.match(text, /"outcome":"file-not-found"/);
    assert.doesNotMatch(text, /canary/);
    assert.doesNotMatch(text, new RegExp(app.root));
  });
});

async function refusedAfter(app: FilesApp, send: () => Promise<Answer>): Promise<Answer> {
  for (let count = 0; count < 30; count++) {
    const answer = await send();
    if (answer.status === 429) return answer;
  }
  return assert.fail(`Never refused: ${app.root}`);
}

Deno.test("each caller has its own rate, and one address has one whatever its headers say", async () => {
  cites("files-api.doors");
  const env = { BRIDGE_TOKEN: token, BRIDGE_RATE_LIMIT_PER_MINUTE: "20" };
  await withFilesApp({ env }, async (app) => {
    let count = 0;
    const stranger = await refusedAfter(
      app,
      () =>
        app.get(
          "/roots",
          { "x-forwarded-for": `198.51.100.${count++}` },
          count % 2 ? "203.0.113.9" : "::ffff:203.0.113.9",
        ),
    );
    assert.equal(stranger.code, "rate-limited");
    assert.match(stranger.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
    assertSealed(stranger);
    assert.equal(
      (await app.get("/roots", bearer, "203.0.113.9")).status,
      200,
      "who is known is counted by itself",
    );
    const known = await refusedAfter(app, () => app.get("/roots", bearer));
    assert.equal(known.code, "rate-limited");
    assert.equal(seen(await app.call(listRoots, bearer)), "429 rate-limited");
    assert.equal((await app.get("/healthz")).status, 200);
  });
});

Deno.test("a server over notes alone has none of these addresses", async () => {
  cites("files-api.doors");
  const env = {
    BRIDGE_ROOTS: null,
    SILVERBRIDGE_SILVERBULLET_URL: "http://127.0.0.1:9",
    SILVERBRIDGE_TOKEN: token,
  };
  await withFilesApp({ env }, async (app) => {
    for (const target of gets) assert.equal(seen(await app.get(target, bearer)), "404 no-folders", target);
    assert.equal(seen(await app.call(listRoots, bearer)), "404 no-folders");
  });
});

Deno.test("a token has its own roots: others are not there for it, and without any there is nothing", async () => {
  cites("files-api.doors", "files-api.same-rules");
  const named = (name: string, roots: readonly string[]) => ({
    ...{ name, hash: sha256Hex(`secret-${name}`), rights: null, roots },
    ...{ profile: null, silverbulletToken: null },
  });
  const configure = (config: Config): Config => ({
    ...config,
    auth: ["token"],
    tokens: [named("one", ["notes"]), named("none", []), { ...named("chat", ["notes"]), profile: "chatgpt" }],
    roots: [...config.roots, ...config.roots.map((root) => ({ ...root, alias: "others" }))],
  });
  await withFilesApp({ configure }, async (app) => {
    const as = (name: string) => ({ authorization: `Bearer secret-${name}` });
    for (const name of ["one", "chat"]) {
      assert.deepEqual((await app.get("/roots", as(name))).json, {
        roots: [{ alias: "notes" }],
        empty: false,
      });
      for (const target of gets) assert.equal((await app.get(target, as(name))).status, 200, target);
      const hidden = await app.get("/read?root=others&path=welcome.md", as(name));
      const absent = await app.get("/read?root=absents&path=welcome.md", as(name));
      assert.equal(seen(hidden), "403 unknown-root");
      assert.equal(hidden.text.replaceAll("others", "absents"), absent.text, "no word tells the two apart");
      const called = await app.call({ tool: "list_files", args: { root: "others" } }, as(name));
      assert.equal(seen(called), "403 unknown-root");
    }
    assert.deepEqual((await app.get("/roots", as("none"))).json, { roots: [], empty: true });
    for (const target of gets.slice(1)) {
      assert.equal(seen(await app.get(target, as("none"))), "403 unknown-root");
    }
    assert.equal(
      seen(await app.call({ tool: "search", args: { root: "notes", q: "a" } }, as("none"))),
      "403 unknown-root",
    );
  });
});

Deno.test("the log of the running program knows which address was called, and nothing of what was asked for", async () => {
  cites("files-api.doors");
  const env = { BRIDGE_TOKEN: token, ALLOW_QUERY_TOKEN_AUTH: "1", SILVERBRIDGE_TOKEN: null };
  await withFilesProgram({ env, files: { "canary.txt": "canary-text" } }, async (program, root) => {
    const get = (target: string) => fetch(program.url + target).then((response) => response.text());
    assert.match(await get(`/read?root=notes&path=canary.txt&token=${token}`), /canary-text/);
    await get(`/search?root=notes&q=canary-query&token=${token}`);
    await get(`/read?root=notes&path=canary-missing&token=${token}`);
    await get(`/read?root=notes&path=canary&token=${token}x`);
    await get(`/read?root=notes&canary=1&access_token=${token}`);
    await get(`/canary?token=${token}`);
    const body = JSON.stringify({ tool: "read_file", args: { root: "notes", path: "canary.txt" } });
    await (await fetch(`${program.url}/call?token=${token}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    })).text();
    await program.until(({ log }) =>
      log.includes('"route":"/call"') && log.includes('"code":"file-not-found"')
    );
    assert.match(program.log, /"event":"request",[^\n]*"route":"\/read",[^\n]*"status":200/);
    assert.doesNotMatch(program.log, /canary/);
    assert.doesNotMatch(program.log, new RegExp(token.slice(5, 25)));
    assert.doesNotMatch(program.log, new RegExp(root));
  });
});
