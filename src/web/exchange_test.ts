import assert from "node:assert/strict";
import { handExchange } from "../../tests/support/exchange.ts";
import { declaredLength, exchangeOfRequest, joinChunks, toRequest } from "./exchange.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("toRequest() is built from our own origin and the target as sent, never from Host", async () => {
  const exchange = handExchange({
    method: "POST",
    target: "/mcp?q=a%20b",
    headers: { host: "evil.com", "x-a": "1" },
  });
  const request = toRequest(exchange, { origin: "https://notes.example.org", body: bytes("hello") });
  assert.equal(request.url, "https://notes.example.org/mcp?q=a%20b");
  assert.equal(request.headers.get("x-a"), "1");
  assert.equal(await request.text(), "hello");
});

Deno.test("toRequest() gives GET no body", () => {
  const request = toRequest(handExchange({ method: "GET" }), { origin: "http://a", body: bytes("x") });
  assert.equal(request.body, null);
});

Deno.test("exchangeOfRequest() reads a body up to the limit and no further", async () => {
  const read = async (limit: number, headers: Record<string, string> = {}) => {
    const request = new Request("http://a/x?y=1", { method: "POST", body: "12345", headers });
    const exchange = exchangeOfRequest(request, { peer: { address: "::ffff:127.0.0.1" }, id: "i" });
    assert.deepEqual([exchange.path, exchange.query, exchange.peer.address], ["/x", "y=1", "127.0.0.1"]);
    const result = await exchange.readBody(limit);
    return result.kind === "bytes" ? new TextDecoder().decode(result.bytes) : result.kind;
  };
  assert.equal(await read(5), "12345");
  assert.equal(await read(4), "too-large");
  assert.equal(await read(5, { "content-length": "abc" }), "bad-length");
  assert.equal(await read(5, { "content-length": "6" }), "too-large");
});

Deno.test("exchangeOfRequest() of a request without a body reads none", async () => {
  const exchange = exchangeOfRequest(new Request("http://a/"), { peer: { address: "" }, id: "i" });
  assert.deepEqual(await exchange.readBody(10), { kind: "bytes", bytes: new Uint8Array(0) });
});

Deno.test("declaredLength() takes digits alone", () => {
  for (const [value, length] of [[null, null], ["0", 0], ["17", 17]] as const) {
    assert.equal(declaredLength(value), length);
  }
  for (const value of ["", " 1", "1 ", "+1", "-1", "1,1", "0x1", "1.0", "9".repeat(16)]) {
    assert.equal(declaredLength(value), "malformed", JSON.stringify(value));
  }
});

Deno.test("joinChunks() keeps order and every byte", () => {
  assert.deepEqual(joinChunks([bytes("ab"), bytes(""), bytes("c")], 3), bytes("abc"));
});
