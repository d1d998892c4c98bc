/** `page_exists`: whether a page is there, without its text. */

import { z } from "zod";
import { page } from "../fields.ts";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, notesOf, pageSynonyms } from "./call.ts";

export const pageExists = defineTool({
  name: "page_exists",
  title: "Page exists",
  description: "Tells whether a page exists. A fault is an error, never false.",
  family: "notes",
  input: z.object({ page }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: pageSynonyms,
  errors: ["invalid_path", "forbidden_path"],
  deadline: 30_000,
  async handle({ page }, call) {
    return jsonResult({ ...await notesOf(call).exists(callerOf(call, "page_exists"), page) });
  },
});
