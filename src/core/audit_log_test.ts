import assert from "node:assert/strict";
import type { AuditEvent } from "./audit.ts";
import { createAuditLog } from "./audit_log.ts";
import type { LogFields } from "./log.ts";

function logged(event: Partial<AuditEvent>): LogFields {
  const lines: LogFields[] = [];
  const logger = {
    log: (_level: string, _event: string, fields: LogFields = {}) => void lines.push(fields),
    incident: () => "",
  };
  createAuditLog(logger)({
    action: "create",
    tool: "create_page",
    principal: "token:a",
    requestId: "r1",
    outcome: "ok",
    ...event,
  });
  return lines[0] ?? {};
}

Deno.test("audit line of a change names action and page as older log readers expect, with both hashes", () => {
  const line = logged({ page: "Projects/Alpha", before: null, after: "abc", client: "Claude" });
  assert.equal(line["text"], '[WRITE] action=create page="Projects/Alpha"');
  assert.equal(line["client"], "token:a");
  assert.equal(line["agent"], "Claude");
  assert.deepEqual([line["before"], line["after"]], [null, "abc"]);
});

Deno.test("audit line of a refusal names tool and code", () => {
  assert.equal(logged({ outcome: "conflict", page: "A" })["text"], "[ERROR] tool=create_page code=conflict");
});

Deno.test("audit line keeps a page name on its line, whatever it contains", () => {
  assert.equal(
    logged({ page: 'a"b\n[WRITE] action=forged' })["text"],
    '[WRITE] action=create page="a\\"b\\n[WRITE] action=forged"',
  );
});

Deno.test("audit line of a refusal keeps little of what was taken for a page name", () => {
  const line = logged({ outcome: "invalid_path", page: `${"x".repeat(199)}😀 and a whole page` });
  assert.equal(line["page"], `${"x".repeat(199)}\ufffd`);
  assert.equal(logged({ page: "x".repeat(255) })["page"], "x".repeat(255));
});
