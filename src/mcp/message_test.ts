import assert from "node:assert/strict";
import { readMessage } from "./message.ts";

const json = { "content-type": "application/json" };

async function read(body: BodyInit, headers: Record<string, string> = json, maxBytes = 1000) {
  const answer = await readMessage(new Request("http://x/mcp", { method: "POST", headers, body }), maxBytes);
  if (!(answer instanceof Response)) return answer;
  const { error, id } = await answer.json();
  return { status: answer.status, code: error.code, word: error.data.error, id };
}

Deno.test("readMessage() takes requests and notifications, and drops what JSON-RPC does not know", async () => {
  assert.deepEqual(await read('{"jsonrpc":"2.0","id":1,"method":"ping","extra":1}'), {
    jsonrpc: "2.0",
    id: 1,
    method: "ping",
  });
  assert.deepEqual(await read('{"jsonrpc":"2.0","method":"notifications/initialized","params":{"a":1}}'), {
    jsonrpc: "2.0",
    method: "notifications/initialized",
    params: { a: 1 },
  });
  assert.deepEqual(await read('{"jsonrpc":"2.0","id":"","method":"x"}'), {
    jsonrpc: "2.0",
    id: "",
    method: "x",
  });
});

Deno.test("readMessage() refuses metadata that the library would leave unanswered, and drops empty one", async () => {
  const message = (meta: string) => `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":1,"_meta":${meta}}}`;
  const task = '"io.modelcontextprotocol/related-task"';
  const bad = ["[]", '"x"', "5", "false", `{${task}:5}`, `{${task}:{"taskId":5}}`];
  for (const token of ["{}", "[]", "true", "1.5", "9007199254740993"]) bad.push(`{"progressToken":${token}}`);
  for (const meta of bad) {
    const refused = { status: 400, code: -32600, word: "invalid-request", id: 1 };
    assert.deepEqual(await read(message(meta)), refused, meta);
  }
  const plain = { jsonrpc: "2.0", id: 1, method: "x" };
  assert.deepEqual(await read(message("null")), { ...plain, params: { a: 1 } });
  assert.deepEqual(await read(message('{"progressToken":null,"b":2}')), {
    ...plain,
    params: { a: 1, _meta: { b: 2 } },
  });
  assert.deepEqual(await read(message(`{${task}:null}`)), { ...plain, params: { a: 1, _meta: {} } });
  const good = { progressToken: "t", "io.modelcontextprotocol/related-task": { taskId: "7" } };
  assert.deepEqual(await read(message(JSON.stringify(good))), { ...plain, params: { a: 1, _meta: good } });
});

Deno.test("readMessage() takes null for what was left out, but in the arguments of a tool and in depth", async () => {
  const message = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"x","params":${params}}`;
  const plain = { jsonrpc: "2.0", id: 1, method: "x" };
  assert.deepEqual(await read(message("null")), plain);
  assert.deepEqual(await read(message('{"cursor":null,"a":{"b":null,"c":[null]},"arguments":null}')), {
    ...plain,
    params: { a: { c: [null] } },
  });
  assert.deepEqual(await read(message('{"arguments":{"a":null},"__proto__":{"b":null}}')), {
    ...plain,
    params: Object.fromEntries([["arguments", { a: null }], ["__proto__", {}]]),
  });
  const deep = `{"a":${'{"a":'.repeat(300)}null${"}".repeat(300)}}`;
  assert.ok(!("status" in await read(message(deep), json, 10_000)));
});

Deno.test("readMessage() refuses whatever is not one well-formed message", async () => {
  const cases: readonly (readonly [string, number, number, string, unknown])[] = [
    ["", 400, -32700, "invalid-json", null],
    ["{", 400, -32700, "invalid-json", null],
    ["NaN", 400, -32700, "invalid-json", null],
    ['\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}', 400, -32700, "invalid-json", null],
    ['{"jsonrpc":"2.0","id":1,"method":"x","params":{"t":"\\ud800"}}', 400, -32700, "invalid-json", null],
    ['{"jsonrpc":"2.0","id":1,"method":"x","params":{"\\uDC00":1}}', 400, -32700, "invalid-json", null],
    ["[]", 400, -32600, "json-object-required", null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600, "json-object-required", null],
    ['"x"', 400, -32600, "json-object-required", null],
    ["null", 400, -32600, "json-object-required", null],
    ["{}", 400, -32600, "invalid-request", null],
    ['{"jsonrpc":"2.0","id":7}', 400, -32600, "invalid-request", 7],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', 400, -32600, "unexpected-json-rpc-response", null],
    ['{"jsonrpc":"2.0","id":1,"error":{}}', 400, -32600, "unexpected-json-rpc-response", null],
    ['{"jsonrpc":"1.0","id":1,"method":"x"}', 400, -32600, "invalid-request", 1],
    ['{"id":1,"method":"x"}', 400, -32600, "invalid-request", 1],
    ['{"jsonrpc":"2.0","id":null,"method":"x"}', 400, -32600, "invalid-request", null],
    ['{"jsonrpc":"2.0","id":1.5,"method":"x"}', 400, -32600, "invalid-request", null],
    ['{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}', 400, -32600, "invalid-request", null],
    ['{"jsonrpc":"2.0","id":1e20,"method":"x"}', 400, -32600, "invalid-request", null],
    ['{"jsonrpc":"2.0","id":true,"method":"x"}', 400, -32600, "invalid-request", null],
    ['{"jsonrpc":"2.0","id":{},"method":"x"}', 400, -32600, "invalid-request", null],
    ['{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}', 400, -32600, "invalid-request", 1],
    ['{"jsonrpc":"2.0","id":1,"method":"notifications/initialized"}', 400, -32600, "invalid-request", 1],
  ];
  for (const [body, status, code, word, id] of cases) {
    assert.deepEqual(await read(body), { status, code, word, id }, body);
  }
});

Deno.test("readMessage() refuses bytes that are no UTF-8", async () => {
  const bytes = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"method":"xx"}');
  bytes[bytes.length - 3] = 0xff;
  assert.deepEqual(await read(bytes), { status: 400, code: -32700, word: "invalid-json", id: null });
});

Deno.test("readMessage() keeps every other string as it is", async () => {
  const text = "🙂 \u2028 \u0000 \\ud800 \ud83d\ude42 é";
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x", params: { text, more: "\\\\ud83d" } });
  const message = await read(body);
  assert.deepEqual("params" in message && message.params, { text, more: "\\\\ud83d" });
  const escaped = '{"jsonrpc":"2.0","id":1,"method":"x","params":{"t":"\\ud83d\\ude42 \\\\ud800"}}';
  const second = await read(escaped);
  assert.deepEqual("params" in second && second.params, { t: "🙂 \\ud800" });
});

Deno.test("readMessage() survives nesting that no walker could", async () => {
  const depth = 200_000;
  const body = `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${"[".repeat(depth)}${
    "]".repeat(depth)
  }}}`;
  const message = await read(body, json, 1_000_000);
  assert.ok("method" in message || message.status === 400);
  const half = body.replace('"x"', '"x\\ud800"');
  const refused = await read(half, json, 1_000_000);
  assert.equal("status" in refused && refused.status, 400);
});

Deno.test("readMessage() stops at the limit, declared or not", async () => {
  const over = { status: 413, code: -32000, word: "request-body-too-large", id: null };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x".repeat(1000) });
  assert.deepEqual(await read(body, { ...json, "content-length": String(body.length) }), over);
  assert.deepEqual(await read(body, { ...json, "content-length": "10" }), over);
  assert.deepEqual(await read(body, { ...json, "content-length": "ten" }), over);
  assert.deepEqual(await read(body), over);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 100;
      controller.enqueue(new Uint8Array(100).fill(32));
    },
  });
  assert.deepEqual(await read(endless), over);
  assert.ok(sent < 5000, `${sent} bytes were asked for`);
});

Deno.test("readMessage() wants JSON by name, in any spelling of it", async () => {
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  for (
    const type of ["application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"']
  ) {
    assert.ok("method" in await read(body, { "content-type": type }), type);
  }
  const wrong = { status: 415, code: -32000, word: "unsupported-media-type", id: null };
  for (const type of ["text/plain", "application/jsonp", "application/json; charset=utf-16", "text/json"]) {
    assert.deepEqual(await read(body, { "content-type": type }), wrong, type);
  }
  assert.deepEqual(await read(new TextEncoder().encode(body), {}), wrong);
});
