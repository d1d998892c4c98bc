/** `diff_pages`: how two texts differ. */

import { z } from "zod";
import { page } from "../fields.ts";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, given, notesOf, pageSynonyms } from "./call.ts";

export const diffPages = defineTool({
  name: "diff_pages",
  title: "Compare pages",
  description:
    "Unified diff from a page to another page or to a text, or from an earlier version of it to the page now.",
  family: "notes",
  input: z.object({
    page,
    other_page: z.string().optional(),
    other_content: z.string().optional(),
    version: z.string().optional().describe("etag or change of this page"),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: { ...pageSynonyms, other_name: "other_page", other_body: "other_content" },
  errors: ["not_found", "invalid_path", "forbidden_path"],
  deadline: 30_000,
  async handle({ page, other_page, other_content, version }, call) {
    const request = {
      page,
      otherPage: given(other_page),
      otherContent: other_content ?? null,
      version: given(version),
    };
    return jsonResult({ ...await notesOf(call).diff(callerOf(call, "diff_pages"), request) });
  },
});
