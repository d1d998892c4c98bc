/** `search_pages`: the best passages of the space for some words, or every page with a very text. */

import { z } from "zod";
import { cursor, limit } from "../fields.ts";
import { defineTool } from "../tool.ts";
import { callerOf, given, notesOf } from "./call.ts";
import { answerWithin, foundFields } from "./found.ts";

const presetHits = 10;
const maxHits = 100;
const maxBytes = 48_000;

export const searchPages = defineTool({
  name: "search_pages",
  title: "Search pages",
  description:
    'Finds pages by words, best first, with passages. Knows "exact phrase", -not, tag:x, path:x. ' +
    "exact: the very text.",
  family: "notes",
  input: z.object({
    query: z.string(),
    mode: z.enum(["words", "exact"]).default("words"),
    in: z.enum(["notes", "folders", "all"]).default("notes"),
    prefix: z.string().optional(),
    tag: z.string().optional(),
    where: z.string().optional().describe("status=done, due<2026-12-01"),
    limit: limit(presetHits, maxHits),
    max_bytes: z.int().min(1).default(3000),
    cursor,
    include_trash: z.boolean().default(false),
  }),
  output: z.object({
    hits: z.array(z.object({
      page: z.string(),
      line: z.int(),
      heading: z.string().optional(),
      snippet: z.string(),
      match: z.string(),
      matches: z.int(),
    })),
    ...foundFields,
    replaced: z.array(z.object({ word: z.string(), by: z.array(z.string()) })).optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: {},
  errors: [],
  deadline: 45_000,
  async handle(input, call) {
    return await answerWithin(
      { limit: input.limit, maximum: maxHits },
      (limit) =>
        notesOf(call).finding.search(callerOf(call, "search_pages"), {
          query: input.query,
          mode: input.mode,
          in: input.in,
          prefix: input.prefix ?? "",
          tag: given(input.tag),
          where: given(input.where),
          limit: limit ?? presetHits,
          maxBytes: Math.min(input.max_bytes, maxBytes),
          cursor: given(input.cursor),
          includeTrash: input.include_trash,
        }),
    );
  },
});
