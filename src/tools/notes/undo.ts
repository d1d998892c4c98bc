/** `undo`: one change is taken back, and what was edited since stays. */

import { z } from "zod";
import { dryRun, ifMatch } from "../fields.ts";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, given, matchSynonyms, notesOf } from "./call.ts";
import { growingProgress } from "./growing_progress.ts";

export const undo = defineTool({
  name: "undo",
  title: "Undo",
  description:
    "Takes one change back: an edit, a new page, a deletion, or a whole move. Later edits stay; where they " +
    "touch the same lines nothing is written.",
  family: "notes",
  input: z.object({
    change: z.string().optional().describe("change of that answer; default: your latest"),
    if_match: ifMatch,
    dry_run: dryRun,
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  verbs: ["write"],
  synonyms: { id: "change", version: "change", ...matchSynonyms },
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
  async handle({ change, if_match, dry_run: dryRun }, call) {
    const report = growingProgress(call.progress);
    const request = { change: given(change), ifMatch: given(if_match), dryRun, report };
    return jsonResult({ ...await notesOf(call).undo(callerOf(call, "undo"), request) });
  },
});
