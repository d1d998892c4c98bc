/**
 * What the README of personal-mcp-bridge promises, one row a sentence, in our words, each with the calls that show it here.
 *
 * Rows are grouped by the sections of that README. `kept`: the same here; `differs`: deliberately another thing, with what
 * is asserted instead (docs/from-personal-mcp-bridge.md gives the reasons).
 */

import assert from "node:assert/strict";
import { type Answer, bearer, type FilesApp } from "../support/files_api.ts";

/** `open`: loopback without a token. `token`: the same with one. `public`: in public mode. `small`: with tiny limits. */
export type World = "open" | "token" | "public" | "small";

export interface Claim {
  readonly section: string;
  readonly claim: string;
  readonly world: World;
  readonly kind?: "kept" | "differs";
  readonly check: (app: FilesApp) => Promise<void>;
}

type Json = Readonly<Record<string, unknown>>;

async function gives(
  app: FilesApp,
  target: string,
  expected: Json,
  headers: HeadersInit = {},
): Promise<void> {
  const answer = await app.get(target, headers);
  assert.equal(answer.status, 200, answer.text);
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(answer.json?.[name], value, name);
}

async function refuses(answer: Promise<Answer>, status: number, code: string): Promise<Answer> {
  const given = await answer;
  assert.deepEqual([given.status, given.code], [status, code], given.text);
  return given;
}

/** One message to `/mcp`; the status and the JSON, if any. */
async function mcp(app: FilesApp, body: unknown): Promise<{ status: number; text: string; json: Json }> {
  const answer = await app.send("POST", "/mcp", {
    headers: { "content-type": "application/json", "accept": "application/json, text/event-stream" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: answer.status, text: answer.text, json: answer.json ?? {} };
}

async function rpcError(app: FilesApp, body: unknown, ...codes: readonly number[]): Promise<void> {
  const { json, text } = await mcp(app, body);
  const { code } = (json["error"] ?? {}) as { code?: number };
  assert.ok(code !== undefined && codes.includes(code), text);
}

async function toolOver(app: FilesApp, name: string, args: Json): Promise<{ isError: boolean; json: Json }> {
  const { json, text } = await mcp(app, rpc("tools/call", { name, arguments: args }));
  const result = json["result"] as { isError?: boolean; content: { text: string }[] } | undefined;
  assert.ok(result !== undefined, text);
  return { isError: result.isError === true, json: JSON.parse(result.content.at(-1)?.text ?? "null") };
}

function rpc(method: string, params?: unknown): Json {
  return { jsonrpc: "2.0", id: 1, method, ...(params === undefined ? {} : { params }) };
}

function kept(section: string, world: World, rows: readonly (readonly [string, Claim["check"]])[]): Claim[] {
  return rows.map(([claim, check]) => ({ section, world, claim, check }));
}

const eight = [
  "get_file_info",
  "list_files",
  "list_roots",
  "read_file",
  "read_file_range",
  "read_multiple_files",
  "search_files",
  "tail_file",
];

const tools = kept("Tools", "open", [
  ["every tool only reads", async (app) => {
    const { json } = await mcp(app, rpc("tools/list"));
    const { tools } = json["result"] as { tools: { name: string; annotations: Json }[] };
    assert.deepEqual(tools.map(({ name }) => name), eight);
    for (const { annotations } of tools) assert.equal(annotations["readOnlyHint"], true);
  }],
  ["the roots are listed by alias", async (app) => {
    await gives(app, "/roots", { roots: [{ alias: "notes" }], empty: false });
    assert.equal((await app.call({ tool: "list_roots" })).text, (await app.get("/roots")).text);
  }],
  ["one directory is listed", async (app) => {
    const answer = await app.get("/files?root=notes&path=.");
    const names = (answer.json?.["entries"] as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(names, ["app.log", "runtime", "sub", "welcome.md"]);
  }],
  [
    "one file is read, bounded",
    (app) => gives(app, "/read?root=notes&path=welcome.md", { ref: "notes/welcome.md", truncated: false }),
  ],
  [
    "a range of lines is read",
    (app) =>
      gives(app, "/read-range?root=notes&path=welcome.md&start_line=3&line_count=1", {
        content: "The budget is 40.\n",
      }),
  ],
  [
    "the end of a file is read",
    (app) => gives(app, "/tail?root=notes&path=welcome.md&last_lines=1", { content: "Last line\n" }),
  ],
  ["several files are read through MCP or /call", async (app) => {
    const args = { root: "notes", paths: ["welcome.md", "sub/a.txt"] };
    const called = await app.call({ tool: "read_multiple_files", args });
    assert.deepEqual((called.json?.["files"] as { ref: string }[]).map(({ ref }) => ref), [
      "notes/welcome.md",
      "notes/sub/a.txt",
    ]);
    assert.deepEqual((await toolOver(app, "read_multiple_files", args)).json, called.json);
  }],
  [
    "facts about one path",
    (app) =>
      gives(app, "/file-info?root=notes&path=welcome.md", {
        ref: "notes/welcome.md",
        type: "file",
        size: 39,
      }),
  ],
  ["text files are searched", async (app) => {
    const { json } = await app.get("/search?root=notes&q=budget");
    assert.deepEqual((json?.["matches"] as Json[]).map(({ ref, line }) => [ref, line]), [[
      "notes/welcome.md",
      3,
    ]]);
  }],
  ["reading and searching take max_chars and tell the limits that held", async (app) => {
    await gives(app, "/read?root=notes&path=welcome.md&max_chars=9", {
      content: "# Welcome",
      truncated: true,
      limits: { max_chars: 9, returned_chars: 9 },
    });
    const { json } = await app.get("/search?root=notes&q=budget&max_chars=4000");
    assert.equal((json?.["limits"] as Json)["max_chars"], 4000);
  }],
]);

const safety = kept("Safety model", "open", [
  ["paths are relative, without traversal", async (app) => {
    for (const path of ["../x", "a/../../x", "/etc/passwd", "//etc/passwd", "..%5cx"]) {
      await refuses(app.get(`/read?root=notes&path=${path}`), 403, "path-excluded");
    }
  }],
  [
    "no drive letters",
    (app) => refuses(app.get("/read?root=notes&path=C:%5CWindows"), 403, "path-excluded").then(() => {}),
  ],
  ["no symlink leads out", async (app) => {
    await Deno.writeTextFile(`${app.root}/../outside.txt`, "CANARY");
    await Deno.symlink("../outside.txt", `${app.root}/out.txt`);
    const answer = await refuses(app.get("/read?root=notes&path=out.txt"), 403, "path-excluded");
    assert.doesNotMatch(answer.text, /CANARY|outside/);
    await Deno.remove(`${app.root}/out.txt`);
  }],
  ["secret, cache and generated paths are in no list, read or search", async (app) => {
    for (const path of [".env", "runtime/settings.json", ".git/config", "node_modules/a.js", "token.txt"]) {
      await refuses(app.get(`/read?root=notes&path=${path}`), 403, "path-excluded");
    }
    const { json } = await app.get("/search?root=notes&q=CANARY");
    assert.deepEqual(json?.["matches"], []);
  }],
]);

const published: readonly Claim[] = [
  ...kept("Safety model", "public", [
    ["a public server refuses tokens in the address", async (app) => {
      await refuses(app.get("/roots?token=x"), 403, "token-in-url-refused");
      await refuses(app.get("/roots?token=x", bearer), 403, "token-in-url-refused");
    }],
    ["a public server refuses /call to whoever is forwarded or remote", async (app) => {
      const body = { tool: "list_roots" };
      await refuses(
        app.call(body, { ...bearer, "x-forwarded-for": "" }),
        403,
        "generic /call is localhost-only",
      );
      await refuses(app.call(body, bearer, "203.0.113.9"), 403, "generic /call is localhost-only");
    }],
    ["a public server never tells an absolute local path", async (app) => {
      for (
        const target of [
          "/roots",
          "/files?root=notes",
          "/read?root=notes&path=x",
          "/file-info?root=notes&path=sub",
        ]
      ) {
        assert.doesNotMatch((await app.get(target, bearer)).text, new RegExp(app.root));
      }
    }],
    ["the dedicated endpoints are reachable from elsewhere with the token", async (app) => {
      const answer = await app.get("/roots", { ...bearer, "x-forwarded-for": "203.0.113.9" }, "203.0.113.9");
      assert.equal(answer.status, 200);
    }],
  ]),
  {
    section: "Exposing it",
    world: "public",
    kind: "differs",
    claim: "/call stays for this machine; on a public server it is for nobody",
    check: async (app) => {
      await refuses(app.call({ tool: "list_roots" }, bearer), 403, "generic /call is localhost-only");
    },
  },
];

const running = kept("Running it", "open", [
  ["GET /roots", (app) => gives(app, "/roots", { roots: [{ alias: "notes" }] })],
  ["GET /files", (app) => gives(app, "/files?root=notes&path=.", { ref: "notes", truncated: false })],
  [
    "GET /read",
    (app) =>
      gives(app, "/read?root=notes&path=welcome.md&max_chars=4000", {
        content: "# Welcome\n\nThe budget is 40.\nLast line\n",
      }),
  ],
  [
    "GET /read-range",
    (app) =>
      gives(app, "/read-range?root=notes&path=welcome.md&start_line=1&line_count=20", {
        lines_returned: 4,
        eof: true,
      }),
  ],
  ["GET /tail", (app) => gives(app, "/tail?root=notes&path=welcome.md&last_lines=20", { lines_returned: 4 })],
  ["GET /file-info", (app) => gives(app, "/file-info?root=notes&path=welcome.md", { type: "file" })],
  [
    "GET /search",
    (app) => gives(app, "/search?root=notes&q=budget&max_chars=4000", { query: "budget", truncated: false }),
  ],
  ["without a token, callers on this machine are let in, and nobody else", async (app) => {
    await gives(app, "/roots", { empty: false });
    await refuses(app.get("/roots", {}, "203.0.113.9"), 403, "remote-without-token");
    await refuses(app.get("/roots", { forwarded: "" }), 403, "remote-without-token");
  }],
]);

const withToken: readonly Claim[] = [
  ...kept("Running it", "token", [
    ["with a token set, it is asked for on this machine too", async (app) => {
      await gives(app, "/roots", { empty: false }, bearer);
      assert.equal((await app.call({ tool: "list_roots" }, bearer)).status, 200);
    }],
    ["token-in-url-refused", async (app) => {
      for (const target of ["/roots", "/read", "/health", "/mcp", "/call", "/nowhere"]) {
        for (const key of ["token", "access_token", "TOKEN"]) {
          await refuses(app.get(`${target}?${key}=x`, bearer), 403, "token-in-url-refused");
        }
      }
    }],
  ]),
  {
    section: "Errors",
    world: "token",
    kind: "differs",
    claim: "a missing or wrong token is `invalid-token`, with 401 and a challenge",
    check: async (app) => {
      for (const authorization of ["", "Bearer wrong", "Basic eDp5"]) {
        const answer = await refuses(
          app.get("/roots", authorization === "" ? {} : { authorization }),
          401,
          "invalid-token",
        );
        assert.match(answer.headers.get("www-authenticate") ?? "", /^Bearer /);
      }
    },
  },
];

const limits = kept("Runtime limits", "small", [
  ["a body over the limit is 413, and what its length says does not matter", async (app) => {
    const body = JSON.stringify({ tool: "list_roots", args: {}, x: "y".repeat(1100) });
    await refuses(app.call(body), 413, "request-body-too-large");
    const chunks = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode("x".repeat(100)));
      },
    });
    await refuses(app.send("POST", "/call", { body: chunks }), 413, "request-body-too-large");
  }],
  ["over the rate 429 with Retry-After", async (app) => {
    const until = async (headers: HeadersInit) => {
      for (let tries = 0; tries < 65; tries++) {
        const answer = await app.get("/roots", headers);
        if (answer.status === 429) return answer;
      }
      return assert.fail("Never refused");
    };
    // A new address in every header changes nothing: the connection's own counts.
    let address = 0;
    await until({
      get "x-forwarded-for"() {
        return `10.0.0.${address++}`;
      },
    });
    const answer = await until({});
    assert.equal(answer.code, "rate-limited");
    assert.match(answer.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  }],
]);

const hello = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "c", version: "1" },
};

const messages: readonly Claim[] = [
  ...kept("JSON-RPC", "open", [
    ["a request is 200 with its answer", async (app) => {
      const { status, json } = await mcp(app, rpc("ping"));
      assert.deepEqual([status, json["result"], json["id"]], [200, {}, 1]);
    }],
    ["a valid notification is 202 without a body", async (app) => {
      const { status, text } = await mcp(app, { jsonrpc: "2.0", method: "notifications/initialized" });
      assert.deepEqual([status, text], [202, ""]);
    }],
    ["a malformed object is no notification but an error", async (app) => {
      await rpcError(app, { jsonrpc: "2.0" }, -32600);
      await rpcError(app, { method: "ping" }, -32600);
      await rpcError(app, { jsonrpc: "1.0", method: "ping", id: 1 }, -32600);
      await rpcError(app, { jsonrpc: "2.0", method: "ping", params: [1], id: 1 }, -32600, -32602);
    }],
    ["an empty body is 400 invalid-json", async (app) => {
      const { status, text } = await mcp(app, "");
      assert.equal(status, 400);
      assert.match(text, /invalid-json/);
    }],
    [
      "a notifications/ method with an id is an error",
      (app) => rpcError(app, rpc("notifications/initialized"), -32600),
    ],
    ["NaN and infinities are 400 invalid-json", async (app) => {
      for (const number of ["NaN", "Infinity", "-Infinity"]) {
        const { status, text } = await mcp(
          app,
          `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${number}}}`,
        );
        assert.equal(status, 400);
        assert.match(text, /invalid-json/);
        await refuses(app.call(`{"tool":"list_roots","args":{"x":${number}}}`), 400, "invalid-json");
      }
    }],
    ["a response object is 400 unexpected-json-rpc-response", async (app) => {
      for (const part of [{ result: {} }, { error: { code: 1, message: "x" } }]) {
        const { status, text } = await mcp(app, { jsonrpc: "2.0", id: 1, ...part });
        assert.equal(status, 400);
        assert.match(text, /unexpected-json-rpc-response/);
      }
    }],
    ["what is no object is json-object-required", async (app) => {
      for (const body of ["[]", "[{}]", "1", "null", '"x"']) {
        const { status, text } = await mcp(app, body);
        assert.equal(status, 400);
        assert.match(text, /json-object-required/);
        await refuses(app.call(body), 400, "json-object-required");
      }
    }],
    ["arguments may be left out; what is falsy and no object may not", async (app) => {
      const { json } = await mcp(app, rpc("tools/call", { name: "list_roots" }));
      assert.ok(json["result"]);
      for (const args of [0, "", false, []]) {
        const { json } = await mcp(app, rpc("tools/call", { name: "list_roots", arguments: args }));
        const result = json["result"] as { isError?: boolean } | undefined;
        assert.ok(json["error"] !== undefined || result?.isError === true, JSON.stringify(args));
      }
    }],
    ["initialize is checked", async (app) => {
      for (
        const change of [
          { protocolVersion: "" },
          { protocolVersion: 5 },
          { clientInfo: { name: "", version: "1" } },
          { clientInfo: { name: "c" } },
        ]
      ) {
        await rpcError(app, rpc("initialize", { ...hello, ...change }), -32602);
      }
    }],
    ["a supported version is echoed", async (app) => {
      const { json } = await mcp(app, rpc("initialize", hello));
      assert.equal((json["result"] as Json)["protocolVersion"], "2025-06-18");
    }],
    ["the version header is checked by itself, with 400", async (app) => {
      const answer = await app.send("POST", "/mcp", {
        headers: {
          "content-type": "application/json",
          "accept": "application/json, text/event-stream",
          "mcp-protocol-version": "1999-01-01",
        },
        body: JSON.stringify(rpc("tools/list")),
      });
      assert.equal(answer.status, 400);
    }],
    ["a tool that ran and failed is a result with isError", async (app) => {
      for (const [path, code] of [["no.md", "file-not-found"], [".env", "path-excluded"]]) {
        const { isError, json } = await toolOver(app, "read_file", { root: "notes", path });
        assert.deepEqual([isError, json["error"]], [true, code]);
      }
    }],
  ]),
  {
    section: "JSON-RPC",
    world: "open",
    kind: "differs",
    claim: "an unsupported version is answered with our newest of that era, not with 2025-06-18",
    check: async (app) => {
      const { json } = await mcp(app, rpc("initialize", { ...hello, protocolVersion: "1999-01-01" }));
      assert.equal((json["result"] as Json)["protocolVersion"], "2025-11-25");
    },
  },
  {
    section: "Errors",
    world: "open",
    kind: "differs",
    claim: "over MCP a wrong argument is a tool error with the code `invalid-params`, which a model can read",
    check: async (app) => {
      const { isError, json } = await toolOver(app, "read_file", { root: "notes" });
      assert.deepEqual([isError, json["error"]], [true, "invalid-params"]);
    },
  },
];

const errors = kept("Errors", "open", [
  [
    "path-excluded",
    (app) => refuses(app.get("/read?root=notes&path=.env"), 403, "path-excluded").then(() => {}),
  ],
  [
    "file-not-found",
    (app) => refuses(app.get("/read?root=notes&path=no.md"), 404, "file-not-found").then(() => {}),
  ],
  [
    "not-a-directory",
    (app) => refuses(app.get("/files?root=notes&path=welcome.md"), 400, "not-a-directory").then(() => {}),
  ],
  [
    "invalid-argument",
    (app) => refuses(app.get("/read?root=notes&path=sub"), 400, "invalid-argument").then(() => {}),
  ],
  ["unknown-root", async (app) => {
    for (const root of ["nope", "Notes", "notes/", "notes%0A", "n%D0%BEtes", "__proto__", "constructor"]) {
      await refuses(app.get(`/read?root=${root}&path=welcome.md`), 403, "unknown-root");
    }
  }],
  ["the codes of single files in read_multiple_files are the same", async (app) => {
    const { json } = await app.call({
      tool: "read_multiple_files",
      args: { root: "notes", paths: ["no.md", ".env", "../x", "sub"] },
    });
    assert.deepEqual((json?.["files"] as { error: string }[]).map(({ error }) => error), [
      "file-not-found",
      "path-excluded",
      "path-excluded",
      "invalid-argument",
    ]);
  }],
  ["invalid-json", (app) => refuses(app.call("{"), 400, "invalid-json").then(() => {})],
  ["json-object-required", (app) => refuses(app.call("[]"), 400, "json-object-required").then(() => {})],
  ["/call says invalid-argument of a wrong envelope", async (app) => {
    for (
      const body of [
        "{}",
        '{"tool":""}',
        '{"tool":"list_roots","args":null}',
        '{"tool":"list_roots","args":[]}',
      ]
    ) {
      await refuses(app.call(body), 400, "invalid-argument");
    }
  }],
  [
    "/call says unknown-tool of any other tool",
    (app) => refuses(app.call({ tool: "write_file" }), 400, "unknown-tool").then(() => {}),
  ],
  ["half a surrogate pair is refused as JSON", async (app) => {
    await refuses(
      app.call('{"tool":"read_file","args":{"root":"notes","path":"\\udcff"}}'),
      400,
      "invalid-json",
    );
  }],
  ["names that are no text are in no list, and path-excluded when asked for", async (app) => {
    for (const path of ["bad-%EF%BF%BD.txt", "bad-%ff.txt"]) {
      await refuses(app.get(`/read?root=notes&path=${path}`), 403, "path-excluded");
    }
  }],
  [
    "arguments are taken by the schema: nothing missing, unknown, of another type or out of range",
    async (app) => {
      const base = { root: "notes", path: "welcome.md" };
      const wrong: readonly Json[] = [
        { root: "notes" },
        { ...base, extra: 1 },
        { ...base, max_chars: "100" },
        { ...base, max_chars: true },
        { ...base, max_chars: 0 },
        { ...base, max_chars: -1 },
        { ...base, max_chars: null },
        { ...base, path: 5 },
        { ...base, path: ["welcome.md"] },
        { ...base, path: null },
        { ...base, root: {} },
        { ...base, path: "a".repeat(1025) },
      ];
      for (const args of wrong) await refuses(app.call({ tool: "read_file", args }), 400, "invalid-argument");
      const range = { ...base, start_line: 1, line_count: 1 };
      for (
        const change of [{ start_line: 1_000_001 }, { start_line: 0 }, { line_count: 0 }, {
          start_line: false,
        }]
      ) {
        await refuses(
          app.call({ tool: "read_file_range", args: { ...range, ...change } }),
          400,
          "invalid-argument",
        );
      }
      for (const paths of ["welcome.md", [], [5], [null], Array(51).fill("welcome.md")]) {
        await refuses(
          app.call({ tool: "read_multiple_files", args: { root: "notes", paths } }),
          400,
          "invalid-argument",
        );
      }
      assert.equal(
        (await app.call({ tool: "read_file_range", args: { ...range, start_line: 1_000_000 } })).status,
        200,
      );
    },
  ],
  ["read_multiple_files counts what the caller sees against one budget, and tells of it", async (app) => {
    const args = { root: "notes", paths: ["welcome.md", "sub/a.txt"] };
    const whole = await app.call({ tool: "read_multiple_files", args });
    const { used_payload_chars: used } = whole.json?.["limits"] as { used_payload_chars: number };
    const exact = await app.call({ tool: "read_multiple_files", args: { ...args, max_chars: used } });
    assert.deepEqual([exact.json?.["truncated"], exact.json?.["files"]], [false, whole.json?.["files"]]);
    const less = await app.call({ tool: "read_multiple_files", args: { ...args, max_chars: used - 1 } });
    assert.equal(less.json?.["truncated"], true);
    const none = await app.call({ tool: "read_multiple_files", args: { ...args, max_chars: 1 } });
    assert.deepEqual([none.json?.["files"], none.json?.["truncated"]], [[], true]);
    assert.doesNotMatch(none.text, /welcome/);
  }],
  [
    "/health tells the rate that was set and the one that holds",
    (app) =>
      gives(app, "/health", { configured_rate_limit_per_minute: 0, effective_rate_limit_per_minute: 0 }),
  ],
]);

const health: readonly Claim[] = [{
  section: "Errors",
  world: "public",
  claim: "on a public server a finite rate holds where none was set (told to whoever is known)",
  check: async (app) => {
    await gives(
      app,
      "/health",
      { configured_rate_limit_per_minute: 0, effective_rate_limit_per_minute: 600 },
      bearer,
    );
    assert.equal((await app.get("/health")).text, '{"status":"ok"}');
  },
}];

const browsers = kept("Browsers", "open", [
  ["Host must name this machine", async (app) => {
    for (const host of ["evil.example", "127.0.0.1.nip.io", "localhost.evil.example"]) {
      await refuses(app.get("/roots", { host }), 403, "host-not-allowed");
      await refuses(app.call({ tool: "list_roots" }, { host }), 403, "host-not-allowed");
    }
    for (const host of ["localhost:8787", "127.0.0.1", "[::1]:80"]) {
      assert.equal((await app.get("/roots", { host })).status, 200);
    }
  }],
  ["an Origin must be loopback or listed", async (app) => {
    for (const origin of ["https://evil.example", "null", "http://localhost.evil", "https://claude.ai"]) {
      await refuses(app.get("/roots", { origin }), 403, "origin-not-allowed");
      await refuses(app.call({ tool: "list_roots" }, { origin }), 403, "origin-not-allowed");
    }
    assert.equal((await app.get("/roots", { origin: "http://localhost:5173" })).status, 200);
  }],
  ["no CORS header, and no preflight", async (app) => {
    const headers = { origin: "http://localhost:5173", "access-control-request-method": "GET" };
    for (const target of ["/roots", "/read", "/call"]) {
      const answer = await app.send("OPTIONS", target, { headers });
      assert.equal(answer.status, 405);
      assert.ok(![...answer.headers.keys()].some((name) => name.startsWith("access-control")));
    }
    const answer = await app.get("/roots", headers);
    assert.ok(![...answer.headers.keys()].some((name) => name.startsWith("access-control")));
  }],
]);

const hidden: readonly string[] = [
  ".env .env.local .env.production .envrc token.txt secrets.md credentials.json tokenizer.py tokens.css",
  "id_rsa id_ed25519 .ssh/config .netrc .git-credentials .npmrc .pypirc kubeconfig service-account.json",
  ".aws/credentials .kube/config .docker/config.json .gnupg/pubring.kbx",
  "a.pem a.key a.crt a.p12 a.pfx a.jks a.keystore a.kdbx a.p8 a.der a.csr a.ppk a.asc a.gpg",
  "a.db a.sqlite a.sqlite3 a.bak a.backup runtime/settings.json .git/config venv/x.py .venv/x.py",
  "node_modules/a/readme.md __pycache__/a.txt .cache/x dist/x.js",
].flatMap((line) => line.split(" "));

const exclusions = kept("Excluded paths", "open", [
  ...hidden.map((path) =>
    [`${path} is hidden`, async (app: FilesApp) => {
      await refuses(app.get(`/read?root=notes&path=${path}`), 403, "path-excluded");
    }] as const
  ),
  [
    "logs are readable",
    (app) => gives(app, "/tail?root=notes&path=app.log&last_lines=1", { content: "started\n" }),
  ],
]);

export const claims: readonly Claim[] = [
  ...[...tools, ...safety, ...published, ...running, ...withToken, ...limits],
  ...[...messages, ...errors, ...health, ...browsers, ...exclusions],
];
