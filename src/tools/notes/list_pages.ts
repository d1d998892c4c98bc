/** `list_pages`: which pages and files there are. */

import { z } from "zod";
import { clampLimit, cursor, limit } from "../fields.ts";
import { defineTool, listResult } from "../tool.ts";
import { callerOf, given, notesOf } from "./call.ts";

const maxRows = 1000;

export const listPages = defineTool({
  name: "list_pages",
  title: "List pages",
  description: "Lists pages, newest first, with times and sizes.",
  family: "notes",
  input: z.object({
    prefix: z.string().optional(),
    contains: z.string().optional(),
    kind: z.enum(["pages", "files", "all"]).default("pages"),
    sort: z.enum(["recent", "name"]).default("recent"),
    limit: limit(100, maxRows),
    cursor,
    include_trash: z.boolean().default(false),
    include_library: z.boolean().default(false),
  }),
  output: z.object({
    pages: z.array(z.object({
      page: z.string(),
      path: z.string(),
      last_modified: z.string(),
      size_bytes: z.int(),
      content_type: z.string().optional(),
      conflict_of: z.string().optional(),
      etag: z.string().optional(),
    })),
    total: z.int(),
    next_cursor: z.string().optional(),
    limited: z.string().optional(),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: {},
  errors: [],
  deadline: 45_000,
  async handle(input, call) {
    const { limit, clamped } = clampLimit(input.limit, maxRows);
    const answer = await notesOf(call).list(callerOf(call, "list_pages"), {
      prefix: input.prefix ?? "",
      contains: input.contains ?? "",
      kind: input.kind,
      sort: input.sort,
      limit,
      cursor: given(input.cursor),
      includeTrash: input.include_trash,
      includeLibrary: input.include_library,
    });
    return listResult({ ...answer, ...(clamped ? { limited: `limit is at most ${maxRows}` } : {}) });
  },
});
