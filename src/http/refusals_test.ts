import assert from "node:assert/strict";
import { refusalTable, refuse } from "./refusals.ts";

Deno.test("refusals of a wrong address say where MCP clients belong, since clients show those words", async () => {
  assert.deepEqual(await refuse("not-found").json(), {
    error: "not-found",
    message: "There is nothing at this address; the one for MCP clients ends in /mcp",
  });
  const wrongMethod = refuse("method-not-allowed", { headers: { allow: "GET" } });
  assert.equal(wrongMethod.sentence, "This address does not know that method");
  assert.equal(wrongMethod.headers.get("allow"), "GET");
  assert.match((await wrongMethod.json()).message, /; the one for MCP clients ends in \/mcp and takes POST$/);
});

Deno.test("a client that tries to sign in where nobody does is told to send the token", async () => {
  const refusal = refuse("no-sign-in");
  assert.equal(refusal.status, 404);
  assert.match((await refusal.json()).message, /do not sign in .* `Authorization: Bearer …`$/);
});

Deno.test("refusalTable() has every sentence as callers see it, without a full stop", async () => {
  for (const [code, { message }] of refusalTable()) {
    assert.match(message, /^[A-Z].*[^.]$/, code);
  }
  const rows = new Map(refusalTable());
  assert.equal(rows.get("not-found")?.message, (await refuse("not-found").json()).message);
});
