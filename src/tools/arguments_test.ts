import assert from "node:assert/strict";
import { z } from "zod";
import { AppError } from "../core/errors.ts";
import { argumentParser } from "./arguments.ts";
import { page } from "./fields.ts";
import { defineTool, type Tool, type ToolFamily } from "./tool.ts";

function tool(family: ToolFamily = "notes"): Tool {
  return defineTool({
    name: "sample",
    title: "Sample",
    description: "Sample",
    family,
    input: z.object({
      page,
      view: z.enum(["full", "outline"]).default("full"),
      limit: z.int().min(1).default(10),
      line: z.int().min(1).max(9).optional(),
      edits: z.array(z.strictObject({ find: z.string(), replace: z.string() })).optional(),
      max_retries: z.int().min(0).optional(),
    }),
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    verbs: ["read"],
    synonyms: { name: "page", max_retries: "max_retries" },
    errors: [],
    deadline: 1000,
    handle: async () => ({ blocks: [] }),
  });
}

function refusal(given: unknown, family?: ToolFamily): AppError {
  try {
    argumentParser(tool(family))(given);
  } catch (thrown) {
    assert.ok(thrown instanceof AppError, String(thrown));
    return thrown;
  }
  return assert.fail(`${JSON.stringify(given)} was accepted`);
}

Deno.test("argumentParser() fills in defaults and hands on exactly what the schema knows", () => {
  assert.deepEqual(argumentParser(tool())({ name: "A", limit: "3" }), { page: "A", view: "full", limit: 3 });
});

Deno.test("argumentParser() names a missing argument and what it is", () => {
  const error = refusal({});
  assert.equal(error.code, "invalid_argument");
  assert.equal(error.message, "Cannot run sample: `page` is missing: Page name, as Projects/Alpha");
});

Deno.test("argumentParser() takes a missing object of arguments as an empty one", () => {
  for (const nothing of [undefined, null]) assert.match(refusal(nothing).message, /`page` is missing/);
});

Deno.test("argumentParser() says what is wanted and what came", () => {
  const cases: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ view: "ful" }, '`view` must be one of full, outline, not the string "ful"'],
    [{ limit: "lots" }, '`limit` must be an integer of at least 1, not the string "lots"'],
    [{ limit: 0 }, "`limit` must be an integer of at least 1, not 0"],
    [{ limit: 1.5 }, "`limit` must be an integer of at least 1, not 1.5"],
    [{ line: 10 }, "`line` must be an integer from 1 to 9, not 10"],
    [{ page: ["A"] }, "`page` must be a string, not a list"],
    [{ page: { a: 1 } }, "`page` must be a string, not an object"],
    [{ edits: "x" }, '`edits` must be a list of objects, not the string "x"'],
  ];
  for (const [given, wanted] of cases) {
    assert.ok(
      refusal({ page: "A", ...given }).message.includes(wanted),
      refusal({ page: "A", ...given }).message,
    );
  }
});

Deno.test("argumentParser() names the place inside a list", () => {
  assert.match(refusal({ page: "A", edits: [{ find: "a" }] }).message, /`edits\.0\.replace`/);
  assert.match(
    refusal({ page: "A", edits: [{ find: "a", replace: "b", all: 1 }] }).message,
    /`edits\.0`.*"all"/,
  );
});

Deno.test("argumentParser() refuses unknown arguments and suggests the one that was meant", () => {
  assert.match(refusal({ page: "A", limt: 3 }).message, /unknown argument "limt", did you mean `limit`\?/);
  assert.match(refusal({ page: "A", name: "B" }).message, /`page` was given twice/);
});

Deno.test("argumentParser() keeps unadvertised arguments out of what it tells", () => {
  assert.equal(argumentParser(tool())({ page: "A", max_retries: 0 })["max_retries"], 0);
  assert.deepEqual(refusal({}).details["arguments"], ["page", "view", "limit", "line", "edits"]);
  assert.ok(!refusal({ max_retrie: 1 }).remedy.includes("max_retries"));
});

Deno.test("argumentParser() stays short however much is wrong, and never repeats a long text", () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`x${n}`, "y".repeat(5)]));
  const error = refusal({ ...many, page: ["secret".repeat(1000)], view: "secret".repeat(1000) });
  assert.ok(error.message.length < 1000, String(error.message.length));
  assert.ok(!error.message.includes("secretsecret"));
});

Deno.test("argumentParser() refuses arguments that are no object", () => {
  for (const given of [[], "x", 5, false]) {
    assert.match(refusal(given).message, /`arguments` must be an object/);
  }
});

Deno.test("argumentParser() uses the folder tools' own code for them", () => {
  assert.equal(refusal({}, "folders").code, "invalid-params");
});

Deno.test("argumentParser() refuses a list that nobody means before it looks at its items", () => {
  const started = performance.now();
  for (const item of [1, {}, { find: "a", replace: "b" }]) {
    const error = refusal({ page: "A", edits: Array.from({ length: 500_000 }, () => item) });
    assert.match(error.message, /`edits` has 500000 items; at most 1000 fit/);
    assert.ok(error.message.length < 1000);
  }
  assert.ok(performance.now() - started < 2000, "items were looked at one by one");
  const few = refusal({ page: "A", edits: Array.from({ length: 1000 }, () => 1) });
  assert.match(few.message, /and \d+ more/);
});

Deno.test("argumentParser() takes exact arguments as they are: no coercion, no other names, no null", () => {
  const parse = argumentParser(tool());
  assert.deepEqual(parse({ page: "A", limit: 3, max_retries: 0 }, true), {
    page: "A",
    view: "full",
    limit: 3,
    max_retries: 0,
  });
  const wrong: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [{ page: "A", limit: "3" }, /`limit` must be an integer of at least 1, not the string "3"$/],
    [{ page: "A", line: null }, /`line` must be an integer from 1 to 9, not null$/],
    [{ page: null }, /`page` must be a string, not null$/],
    [{ page: "A", limit: true }, /`limit` must be .*, not true$/],
    [{ page: "A", edits: "[]" }, /`edits` must be a list of objects, not the string/],
    [{ name: "A" }, /unknown argument "name"; `page` is missing/],
    [JSON.parse('{"page":"A","__proto__":{"limit":3}}'), /unknown argument "__proto__"$/],
    [JSON.parse('{"page":"A","constructor":1}'), /unknown argument "constructor"$/],
  ];
  for (const [given, message] of wrong) {
    assert.throws(
      () => parse(given, true),
      (error) => error instanceof AppError && message.test(error.message),
      String(message),
    );
  }
});
