import assert from "node:assert/strict";
import { coerceArguments } from "./coerce.ts";
import type { JsonSchema } from "./definitions.ts";

const properties: Record<string, JsonSchema> = {
  page: { type: "string" },
  content: { type: "string" },
  if_match: { type: "string" },
  limit: { type: "integer" },
  ratio: { type: "number" },
  dry_run: { type: "boolean" },
  remove: { type: "array", items: { type: "string" } },
  lines: { type: "array", items: { type: "integer" } },
  set: { type: "object" },
};

const synonyms = { name: "page", path: "page", expected_last_modified: "if_match", gone: "nothing" };

function values(given: Record<string, unknown>) {
  return coerceArguments(given, { properties, synonyms }).values;
}

Deno.test("coerceArguments() reads numbers, booleans, lists and objects out of strings where the schema asks", () => {
  const cases: readonly (readonly [string, unknown, unknown])[] = [
    ["limit", "5", 5],
    ["limit", " -7 ", -7],
    ["limit", "5.0", 5],
    ["ratio", "+0.25", 0.25],
    ["dry_run", "true", true],
    ["dry_run", " False ", false],
    ["remove", '["a","b"]', ["a", "b"]],
    ["remove", "[]", []],
    ["lines", '["1",2]', [1, 2]],
    ["lines", ["3", 4], [3, 4]],
    ["set", '{"status":"done"}', { status: "done" }],
  ];
  for (const [name, given, wanted] of cases) assert.deepEqual(values({ [name]: given })[name], wanted, name);
});

Deno.test("coerceArguments() leaves alone what has no single reading", () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ["limit", "five"],
    ["limit", ""],
    ["limit", "0x10"],
    ["limit", "1e400"],
    ["limit", "9".repeat(40)],
    ["limit", true],
    ["dry_run", "yes"],
    ["dry_run", 1],
    ["remove", "a"],
    ["remove", '{"a":1}'],
    ["set", "[1]"],
    ["set", "status: done"],
    ["page", 5],
    ["page", true],
    ["page", ["A"]],
  ];
  for (const [name, given] of cases) assert.deepEqual(values({ [name]: given })[name], given, String(given));
});

Deno.test("coerceArguments() never turns text that looks like JSON into something else", () => {
  for (const text of ["5", "true", '["a"]', "null", '{"a":1}', ""]) {
    assert.equal(values({ content: text })["content"], text);
  }
});

Deno.test("coerceArguments() takes a time as version when it comes as a number", () => {
  assert.equal(values({ if_match: 1_722_500_000_000 })["if_match"], "1722500000000");
  assert.equal(values({ expected_last_modified: 1_722_500_000_000 })["if_match"], "1722500000000");
});

Deno.test("coerceArguments() takes null as not given, and names of other servers for its own", () => {
  assert.deepEqual(values({ page: "A", limit: null }), { page: "A" });
  assert.deepEqual(values({ name: "A", path: null }), { page: "A" });
  assert.deepEqual(values({ page: null, name: "A" }), { page: "A" });
});

Deno.test("coerceArguments() reports a synonym beside its own name, unless both say the same", () => {
  const told = coerceArguments({ page: "A", name: "B" }, { properties, synonyms });
  assert.deepEqual(told.values, { page: "A" });
  assert.deepEqual(told.doubled, [{ given: "name", own: "page" }]);
  assert.deepEqual(coerceArguments({ page: "A", name: "A" }, { properties, synonyms }).doubled, []);
});

Deno.test("coerceArguments() reports what the tool does not take, prototype names included", () => {
  const given: unknown = JSON.parse('{"page":"A","__proto__":{"limit":9},"constructor":1,"gone":1}');
  const told = coerceArguments(given as Record<string, unknown>, { properties, synonyms });
  assert.deepEqual(told.unknown.toSorted(), ["__proto__", "constructor", "gone"]);
  assert.equal(told.values["limit"], undefined);
});

Deno.test("coerceArguments() takes YAML as what it means, too", () => {
  const properties: Record<string, JsonSchema> = { set: { type: "string" }, content: { type: "string" } };
  const set = (value: unknown) => coerceArguments({ set: value }, { properties, synonyms: {} }).values["set"];
  assert.equal(set({ status: "done", n: [1, "2024-01-01"] }), '{"status":"done","n":[1,"2024-01-01"]}');
  assert.equal(set(["status: done", "n: 1"]), "status: done\nn: 1");
  assert.equal(set("status: done"), "status: done");
  assert.deepEqual(set([{ status: "done" }]), [{ status: "done" }]);
  assert.equal(set(5), 5);
  const { values } = coerceArguments({ content: { a: 1 } }, { properties, synonyms: {} });
  assert.deepEqual(values["content"], { a: 1 });
});
