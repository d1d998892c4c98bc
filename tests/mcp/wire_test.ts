/** What goes over the wire, byte for byte: pinned, because clients that nobody here runs depend on it. */

import assert from "node:assert/strict";
import { systemClock } from "../../src/core/clock.ts";
import { principal, testEndpoint, testUrl } from "../support/mcp_endpoint.ts";
import { echo, fail, steps, waitTool } from "../support/small_tools.ts";
import { cites } from "../requirements.ts";

const jsonHeaders = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const serverInfo = { name: "silverbridge", title: "silverbridge", version: "0.0.0-test" };
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
};

type Endpoint = ReturnType<typeof testEndpoint>;
type Body = Record<string, unknown>;

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: unknown;
}

async function post(
  endpoint: Endpoint,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await endpoint.fetch(testUrl, {
    method: "POST",
    headers: { ...jsonHeaders, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const type = response.headers.get("content-type");
  return { status: response.status, type, body: type === "application/json" ? JSON.parse(text) : text };
}

async function modern(
  endpoint: Endpoint,
  method: string,
  params: Body = {},
  headers: Record<string, string> = {},
) {
  const named = typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {};
  return await post(endpoint, { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } }, {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...named,
    ...headers,
  });
}

function hello(protocolVersion: string): Body {
  const clientInfo = { name: "wire", version: "1" };
  return {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo },
  };
}

async function withEndpoint(
  options: Parameters<typeof testEndpoint>[0],
  use: (endpoint: Endpoint) => Promise<void>,
) {
  const endpoint = testEndpoint(options);
  try {
    await use(endpoint);
  } finally {
    await endpoint.close();
  }
}

Deno.test("initialize answers each old revision with itself, and any other with the newest old one", async () => {
  const asked = [
    "2025-11-25",
    "2025-06-18",
    "2025-03-26",
    "2024-11-05",
    "2024-10-07",
    "2026-07-28",
    "2099-01-01",
  ];
  const given = [...asked.slice(0, 4), "2025-11-25", "2025-11-25", "2025-11-25"];
  await withEndpoint({ tools: [echo], instructions: async () => "Be kind." }, async (endpoint) => {
    for (const [index, revision] of asked.entries()) {
      assert.deepEqual(await post(endpoint, hello(revision)), {
        status: 200,
        type: "application/json",
        body: {
          jsonrpc: "2.0",
          id: 0,
          result: {
            protocolVersion: given[index],
            capabilities: { tools: {}, prompts: {} },
            serverInfo,
            instructions: "Be kind.",
          },
        },
      }, revision);
    }
  });
});

Deno.test("initialize without a session id header: there are no sessions", async () => {
  await withEndpoint({}, async (endpoint) => {
    const response = await endpoint.fetch(testUrl, {
      method: "POST",
      headers: jsonHeaders,
      body: JSON.stringify(hello("2025-11-25")),
    });
    assert.equal(response.headers.get("mcp-session-id"), null);
    assert.equal(response.headers.get("cache-control"), "no-store");
    await response.body?.cancel();
  });
});

Deno.test("initialize says which parameter will not do", async () => {
  await withEndpoint({}, async (endpoint) => {
    const answer = await post(endpoint, {
      jsonrpc: "2.0",
      id: 3,
      method: "initialize",
      params: { capabilities: {} },
    });
    assert.deepEqual(answer, {
      status: 400,
      type: "application/json",
      body: {
        jsonrpc: "2.0",
        id: 3,
        error: {
          code: -32602,
          message: "`protocolVersion` must be a string",
          data: { error: "invalid-params" },
        },
      },
    });
  });
});

Deno.test("initialize wants each of its parameters in its own form", async () => {
  const good = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "wire", version: "1" },
  };
  const bad: readonly Record<string, unknown>[] = [
    ...[undefined, null, [], "", 5].map((capabilities) => ({ ...good, capabilities })),
    ...[undefined, null, [], "wire", { name: "wire" }, { name: "", version: "1" }, { name: "a", version: 1 }]
      .map(
        (clientInfo) => ({ ...good, clientInfo }),
      ),
    ...[undefined, null, "", 20251125].map((protocolVersion) => ({ ...good, protocolVersion })),
  ];
  await withEndpoint({}, async (endpoint) => {
    const greet = async (params: Record<string, unknown>) => {
      const { status, body } = await post(endpoint, { jsonrpc: "2.0", id: 3, method: "initialize", params });
      return [status, (body as { error?: { code: number } }).error?.code];
    };
    assert.deepEqual(await greet(good), [200, undefined]);
    for (const params of bad) assert.deepEqual(await greet(params), [400, -32602], JSON.stringify(params));
  });
});

Deno.test("the old era works without initialize, with any session id, with any Accept, after any restart", async () => {
  cites("mcp.stateless");
  const call = {
    jsonrpc: "2.0",
    id: 5,
    method: "tools/call",
    params: { name: "echo", arguments: { text: "a" } },
  };
  const headerSets: readonly Record<string, string>[] = [
    {},
    { "mcp-session-id": "from-before-the-restart", "mcp-protocol-version": "2025-06-18" },
    { accept: "application/json" },
    { accept: "*/*" },
    { accept: "" },
    { "mcp-protocol-version": "2024-11-05" },
    { "mcp-protocol-version": " 2025-03-26 " },
  ];
  for (const headers of headerSets) {
    await withEndpoint({ tools: [echo] }, async (endpoint) => {
      assert.deepEqual(await post(endpoint, call, headers), {
        status: 200,
        type: "application/json",
        body: {
          jsonrpc: "2.0",
          id: 5,
          result: {
            content: [{ type: "text", text: '{"text":"a","times":1,"loud":false,"mode":"plain"}' }],
          },
        },
      }, JSON.stringify(headers));
    });
  }
});

Deno.test("the old era refuses a revision that it does not know, by header", async () => {
  await withEndpoint({}, async (endpoint) => {
    for (const revision of ["2024-10-07", "2023-01-01", "latest"]) {
      const headers = { "mcp-protocol-version": revision };
      const answer = await post(endpoint, { jsonrpc: "2.0", id: 1, method: "ping" }, headers);
      assert.deepEqual([answer.status, answer.body], [400, {
        jsonrpc: "2.0",
        id: 1,
        error: {
          code: -32000,
          message:
            "Unsupported protocol version; supported are 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05",
          data: { error: "unsupported-protocol-version" },
        },
      }], revision);
    }
  });
});

Deno.test("ping, unknown methods and notifications of the old era", async () => {
  await withEndpoint({}, async (endpoint) => {
    assert.deepEqual((await post(endpoint, { jsonrpc: "2.0", id: "p", method: "ping" })).body, {
      jsonrpc: "2.0",
      id: "p",
      result: {},
    });
    assert.deepEqual(await post(endpoint, { jsonrpc: "2.0", id: 2, method: "nothing/such" }), {
      status: 200,
      type: "application/json",
      body: { jsonrpc: "2.0", id: 2, error: { code: -32601, message: "Method not found" } },
    });
    for (
      const method of [
        "resources/subscribe",
        "logging/setLevel",
        "prompts/get",
        "resources/list",
        "tasks/list",
      ]
    ) {
      const { body } = await post(endpoint, { jsonrpc: "2.0", id: 2, method, params: {} });
      assert.deepEqual((body as Body)["error"], { code: -32601, message: "Method not found" }, method);
    }
    for (const method of ["notifications/initialized", "notifications/cancelled", "notifications/odd"]) {
      assert.deepEqual(await post(endpoint, { jsonrpc: "2.0", method, params: { requestId: 9 } }), {
        status: 202,
        type: null,
        body: "",
      }, method);
    }
  });
});

Deno.test("no revision declares log messages, and setting their level is a method that does not exist", async () => {
  cites("mcp.conformance");
  await withEndpoint({}, async (endpoint) => {
    const greetings = [
      await post(endpoint, hello("2025-11-25")),
      await post(endpoint, hello("2024-11-05")),
      await modern(endpoint, "server/discover"),
    ];
    for (const { body } of greetings) {
      const { capabilities } = (body as { readonly result: { readonly capabilities: Body } }).result;
      assert.equal("tools" in capabilities, true);
      assert.equal("logging" in capabilities, false);
    }
    const asked = { jsonrpc: "2.0", id: 1, method: "logging/setLevel", params: { level: "debug" } };
    const refusals = [
      await post(endpoint, asked),
      await modern(endpoint, "logging/setLevel", { level: "debug" }),
    ];
    for (const { body } of refusals) {
      assert.equal((body as { readonly error: { readonly code: number } }).error.code, -32601);
    }
  });
});

Deno.test("server/discover tells the revision, what is there, and how to behave", async () => {
  await withEndpoint({ tools: [echo], instructions: async () => "Be kind." }, async (endpoint) => {
    assert.deepEqual(await modern(endpoint, "server/discover"), {
      status: 200,
      type: "application/json",
      body: {
        jsonrpc: "2.0",
        id: 1,
        result: {
          resultType: "complete",
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {}, prompts: {} },
          instructions: "Be kind.",
          ttlMs: 60000,
          cacheScope: "private",
          _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
        },
      },
    });
  });
});

Deno.test("tools/list of the new era may be kept by its caller for a minute and by nobody else", async () => {
  await withEndpoint({ tools: [echo] }, async (endpoint) => {
    const { body } = await modern(endpoint, "tools/list");
    const { result } = body as { result: Body };
    assert.deepEqual([result["ttlMs"], result["cacheScope"], result["resultType"]], [
      60000,
      "private",
      "complete",
    ]);
    assert.deepEqual((result["tools"] as Body[]).map((tool) => tool["name"]), ["echo"]);
  });
});

Deno.test("tools/call of the new era", async () => {
  await withEndpoint({ tools: [echo, fail] }, async (endpoint) => {
    const answer = await modern(endpoint, "tools/call", { name: "echo", arguments: { text: "a" } });
    assert.deepEqual(answer, {
      status: 200,
      type: "application/json",
      body: {
        jsonrpc: "2.0",
        id: 1,
        result: {
          resultType: "complete",
          content: [{ type: "text", text: '{"text":"a","times":1,"loud":false,"mode":"plain"}' }],
          _meta: { "io.modelcontextprotocol/serverInfo": serverInfo },
        },
      },
    });
    const unknown = await modern(endpoint, "tools/call", { name: "ecko", arguments: {} });
    assert.deepEqual([unknown.status, (unknown.body as Body)["error"]], [200, {
      code: -32602,
      message: "Unknown tool: ecko; did you mean echo?",
    }]);
  });
});

Deno.test("the new era refuses what its revision says it must", async () => {
  await withEndpoint({ tools: [echo] }, async (endpoint) => {
    const unknown = await modern(endpoint, "nothing/such");
    assert.deepEqual([unknown.status, (unknown.body as { error: Body }).error["code"]], [404, -32601]);
    const gone = await modern(endpoint, "ping");
    assert.deepEqual([gone.status, (gone.body as { error: Body }).error["code"]], [404, -32601]);
    const cases: readonly (readonly [Record<string, string>, number, number])[] = [
      [{ "mcp-method": "tools/list" }, 400, -32020],
      [{ "mcp-name": "other" }, 400, -32020],
      [{ "mcp-protocol-version": "2025-11-25" }, 400, -32020],
    ];
    for (const [headers, status, code] of cases) {
      const answer = await modern(
        endpoint,
        "tools/call",
        { name: "echo", arguments: { text: "a" } },
        headers,
      );
      assert.deepEqual([answer.status, (answer.body as { error: Body }).error["code"]], [status, code]);
    }
    const params = { _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } };
    const future = await post(endpoint, { jsonrpc: "2.0", id: 1, method: "tools/list", params }, {
      "mcp-protocol-version": "2099-01-01",
      "mcp-method": "tools/list",
    });
    assert.deepEqual([future.status, (future.body as { error: Body }).error], [400, {
      code: -32022,
      message: "Unsupported protocol version: 2099-01-01",
      data: { supported: ["2026-07-28"], requested: "2099-01-01" },
    }]);
    const bare = await post(endpoint, { jsonrpc: "2.0", id: 1, method: "tools/list" }, {
      "mcp-protocol-version": "2026-07-28",
    });
    assert.deepEqual([bare.status, (bare.body as { error: Body }).error["code"]], [400, -32602]);
  });
});

Deno.test("only POST is there", async () => {
  await withEndpoint({}, async (endpoint) => {
    for (const method of ["GET", "DELETE", "PUT", "HEAD", "PATCH", "OPTIONS"]) {
      const response = await endpoint.fetch(testUrl, { method, headers: { accept: "text/event-stream" } });
      assert.deepEqual([response.status, response.headers.get("allow")], [405, "POST"], method);
      await response.body?.cancel();
    }
  });
});

Deno.test("JSON arrays are refused in every revision", async () => {
  await withEndpoint({}, async (endpoint) => {
    for (const revision of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]) {
      const answer = await post(endpoint, [{ jsonrpc: "2.0", id: 1, method: "ping" }], {
        "mcp-protocol-version": revision,
      });
      assert.deepEqual([answer.status, answer.body], [400, {
        jsonrpc: "2.0",
        id: null,
        error: {
          code: -32600,
          message: "The body must be one JSON object",
          data: { error: "json-object-required" },
        },
      }], revision);
    }
  });
});

Deno.test("a wrong content type and a body over the limit are refused before anything is parsed", async () => {
  await withEndpoint({ maxBodyBytes: 200 }, async (endpoint) => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    assert.equal((await post(endpoint, ping, { "content-type": "text/plain" })).status, 415);
    assert.equal((await post(endpoint, { ...ping, params: { pad: "x".repeat(300) } })).status, 413);
  });
});

Deno.test("a stream opens where progress was asked for, and holds the progress and the answer", async () => {
  await withEndpoint({ tools: [steps] }, async (endpoint) => {
    const params = { name: "steps", arguments: {}, _meta: { progressToken: "t" } };
    const old = await post(endpoint, { jsonrpc: "2.0", id: 9, method: "tools/call", params });
    assert.equal(old.type, "text/event-stream");
    const told = [1, 2, 3].map((progress) =>
      `event: message\ndata: ${
        JSON.stringify({
          jsonrpc: "2.0",
          method: "notifications/progress",
          params: { progressToken: "t", progress, total: 3, message: `step ${progress}` },
        })
      }\n\n`
    ).join("");
    assert.ok(String(old.body).startsWith(told), String(old.body));
    assert.match(
      String(old.body).slice(told.length),
      /^event: message\ndata: \{.*"text":"told".*"id":9\}\n\n$/,
    );
    const fresh = await post(endpoint, {
      jsonrpc: "2.0",
      id: 9,
      method: "tools/call",
      params: { ...params, _meta: { ...meta, progressToken: "t" } },
    }, { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "steps" });
    assert.equal(fresh.type, "text/event-stream");
    assert.equal(String(fresh.body).match(/notifications\/progress/g)?.length, 3);
    const silent = await post(endpoint, { jsonrpc: "2.0", id: 9, method: "tools/call", params }, {
      accept: "application/json",
    });
    assert.equal(silent.type, "application/json");
    assert.match(JSON.stringify(silent.body), /silent/);
  });
});

Deno.test("a client that takes only streams gets one", async () => {
  await withEndpoint({ tools: [echo] }, async (endpoint) => {
    const accept = "text/event-stream";
    const old = await post(endpoint, { jsonrpc: "2.0", id: 1, method: "tools/list" }, { accept });
    assert.equal(old.type, "text/event-stream");
    assert.match(String(old.body), /^event: message\ndata: \{.*"name":"echo".*\}\n\n$/);
    assert.equal((await modern(endpoint, "tools/list", {}, { accept })).type, "text/event-stream");
  });
});

for (const era of ["old", "new"] as const) {
  Deno.test(`a caller of the ${era} era that hangs up stops the handler, as a stream and as JSON`, async () => {
    for (const progressToken of [undefined, "t"]) {
      const running = Promise.withResolvers<AbortSignal>();
      await withEndpoint({ tools: [waitTool(running.resolve)] }, async (endpoint) => {
        const control = new AbortController();
        const claims = era === "new" ? meta : {};
        const _meta = { ...claims, ...(progressToken === undefined ? {} : { progressToken }) };
        const params = { name: "wait", arguments: {}, _meta };
        const named = {
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "wait",
        };
        const pending = endpoint.fetch(testUrl, {
          method: "POST",
          headers: { ...jsonHeaders, ...(era === "new" ? named : {}) },
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
          signal: control.signal,
        });
        const signal = await running.promise;
        const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        control.abort();
        await stopped;
        const response = await pending;
        await response.body?.cancel();
      });
    }
  });
}

Deno.test("a caller that stops reading its stream stops the handler", async () => {
  cites("mcp.cancel");
  for (const era of ["old", "new"]) {
    const running = Promise.withResolvers<AbortSignal>();
    await withEndpoint({ tools: [waitTool(running.resolve)] }, async (endpoint) => {
      const params = {
        name: "wait",
        arguments: {},
        _meta: { ...(era === "new" ? meta : {}), progressToken: 1 },
      };
      const named = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "wait" };
      const response = await endpoint.fetch(testUrl, {
        method: "POST",
        headers: { ...jsonHeaders, ...(era === "new" ? named : {}) },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      const signal = await running.promise;
      await response.body?.cancel();
      assert.equal(signal.aborted, true, era);
    });
  }
});

Deno.test("the old era says in plain words which parameter will not do", async () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ["tools/call", {}, "`name` must be a string"],
    ["tools/call", { name: 5 }, "`name` must be a string"],
    ["tools/call", { name: "echo", arguments: [] }, "`arguments` must be an object"],
    ["tools/call", { name: "echo", arguments: "{}" }, "`arguments` must be an object"],
    ["resources/read", {}, "`uri` must be a string"],
    ["completion/complete", { ref: {} }, "`ref` and `argument` must be objects"],
    ["completion/complete", { ref: {}, argument: { name: "a" } }, "`argument` needs `name` and `value`"],
    [
      "completion/complete",
      { ref: { type: "x" }, argument: { name: "name", value: "a" } },
      "`ref` must name a prompt or the address of a resource",
    ],
    ["tools/list", { cursor: 5 }, "`cursor` must be a string"],
    ["resources/list", { cursor: {} }, "`cursor` must be a string"],
  ];
  await withEndpoint({ tools: [echo] }, async (endpoint) => {
    for (const [method, params, message] of cases) {
      const error = { code: -32602, message, data: { error: "invalid-params" } };
      const old = await post(endpoint, { jsonrpc: "2.0", id: 1, method, params });
      assert.deepEqual([old.status, (old.body as Body)["error"]], [200, error], JSON.stringify(params));
      if (method === "tools/call" || method === "resources/read") continue; // The header repeats what is missing.
      const answer = await modern(endpoint, method, params as Body);
      assert.deepEqual([answer.status, (answer.body as Body)["error"]], [200, error], JSON.stringify(params));
    }
    for (const given of [[], "{}"]) {
      const answer = await modern(endpoint, "tools/call", { name: "echo", arguments: given });
      assert.equal(((answer.body as Body)["error"] as Body)["message"], "`arguments` must be an object");
    }
  });
});

Deno.test("null where something may be left out is the same as leaving it out, in both eras", async () => {
  const cases: readonly (readonly [string, Body])[] = [
    ["ping", {}],
    ["tools/list", { cursor: null }],
    ["resources/list", { cursor: null }],
    ["resources/templates/list", { cursor: null }],
    ["prompts/list", { cursor: null }],
    ["tools/call", { name: "echo", arguments: null, task: null }],
    ["completion/complete", {
      ref: { type: "ref/resource", uri: "silverbullet://page/{+name}{?format}" },
      argument: { name: "name", value: "a" },
      context: null,
    }],
  ];
  await withEndpoint({ tools: [echo] }, async (endpoint) => {
    for (const [method, params] of cases) {
      const bare = Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
      const wanted = await post(endpoint, { jsonrpc: "2.0", id: 1, method, params: bare });
      const old = await post(endpoint, { jsonrpc: "2.0", id: 1, method, params });
      assert.deepEqual(old, wanted, method);
      assert.deepEqual(await modern(endpoint, method, params), await modern(endpoint, method, bare), method);
    }
    const empty = await post(endpoint, { jsonrpc: "2.0", id: 1, method: "tools/list", params: null });
    assert.ok(((empty.body as Body)["result"] as { tools: unknown[] }).tools.length > 0);
    const greeting = hello("2025-06-18");
    const { clientInfo } = greeting["params"] as Body;
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: { roots: null, sampling: null, experimental: { a: null } },
      clientInfo: { ...clientInfo as Body, title: null, websiteUrl: null, icons: null },
    };
    assert.deepEqual(await post(endpoint, { ...greeting, params }), await post(endpoint, greeting));
  });
});

Deno.test("no answer carries the library's own words about its schemas", async () => {
  const named = { name: "echo", arguments: {} };
  const info = { name: "wire", version: "1" };
  const greeting = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info };
  const cases: readonly (readonly [string, Body])[] = [
    ["tools/call", { ...named, task: 5 }],
    ["tools/call", { ...named, task: { ttl: "x" } }],
    ["completion/complete", {
      ref: { type: "ref/resource", uri: "silverbullet://page/{+name}{?format}" },
      argument: { name: "name", value: "a" },
      context: { arguments: 5 },
    }],
    ["initialize", { ...greeting, capabilities: { roots: 5, sampling: "x" } }],
    ["initialize", { ...greeting, clientInfo: { ...info, title: 5, icons: 5, websiteUrl: {} } }],
  ];
  await withEndpoint({ tools: [echo] }, async (endpoint) => {
    for (const [method, params] of cases) {
      const answer = await post(endpoint, { jsonrpc: "2.0", id: 1, method, params });
      const texts = JSON.stringify([answer, await modern(endpoint, method, params)]);
      assert.doesNotMatch(texts, /invalid_(?:type|union|value)|\\"expected/);
      if (method !== "completion/complete") assert.ok(Object.hasOwn(answer.body as Body, "result"), texts);
    }
  });
});

Deno.test("notifications/cancelled ends the call it names, which still gets an answer", async () => {
  const running = Promise.withResolvers<AbortSignal>();
  await withEndpoint({ tools: [waitTool(running.resolve)], userAgent: "a/1" }, async (endpoint) => {
    const call = { jsonrpc: "2.0", id: 77, method: "tools/call", params: { name: "wait", arguments: {} } };
    const pending = post(endpoint, call);
    const signal = await running.promise;
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 77 } };
    await post(endpoint, { ...cancel, params: { requestId: 78 } });
    await post(endpoint, cancel, { "mcp-session-id": "other" });
    assert.equal(signal.aborted, false);
    assert.equal((await post(endpoint, cancel)).status, 202);
    const { status, body } = await pending;
    assert.equal(status, 200);
    assert.match(JSON.stringify(body), /was cancelled by the client/);
  });
});

Deno.test("close() ends what still runs and refuses nothing that it must answer", async () => {
  const running = Promise.withResolvers<AbortSignal>();
  const endpoint = testEndpoint({ tools: [waitTool(running.resolve)] });
  const params = { name: "wait", arguments: {}, _meta: { progressToken: 1 } };
  const pending = post(endpoint, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const signal = await running.promise;
  await endpoint.close();
  assert.equal(signal.aborted, true);
  await pending;
  for (const call of [post(endpoint, hello("2025-11-25")), modern(endpoint, "tools/list")]) {
    const { status, body } = await call;
    assert.equal(status, 503);
    assert.equal((body as { error: { data: Body } }).error.data["error"], "stopping");
  }
});

Deno.test("a handshake does not wait for the operator's text when that is slow", async () => {
  const slept: number[] = [];
  const clock = {
    ...systemClock,
    sleep: (ms: number) => {
      slept.push(ms);
      return ms === 3_000 ? Promise.resolve() : new Promise<void>(() => {});
    },
  };
  const asked = Promise.withResolvers<AbortSignal>();
  const instructions = (signal: AbortSignal) => {
    asked.resolve(signal);
    return new Promise<string>(() => {});
  };
  const endpoint = testEndpoint({ tools: [echo], clock, instructions });
  const answer = await post(endpoint, hello("2025-11-25"));
  assert.equal(answer.status, 200);
  assert.deepEqual(slept, [3_000]);
  assert.equal((await asked.promise).aborted, true);
  assert.ok(endpoint.logged.some((line) => line.includes("instructions_unreadable")));
});

Deno.test("a subscription that can tell nothing is acknowledged and ended", async () => {
  await withEndpoint({}, async (endpoint) => {
    const answer = await modern(endpoint, "subscriptions/listen", {
      notifications: { toolsListChanged: true },
    });
    assert.equal(answer.type, "text/event-stream");
    assert.match(String(answer.body), /subscriptions\/acknowledged.*"resultType":"complete"/s);
  });
});

Deno.test("a fault inside is an incident and nothing else, for the handshake too", async () => {
  const instructions = () => Promise.reject(new Error("secret-token"));
  await withEndpoint({ tools: [echo], instructions }, async (endpoint) => {
    const answer = await post(endpoint, hello("2025-11-25"));
    assert.equal(answer.status, 200);
    assert.ok(endpoint.logged.some((line) => line.includes("instructions_failed")));
  });
  const broken = principal();
  const rights = {
    ...broken.rights,
    allowsSomewhere: () => {
      throw new Error("secret-token");
    },
  };
  await withEndpoint({ tools: [fail], principal: { ...broken, rights } }, async (endpoint) => {
    for (
      const send of [
        () => post(endpoint, { jsonrpc: "2.0", id: 1, method: "tools/list" }),
        () => modern(endpoint, "tools/list"),
      ]
    ) {
      const answer = await send();
      assert.ok(!JSON.stringify([answer, endpoint.logged]).includes("secret-token"), JSON.stringify(answer));
      assert.equal((answer.body as { error: Body }).error["code"], -32603);
    }
  });
});

Deno.test("a request whose id or metadata the library cannot take is refused, never left unanswered", async () => {
  await withEndpoint({}, async (endpoint) => {
    const ids = ["9007199254740993", "-9007199254740993", "1e20"];
    const metas = ["[]", "5", '{"progressToken":{}}', '{"progressToken":1.5}', '{"progressToken":1e20}'];
    metas.push('{"io.modelcontextprotocol/related-task":5}');
    const bodies = [
      ...ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`),
      ...metas.map((each) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":${each}}}`),
    ];
    for (const body of bodies) {
      const over = new AbortController();
      const late = systemClock.sleep(2000, over.signal).then(() => null, () => null);
      const answer = await Promise.race([post(endpoint, body), late]);
      over.abort();
      assert.equal(answer?.status, 400, body);
    }
    const empty = await post(endpoint, '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":null}}');
    assert.deepEqual(empty.body, { jsonrpc: "2.0", id: 1, result: {} });
  });
});
