/** `move_page`: a page or file gets another name, and the links to it follow. */

import { z } from "zod";
import { dryRun, ifMatch, page } from "../fields.ts";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, given, matchSynonyms, notesOf } from "./call.ts";
import { growingProgress } from "./growing_progress.ts";

export const movePage = defineTool({
  name: "move_page",
  title: "Move page",
  description:
    "Moves or renames a page or file; links to it follow. Never overwrites. Use dry_run first: it lists " +
    "every page and line that would change.",
  family: "notes",
  input: z.object({
    from: page,
    to: page.describe("New page name"),
    update_links: z.boolean().default(true),
    if_match: ifMatch,
    dry_run: dryRun,
    max_retries: z.int().min(0).optional(),
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  verbs: ["delete"],
  synonyms: {
    name: "from",
    path: "from",
    page: "from",
    new_name: "to",
    new_path: "to",
    max_retries: "max_retries",
    ...matchSynonyms,
  },
  errors: [
    "not_found",
    "already_exists",
    "conflict",
    "invalid_path",
    "forbidden_path",
    "read_only",
    "protected",
    "too_large",
  ],
  deadline: 45_000,
  async handle({ from, to, update_links: updateLinks, if_match, dry_run: dryRun }, call) {
    const report = growingProgress(call.progress);
    const request = { from, to, updateLinks, ifMatch: given(if_match), dryRun, report };
    return jsonResult({ ...await notesOf(call).move(callerOf(call, "move_page"), request) });
  },
});
