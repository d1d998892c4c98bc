import assert from "node:assert/strict";
import { callerInfo, initializeProblem, isModern, progressTokenOf, wantsStream } from "./head.ts";
import type { RpcMessage } from "./message.ts";

function message(meta?: unknown, method = "tools/call"): RpcMessage {
  return { jsonrpc: "2.0", id: 1, method, params: meta === undefined ? {} : { _meta: meta } };
}

function request(headers: Record<string, string> = {}): Request {
  return new Request("http://x/mcp", { method: "POST", headers });
}

const claim = { "io.modelcontextprotocol/protocolVersion": "2026-07-28" };

Deno.test("isModern() goes by the claim in the body, or by a header that names a later revision", () => {
  assert.equal(isModern(request(), message(claim)), true);
  assert.equal(isModern(request(), message({ "io.modelcontextprotocol/protocolVersion": 5 })), true);
  assert.equal(isModern(request({ "mcp-protocol-version": " 2026-07-28 " }), message()), true);
  assert.equal(isModern(request({ "mcp-protocol-version": "2027-01-01" }), message()), true);
  for (const header of ["2025-11-25", "2024-11-05", "zzz", ""]) {
    assert.equal(isModern(request({ "mcp-protocol-version": header }), message()), false, header);
  }
  assert.equal(isModern(request(), message({ progressToken: 1 })), false);
  assert.equal(isModern(request(), message(["io.modelcontextprotocol/protocolVersion"])), false);
});

Deno.test("callerInfo() takes the client's own name where the request carries it", () => {
  const info = { "io.modelcontextprotocol/clientInfo": { name: "codex", version: "1" } };
  assert.deepEqual(callerInfo("ua/1", message(info)), { client: "codex", userAgent: "ua/1" });
  assert.deepEqual(callerInfo("ua/1", message()), { client: "ua/1", userAgent: "ua/1" });
  const cut = "u".repeat(100);
  assert.deepEqual(callerInfo("u".repeat(9000), message()), { client: cut, userAgent: cut });
  assert.deepEqual(callerInfo(null, message()), { client: null, userAgent: null });
  assert.deepEqual(callerInfo(null, message({ "io.modelcontextprotocol/clientInfo": { name: 5 } })), {
    client: null,
    userAgent: null,
  });
  const hello = { ...message(undefined, "initialize"), params: { clientInfo: { name: "x".repeat(500) } } };
  assert.equal(callerInfo(null, hello).client?.length, 100);
});

Deno.test("wantsStream() needs a client that can take one, and a reason", () => {
  const token = message({ progressToken: 0 });
  const both = "application/json, text/event-stream";
  const cases: readonly (readonly [string, RpcMessage, boolean])[] = [
    [both, token, true],
    [both, message(), false],
    ["text/event-stream", message(), true],
    ["application/json", token, false],
    ["*/*", token, false],
    ["*/*, text/event-stream", message(), false],
    ["application/*, text/event-stream", message(), false],
  ];
  for (const [accept, sent, wanted] of cases) {
    assert.equal(wantsStream(request({ accept }), sent), wanted, accept);
  }
  assert.equal(wantsStream(request(), token), false);
});

Deno.test("progressTokenOf() takes strings and numbers, zero and the empty string included", () => {
  assert.equal(progressTokenOf(message({ progressToken: 0 })), 0);
  assert.equal(progressTokenOf(message({ progressToken: "" })), "");
  for (const token of [null, true, {}, [1]]) {
    assert.equal(progressTokenOf(message({ progressToken: token })), null);
  }
});

Deno.test("initializeProblem() names what is missing", () => {
  const good = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "a", version: "1" },
  };
  assert.equal(initializeProblem(good), null);
  assert.match(initializeProblem(undefined) ?? "", /needs parameters/);
  assert.match(initializeProblem({ ...good, protocolVersion: 5 }) ?? "", /protocolVersion/);
  assert.match(initializeProblem({ ...good, protocolVersion: "" }) ?? "", /protocolVersion/);
  assert.match(initializeProblem({ ...good, capabilities: [] }) ?? "", /capabilities/);
  assert.match(initializeProblem({ ...good, clientInfo: { name: "a" } }) ?? "", /clientInfo/);
});
