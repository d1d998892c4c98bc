/** Replaces text literally: no pattern, no `$&`; all edits of a batch are matched against the text as it was. */

import type { AppError } from "../../core/errors.ts";
import { replaceLiterally, type Replacement, type ReplaceResult } from "../../text/replace.ts";
import { type EditedPage, editPage } from "./edit.ts";
import { editRefusal, wrongArgument } from "./edit_refusals.ts";
import type { ReplaceRequest } from "./edit_requests.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";

const doing = "edit";
/** Enough for a rewrite of any page, and matched in good time. */
const maxEdits = 200;

export async function replaceInPage(
  parts: NotesParts,
  caller: Caller,
  request: ReplaceRequest,
): Promise<ChangeAnswer> {
  const { edits, all } = request;
  demandEdits(edits);
  return await editPage(parts, caller, {
    doing,
    verb: "write",
    action: "write",
    request,
    make(text, page) {
      const result = replaceLiterally(text, edits, { all });
      if (result.kind !== "replaced") throw refusal(page, { edits, result });
      return { text: result.text, facts: { replaced: result.count } };
    },
  });
}

function demandEdits(edits: readonly Replacement[]): void {
  if (edits.length === 0) {
    throw wrongArgument("edits", {
      doing: "replace nothing",
      what: "edits must not be empty",
      remedy: "Send `find` and `replace`, or `edits` with one of each.",
    });
  }
  if (edits.length > maxEdits) {
    throw wrongArgument("edits", {
      doing: `make ${edits.length} edits at once`,
      what: `at most ${maxEdits} fit into one call`,
      remedy: "Split them over several calls.",
    });
  }
  const empty = edits.findIndex(({ find }) => find === "");
  if (empty >= 0) {
    throw wrongArgument("find", {
      doing: "replace nothing",
      what: `find must not be empty${edits.length === 1 ? "" : ` (edit ${empty + 1})`}`,
      remedy: "Send the text that is to be replaced, exactly as it stands on the page.",
    });
  }
}

interface Failed {
  readonly edits: readonly Replacement[];
  readonly result: Exclude<ReplaceResult, { readonly kind: "replaced" }>;
}

function refusal(page: EditedPage, { edits, result }: Failed): AppError {
  const refused = { doing, path: page.path };
  const number = (edit: number) => edits.length === 1 ? "" : ` (edit ${edit + 1} of ${edits.length})`;
  const edited = edits.length === 1 ? "" : "; none of the edits was made";
  switch (result.kind) {
    case "empty_find":
    case "no_match": {
      const near = result.kind === "no_match" && page.shown ? result.near : null;
      return editRefusal(refused, {
        code: "no_match",
        what: `find not found in body: 0 matches${number(result.edit)}${edited}` +
          (near === null ? "" : `; most like it is line ${near.line}: ${JSON.stringify(near.text)}`),
        remedy: near === null
          ? "Call `read_page` and send `find` exactly as it stands on the page, white space included."
          : "Send `find` exactly as it stands there, white space included; `read_page` shows the page.",
        details: { matches: 0, edit: result.edit + 1, ...(near === null ? {} : { nearest: near }) },
      });
    }
    case "ambiguous":
      return editRefusal(refused, {
        code: "ambiguous",
        what: `find matched ${result.count} times${number(result.edit)}, in lines ${list(result)}${edited}`,
        remedy:
          "Send more of the text around it as `find`, so that it is there once, or pass `replace_all` true.",
        details: { matches: result.count, edit: result.edit + 1, lines: result.lines },
      });
    case "overlap": {
      const [one, other] = result.edits.map((edit) => edit + 1);
      return editRefusal(refused, {
        code: "invalid_argument",
        what: `edits ${one} and ${other} both want to change the same text in line ${result.line}${edited}`,
        remedy: "Put them together into one edit, or send them one after the other.",
        details: { edits: [one, other], line: result.line },
      });
    }
  }
}

function list({ lines, count }: { readonly lines: readonly number[]; readonly count: number }): string {
  return lines.join(", ") + (count > lines.length ? ", …" : "");
}
