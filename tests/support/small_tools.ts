/** Tools small enough to see through: for tests of the machinery that runs any tool. */

import { z } from "zod";
import { AppError } from "../../src/core/errors.ts";
import { defineTool, listResult, type Tool } from "../../src/tools/tool.ts";

const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const writing = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

/** Says back what it was given. */
export const echo: Tool = defineTool({
  name: "echo",
  title: "Echo",
  description: "Says back its text",
  family: "server",
  input: z.object({
    text: z.string(),
    times: z.int().min(1).max(9).default(1),
    loud: z.boolean().default(false),
    tags: z.array(z.string()).optional(),
    mode: z.enum(["plain", "fancy"]).default("plain"),
    retries: z.int().min(0).optional(),
  }),
  hints: reading,
  verbs: [],
  synonyms: { body: "text", retries: "retries" },
  errors: [],
  deadline: 2_000,
  handle: async (input) => ({ blocks: [{ type: "text", text: JSON.stringify(input) }] }),
});

/** A list with an output schema, as reading tools have. */
export const rows: Tool = defineTool({
  name: "rows",
  title: "Rows",
  description: "Lists a few rows",
  family: "server",
  input: z.object({ count: z.int().min(0).default(2) }),
  output: z.strictObject({ rows: z.array(z.strictObject({ n: z.int() })), total: z.int() }),
  hints: reading,
  verbs: ["read"],
  synonyms: {},
  errors: [],
  deadline: 2_000,
  handle: async ({ count }) =>
    listResult({ rows: Array.from({ length: count }, (_, n) => ({ n })), total: count }),
});

/** Fails with whatever it is told to fail with. */
export const fail: Tool = defineTool({
  name: "fail",
  title: "Fail",
  description: "Fails",
  family: "server",
  input: z.object({ how: z.enum(["conflict", "bug", "string", "sync"]) }),
  output: z.strictObject({ never: z.string() }),
  hints: writing,
  verbs: ["write"],
  synonyms: {},
  errors: ["conflict"],
  deadline: 2_000,
  handle: ({ how }) => {
    // deno-lint-ignore no-throw-literal
    if (how === "string") throw "secret-token at /home/me/notes";
    if (how === "sync") throw new TypeError("secret-token at /home/me/notes");
    if (how === "bug") return Promise.reject(new RangeError("secret-token at /home/me/notes"));
    return Promise.reject(
      new AppError({
        code: "conflict",
        message: 'Cannot write "A": precondition failed',
        remedy: "Read it again with `read_page`; `echo` repeats what you sent.",
        details: { etag: "v123", error: "not this" },
      }),
    );
  },
});

/** Never finishes by itself; stops when told to. */
export function waitTool(started: (signal: AbortSignal) => void, deadline = 2_000): Tool {
  return defineTool({
    name: "wait",
    title: "Wait",
    description: "Waits",
    family: "server",
    input: z.object({}),
    hints: reading,
    verbs: [],
    synonyms: {},
    errors: [],
    deadline,
    handle: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        started(signal);
      }),
  });
}

/** Tells its progress three times. */
export const steps: Tool = defineTool({
  name: "steps",
  title: "Steps",
  description: "Tells its progress",
  family: "server",
  input: z.object({}),
  hints: reading,
  verbs: [],
  synonyms: {},
  errors: [],
  deadline: 2_000,
  handle: async (_, { progress }) => {
    for (const done of [1, 2, 2, 3]) progress?.({ done, total: 3, message: `step ${done}` });
    return { blocks: [{ type: "text", text: progress === undefined ? "silent" : "told" }] };
  },
});
