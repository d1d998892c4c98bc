/** `restore_page`: a page that was deleted comes back, byte for byte. */

import { z } from "zod";
import { dryRun, page } from "../fields.ts";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, given, notesOf, pageSynonyms } from "./call.ts";

export const restorePage = defineTool({
  name: "restore_page",
  title: "Restore page",
  description: "Brings back a deleted page, byte for byte, from the history or the trash. Never overwrites.",
  family: "notes",
  input: z.object({
    page: page.describe("Page name, or a path in _trash/"),
    version: z.string().optional().describe("change, etag or revision; default: the last deleted"),
    dry_run: dryRun,
  }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  verbs: ["create"],
  synonyms: { ...pageSynonyms, change: "version" },
  errors: [
    "not_found",
    "already_exists",
    "invalid_path",
    "forbidden_path",
    "protected",
    "read_only",
    "conflict",
  ],
  deadline: 60_000,
  async handle({ page, version, dry_run: dryRun }, call) {
    const request = { page, version: given(version), dryRun };
    return jsonResult({ ...await notesOf(call).restore(callerOf(call, "restore_page"), request) });
  },
});
