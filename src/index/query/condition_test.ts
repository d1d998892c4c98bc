import assert from "node:assert/strict";
import { fits, parseCondition, parseConditions, propertyForms } from "./condition.ts";

function isFit(condition: string, ...values: string[]): boolean {
  const parsed = parseCondition(condition);
  assert.ok(parsed !== null, condition);
  return fits(parsed, values.map(propertyForms));
}

Deno.test("conditions compare text without case, numbers as numbers, dates as far as both go", () => {
  const holding: [string, ...string[]][] = [
    ["status=done", "Done"],
    ["status=done", "open", "done"],
    ["status!=done", "open"],
    ["status!=done"],
    ["rating>4", "10"],
    ["rating>=4", "4.0"],
    ["rating=4", "4.0"],
    ["due<2026-12", "2026-11-30"],
    ["due<=2026-11", "2026-11-30"],
    ["due=2026-11", "2026-11-30"],
    ["due>2026-11-30T10:00", "2026-11-30T12:30"],
    ["due<2027", "2026-11-30"],
    ["name<n", "Mara"],
    ["status", ""],
  ];
  for (const [condition, ...values] of holding) {
    assert.ok(isFit(condition, ...values), `${condition} on ${values}`);
  }
  const failing: [string, ...string[]][] = [
    ["status=done", "open"],
    ["status=done"],
    ["status!=done", "open", "done"],
    ["rating>4", "4"],
    ["rating>4", "many"],
    ["due<2026-11", "2026-11-30"],
    ["due<2026-12-01", "soon"],
    ["status"],
  ];
  for (const [condition, ...values] of failing) {
    assert.ok(!isFit(condition, ...values), `${condition} on ${values}`);
  }
});

Deno.test("parseConditions() parts several, or says which cannot be read", () => {
  assert.deepEqual(parseConditions('status = open, due<2026-12-01 and title="a b"; tagged'), [
    { key: "status", operator: "=", value: "open" },
    { key: "due", operator: "<", value: "2026-12-01" },
    { key: "title", operator: "=", value: "a b" },
    { key: "tagged", operator: "exists", value: "" },
  ]);
  assert.deepEqual(parseConditions("  "), []);
  assert.deepEqual(parseConditions("status=open 7up"), { unreadable: "7up" });
});

Deno.test("parseConditions() reads no megabytes of conditions", () => {
  const where = "a=b,".repeat(900_000);
  const started = performance.now();
  assert("unreadable" in parseConditions(where));
  assert(performance.now() - started < 500);
  assert.equal((parseConditions("a=b,".repeat(500)) as readonly unknown[]).length, 500);
});
