import assert from "node:assert/strict";
import { principal } from "../../tests/support/mcp_endpoint.ts";
import { auditEvent } from "./audit_event.ts";

function pageOf(input: Readonly<Record<string, unknown>>): string | undefined {
  const caller = { client: null };
  const request = { principal: principal(), caller, requestId: "r1" };
  return auditEvent({ tool: "write_page", request, outcome: "forbidden_path", input }).page;
}

Deno.test("auditEvent() names a page in one form, however the caller spelt it", () => {
  assert.equal(pageOf({ page: "Projects/Alpha" }), "Projects/Alpha.md");
  assert.equal(pageOf({ page: "Projects/Alpha.md" }), "Projects/Alpha.md");
  assert.equal(pageOf({ from: "Projects/Alpha", to: "B" }), "Projects/Alpha.md");
  assert.equal(pageOf({ page: "img/a.png" }), "img/a.png");
  assert.equal(pageOf({ page: "../a" }), "../a", "what is no name stays as it came");
  assert.equal(pageOf({ page: 7 }), undefined);
  assert.equal(pageOf({}), undefined);
});
