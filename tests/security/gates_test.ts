/** The gates of the running program, over a raw socket where a client library would not send such a thing. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { freePort, mcpRequest, type Program, token, withProgram } from "../support/app.ts";
import { sendRaw, statusOf } from "../support/raw_http.ts";

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
});

interface Call {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
}

const bearer = `Authorization: Bearer ${token}`;
const json = ["Content-Type: application/json", "Accept: application/json, text/event-stream"];

async function call(
  program: Program,
  parts: Call,
): Promise<{ status: number | null; text: string; code: string }> {
  const {
    method = "POST",
    target = "/mcp",
    headers = ["Host: localhost", bearer, ...json],
    body = initialize,
  } = parts;
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...headers,
    "Connection: close",
    `Content-Length: ${body.length}`,
  ];
  const { text } = await sendRaw(`${head.join("\r\n")}\r\n\r\n${body}`, { port: program.port, waitMs: 5000 });
  return { status: statusOf(text), text, code: /"error":"([^"]*)"/.exec(text)?.[1] ?? "" };
}

Deno.test("the running program lets only callers in that know the token, and challenges the others as RFC 6750 says", async () => {
  cites("http.tokens");
  await withProgram({}, async (program) => {
    const challenge = async (...headers: string[]) => {
      const { status, text } = await call(program, { headers: ["Host: localhost", ...json, ...headers] });
      return [status, /www-authenticate: ([^\r]*)/i.exec(text)?.[1] ?? null];
    };
    const bare = 'Bearer realm="silverbridge"';
    const invalid = 'Bearer realm="silverbridge", error="invalid_token"';
    assert.deepEqual(await challenge(bearer), [200, null]);
    assert.deepEqual(await challenge(`authorization: bEARER   ${token}  `), [200, null]);
    assert.deepEqual(await challenge(), [401, bare]);
    assert.deepEqual(await challenge("Authorization: Basic dDp0"), [401, bare]);
    for (
      const wrong of [
        "Bearer",
        "Bearer ",
        "Bearer x",
        `Bearer ${token.slice(0, -1)}`,
        `Bearer ${token}x`,
        `Bearer ${token.toUpperCase()}`,
        `Bearer ${token} ${token}`,
        `Bearer "${token}"`,
      ]
    ) {
      assert.deepEqual(await challenge(`Authorization: ${wrong}`), [401, invalid], wrong);
    }
    assert.deepEqual(await challenge(bearer, bearer), [401, invalid], "two headers are none");
    assert.deepEqual(await challenge(`Cookie: token=${token}`), [401, bare]);
    assert.deepEqual(await challenge(`X-Api-Key: ${token}`), [401, bare]);
  });
});

Deno.test("no trick with Host reaches a route or changes an answer", async () => {
  cites("http.rebinding");
  await withProgram({}, async (program) => {
    const table: Array<[string[], number, string]> = [
      [["Host: localhost"], 200, ""],
      [["Host: LOCALHOST.:1234"], 200, ""],
      [["Host: 127.0.0.1"], 200, ""],
      [["Host: [::1]:80"], 200, ""],
      [["Host: h/admin?"], 403, "host-not-allowed"],
      [["Host: localhost/healthz?"], 403, "host-not-allowed"],
      [["Host: user@localhost"], 403, "host-not-allowed"],
      [["Host: localhost:80@evil.com"], 403, "host-not-allowed"],
      [["Host: localhost", "Host: evil.com"], 403, "host-not-allowed"],
      [["Host: localhost", "Host: localhost"], 403, "host-not-allowed"],
      [["Host: evil.com", "X-Forwarded-Host: localhost"], 403, "host-not-allowed"],
      [["Host: 127.0.0.1.nip.io"], 403, "host-not-allowed"],
      [["Host: [::1"], 403, "host-not-allowed"],
      [["Host:"], 403, "host-not-allowed"],
      [[], 400, "bad-request"],
    ];
    for (const [hosts, status, code] of table) {
      const answer = await call(program, { headers: [...hosts, bearer, ...json] });
      assert.deepEqual([answer.status, answer.code], [status, code], hosts.join(" | "));
    }
    await program.until(({ log }) =>
      /"event":"host_refused","host":"h\/admin\?","mend":"[^"]*SILVERBRIDGE_ALLOWED_HOSTS"/.test(log)
    );
    const probe = await call(program, {
      method: "GET",
      target: "/healthz",
      headers: ["Host: evil.com"],
      body: "",
    });
    assert.equal(probe.status, 200, "probes answer by whatever name they come");
  });
});

Deno.test("no page that somebody merely visits can aim requests here", async () => {
  cites("http.rebinding");
  await withProgram({}, async (program) => {
    const table: Array<[string[], number]> = [
      [["Origin: null"], 403],
      [["Origin: https://evil.com"], 403],
      [["Origin: https://claude.ai.evil.com"], 403],
      [["Origin: http://localhost.evil"], 403],
      [["Origin: https://claude.ai, https://evil.com"], 403],
      [["Origin: https://claude.ai", "Origin: https://evil.com"], 403],
      [["Origin: file://"], 403],
      [["Origin:"], 403],
      [["Origin: https://claude.ai"], 200],
      [["Origin: https://chatgpt.com"], 200],
      [["Origin: http://localhost:6274"], 200],
      [[], 200],
    ];
    for (const [origins, status] of table) {
      const answer = await call(program, { headers: ["Host: localhost", ...origins, bearer, ...json] });
      assert.equal(answer.status, status, origins.join(" | "));
      if (status === 403) assert.equal(answer.code, "origin-not-allowed");
      assert.equal(/access-control-/i.test(answer.text), false, "no CORS");
    }
  });
});

Deno.test("routes answer exactly as written, with their own methods", async () => {
  cites("http.routes");
  await withProgram({}, async (program) => {
    const headers = ["Host: localhost", bearer];
    const table: Array<[string, string, number]> = [
      ["GET", "/", 200],
      ["HEAD", "/", 200],
      ["GET", "/healthz", 200],
      ["HEAD", "/readyz", 200],
      ["GET", "/health", 200],
      ["GET", "/style.css", 200],
      ["GET", "/mcp", 405],
      ["DELETE", "/mcp", 405],
      ["OPTIONS", "/mcp", 405],
      ["PUT", "/mcp", 405],
      ["TRACE", "/mcp", 405],
      ["TRACE", "/nowhere", 404],
      ["POST", "/healthz", 405],
      ["OPTIONS", "/health", 405],
      ["GET", "//healthz", 404],
      ["GET", "/x/../healthz", 404],
      ["GET", "/%68ealthz", 404],
      ["GET", "/healthz/", 404],
      ["GET", "/HEALTHZ", 404],
      ["GET", "/favicon.ico", 404],
      ["GET", "/.well-known/oauth-protected-resource", 404],
      ["GET", "/.well-known/oauth-protected-resource/mcp", 404],
      ["GET", "/.well-known/oauth-authorization-server", 404],
      ["GET", "/.well-known/openid-configuration", 404],
      ["POST", "/register", 404],
      ["GET", "/.fs/index.md", 404],
    ];
    for (const [method, target, status] of table) {
      const answer = await call(program, { method, target, headers, body: "" });
      assert.equal(answer.status, status, `${method} ${target}`);
      if (status === 405) assert.match(answer.text, /\r\nallow: [A-Z, ]+\r\n/i);
      if (status >= 400 && method !== "HEAD") {
        assert.match(answer.text, /content-type: application\/json/i, "refusals are JSON to a program");
      }
      assert.match(answer.text, /x-content-type-options: nosniff/i);
    }
    const html = [...headers, "Accept: text/html"];
    const browser = [...html, "Sec-Fetch-Mode: navigate"];
    for (
      const [target, asked, type] of [
        ["/mcp", html, "application/json"],
        ["/mcp", browser, "text/html"],
        ["/.well-known/oauth-protected-resource", browser, "application/json"],
      ] as const
    ) {
      const answer = await call(program, { method: "GET", target, headers: [...asked], body: "" });
      assert.match(answer.text, new RegExp(`content-type: ${type}`, "i"), `${target} ${asked.join()}`);
    }
  });
});

Deno.test("a token in the address is refused on every route, known or not, beside a good header too", async () => {
  cites("http.tokens");
  await withProgram({}, async (program) => {
    for (const path of ["/mcp", "/", "/health", "/healthz", "/readyz", "/nowhere"]) {
      for (const key of ["token", "access_token", "Token", "%74oken"]) {
        const target = `${path}?${key}=${token}`;
        const answer = await call(program, {
          method: "GET",
          target,
          headers: ["Host: localhost", bearer],
          body: "",
        });
        assert.deepEqual([answer.status, answer.code], [403, "token-in-url-refused"], target);
      }
    }
    assert.equal(program.log.includes(token), false, "and it does not reach the log");
  });
});

Deno.test("bodies are taken up to the limit, uncompressed, whatever the length says", async () => {
  cites("http.bodies");
  await withProgram({ env: { SILVERBRIDGE_MAX_BODY_BYTES: "1700000" } }, async (program) => {
    const padded = (size: number) => initialize + " ".repeat(size - initialize.length);
    assert.equal((await call(program, { body: padded(1_700_000) })).status, 200);
    const over = await call(program, { body: padded(1_700_001) });
    assert.deepEqual([over.status, over.code], [413, "request-body-too-large"]);
    for (const encoding of ["gzip", "br", "deflate, gzip", "x"]) {
      const headers = ["Host: localhost", bearer, ...json, `Content-Encoding: ${encoding}`];
      const answer = await call(program, { headers });
      assert.deepEqual([answer.status, answer.code], [415, "unsupported-encoding"], encoding);
    }
  });
});

Deno.test("public mode tells a stranger nothing, and counts strangers and known callers apart", async () => {
  cites("http.rates");
  const env = {
    SILVERBRIDGE_PUBLIC_URL: "https://notes.example.org",
    SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "5",
  };
  await withProgram({ env }, async (program) => {
    const host = "Host: notes.example.org";
    const health = await call(program, { method: "GET", target: "/health", headers: [host], body: "" });
    assert.match(health.text, /\r\n\r\n\{"status":"ok"\}$/);
    const stranger: Array<number | null> = [];
    for (let round = 0; round < 7; round++) {
      stranger.push(
        (await call(program, { headers: [host, ...json, "X-Forwarded-For: 198.51.100.7"] })).status,
      );
    }
    assert.deepEqual(stranger, [401, 401, 401, 401, 429, 429, 429]);
    const invented = await call(program, { headers: [host, ...json, "X-Forwarded-For: 203.0.113.1"] });
    assert.equal(invented.status, 429, "an invented address is no new caller");
    assert.match(invented.text, /\r\nretry-after: [1-9]\d*\r\n/i);
    assert.equal((await call(program, { headers: [host, bearer, ...json] })).status, 200);
    const probe = await call(program, { method: "GET", target: "/healthz", headers: [host], body: "" });
    assert.equal(probe.status, 200);
  });
});

Deno.test("a server without tokens answers its own machine alone, and never through a proxy", async () => {
  cites("http.tokens");
  const env = { SILVERBRIDGE_TOKEN: null, SILVERBRIDGE_AUTH: "none" };
  await withProgram({ env }, async (program) => {
    const ask = (...headers: string[]) =>
      call(program, { headers: ["Host: localhost", ...json, ...headers] });
    assert.equal((await ask()).status, 200);
    for (
      const name of ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "CF-Connecting-IP", "True-Client-IP"]
    ) {
      for (const value of ["", "127.0.0.1"]) {
        const answer = await ask(`${name}: ${value}`);
        assert.deepEqual([answer.status, answer.code], [403, "remote-without-token"], `${name}: ${value}`);
      }
    }
  });
});

Deno.test("readyz knows SilverBullet that is gone, and one that refuses our token", async () => {
  cites("http.ready");
  await withProgram({}, async (program) => {
    const response = await fetch(`${program.url}/readyz`);
    assert.equal(response.status, 200);
    await response.body?.cancel();
  });
  await withProgram({ space: { token: "another-token" } }, async (program) => {
    const response = await fetch(`${program.url}/readyz`);
    assert.equal(response.status, 503);
    assert.equal(await response.text(), '{"ok":false}');
    await program.until(({ log }) =>
      /"event":"not_ready","reason":"silverbullet_auth","text":"[^"]*SILVERBRIDGE_SILVERBULLET_TOKEN: /.test(
        log,
      )
    );
  });
  const nowhere = { SILVERBRIDGE_SILVERBULLET_URL: `http://127.0.0.1:${freePort()}` };
  await withProgram({ env: nowhere }, async (program) => {
    const response = await fetch(`${program.url}/readyz`);
    assert.equal(response.status, 503);
    await response.body?.cancel();
    await program.until(({ log }) =>
      /"event":"not_ready","reason":"silverbullet_unreachable","text":"[^"]*SILVERBRIDGE_SILVERBULLET_URL: /
        .test(log)
    );
  });
});

Deno.test("the log says at the start, unasked, that SilverBullet cannot be used, and what to do", async () => {
  await withProgram({ space: { token: "another-token" } }, async (program) => {
    await program.until(({ log }) => /"event":"not_ready",.*SILVERBRIDGE_SILVERBULLET_TOKEN: /.test(log));
  });
  await withProgram({}, async (program) => {
    await program.until(({ log }) => log.includes('"event":"ready"'));
    assert.doesNotMatch(program.log, /not_ready|"route":"\/readyz"/);
  });
});

Deno.test("a request carries one id from the proxy's header to the answer", async () => {
  cites("http.request-id");
  await withProgram({}, async (program) => {
    const request = mcpRequest(program.url, { method: "tools/list" }, { "x-request-id": "proxy-00000001" });
    const response = await fetch(request);
    assert.equal(response.headers.get("x-request-id"), "proxy-00000001");
    await response.body?.cancel();
    await program.until(({ log }) => /"request":"proxy-00000001"/.test(log));
  });
});

Deno.test("what a request asks of SilverBullet carries its id, and that of no other", async () => {
  cites("http.request-id");
  await withProgram({}, async (program) => {
    const pages = ["one", "two", "three", "four"];
    await Promise.all(pages.map(async (page) => {
      const params = { name: "create_page", arguments: { page, content: `Text of ${page}\n` } };
      const headers = { "x-request-id": `proxy-${page}-0001` };
      const response = await fetch(mcpRequest(program.url, { method: "tools/call", params }, headers));
      assert.match(await response.text(), /guarantee/);
    }));
    for (const page of pages) {
      const own = `proxy-${page}-0001`;
      const about = program.space.requests.all().filter(({ target }) => target === `/.fs/${page}.md`);
      const changing = about.filter(({ method }) => method === "PUT");
      assert.deepEqual(changing.map(({ headers }) => headers["x-request-id"]), [own]);
      // The index reads new pages too, and for nobody's request.
      for (const { headers } of about) assert.ok([own, undefined].includes(headers["x-request-id"]), page);
    }
  });
});
