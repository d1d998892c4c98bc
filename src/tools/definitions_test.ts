import assert from "node:assert/strict";
import { z } from "zod";
import { acceptedProperties, defineForWire } from "./definitions.ts";
import { limit, page } from "./fields.ts";
import { defineTool } from "./tool.ts";

const sample = defineTool({
  name: "sample",
  title: "A sample",
  description: "Shows what goes out",
  family: "notes",
  input: z.object({
    page,
    limit: limit(100, 1000),
    kind: z.enum(["pages", "files"]).default("pages"),
    edits: z.array(z.strictObject({ find: z.string(), replace: z.string() })).optional(),
    max_retries: z.int().min(0).optional(),
  }),
  output: z.strictObject({ rows: z.array(z.strictObject({ page: z.string(), size: z.int().optional() })) }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: { name: "page", max_retries: "max_retries" },
  errors: [],
  deadline: 1000,
  handle: async () => ({ blocks: [] }),
});

Deno.test("defineForWire() gives flat schemas without dialect, noise or unadvertised properties", () => {
  assert.deepEqual(defineForWire(sample), {
    name: "sample",
    title: "A sample",
    description: "Shows what goes out",
    inputSchema: {
      type: "object",
      properties: {
        page: { type: "string", description: "Page name, as Projects/Alpha" },
        limit: { type: "integer", minimum: 1, default: 100, description: "At most 1000" },
        kind: { type: "string", enum: ["pages", "files"], default: "pages" },
        edits: {
          type: "array",
          items: {
            type: "object",
            properties: { find: { type: "string" }, replace: { type: "string" } },
            required: ["find", "replace"],
          },
        },
      },
      required: ["page"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        rows: {
          type: "array",
          items: {
            type: "object",
            properties: { page: { type: "string" }, size: { type: "integer" } },
            required: ["page"],
          },
        },
      },
      required: ["rows"],
    },
    annotations: {
      title: "A sample",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  });
});

Deno.test("acceptedProperties() has the unadvertised ones too", () => {
  assert.deepEqual(Object.keys(acceptedProperties(sample)), [
    "page",
    "limit",
    "kind",
    "edits",
    "max_retries",
  ]);
});
