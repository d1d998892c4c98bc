/** `create_page`: a new page, never over an existing one. */

import { z } from "zod";
import { dryRun, page } from "../fields.ts";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, contentSynonyms, notesOf, pageSynonyms } from "./call.ts";

export const createPage = defineTool({
  name: "create_page",
  title: "Create page",
  description: "Creates a page. Never overwrites: an existing page is an error.",
  family: "notes",
  input: z.object({ page, content: z.string().describe("Markdown, may be empty"), dry_run: dryRun }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  verbs: ["create"],
  synonyms: { ...pageSynonyms, ...contentSynonyms },
  errors: [
    "already_exists",
    "invalid_path",
    "forbidden_path",
    "too_large",
    "protected",
    "read_only",
    "conflict",
  ],
  deadline: 60_000,
  async handle({ page, content, dry_run: dryRun }, call) {
    const notes = notesOf(call);
    return jsonResult({ ...await notes.create(callerOf(call, "create_page"), { page, content, dryRun }) });
  },
});
