/** `patch_page_replace`: literal text for literal text. */

import { z } from "zod";
import { AppError } from "../../core/errors.ts";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, notesOf } from "./call.ts";
import { editErrors, editFields, editRequest, editSynonyms } from "./edit_fields.ts";

export const patchPageReplace = defineTool({
  name: "patch_page_replace",
  title: "Patch page (replace)",
  description: "Replaces exact text in a page: find must be there once, unless replace_all. " +
    "edits: several, all or none.",
  family: "notes",
  input: z.object({
    page: editFields.page,
    find: z.string().optional(),
    replace: z.string().optional(),
    replace_all: z.boolean().default(false),
    edits: z.array(z.object({ find: z.string(), replace: z.string() })).optional(),
    if_match: editFields.if_match,
    dry_run: editFields.dry_run,
    max_retries: editFields.max_retries,
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  verbs: ["write"],
  synonyms: {
    ...editSynonyms,
    old_text: "find",
    old_string: "find",
    new_text: "replace",
    new_string: "replace",
  },
  errors: [...editErrors, "ambiguous", "no_match"],
  deadline: 60_000,
  async handle(input, call) {
    const request = { ...editRequest(input), edits: editsOf(input), all: input.replace_all };
    return jsonResult({ ...await notesOf(call).replace(callerOf(call, "patch_page_replace"), request) });
  },
});

interface Replacements {
  readonly find?: string | undefined;
  readonly replace?: string | undefined;
  readonly edits?: readonly { readonly find: string; readonly replace: string }[] | undefined;
}

function editsOf({ find, replace, edits }: Replacements) {
  const several = edits !== undefined && edits.length > 0;
  if (find === undefined && replace === undefined) {
    if (several) return edits;
  } else if (find !== undefined && replace !== undefined && !several) {
    return [{ find, replace }];
  }
  throw new AppError({
    code: "invalid_argument",
    message: "Cannot run patch_page_replace: pass exactly one of find with replace, or edits",
    remedy:
      "`find` is the exact text on the page and `replace` what comes instead, maybe empty; `edits` is a " +
      "list of such pairs.",
    details: { argument: "find" },
  });
}
