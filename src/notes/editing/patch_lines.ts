/** Replaces, inserts or removes lines by their numbers, where they are still the lines that the caller means. */

import { countLines, splitLines } from "../../text/lines.ts";
import { patchLines } from "../../text/line_patch.ts";
import { type EditedPage, editPage, type MadeEdit } from "./edit.ts";
import { editRefusal, linesMoved, wrongArgument } from "./edit_refusals.ts";
import type { PatchLinesRequest } from "./edit_requests.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";

const doing = "edit lines of";

export async function patchPageLines(
  parts: NotesParts,
  caller: Caller,
  request: PatchLinesRequest,
): Promise<ChangeAnswer> {
  const { startLine, endLine } = request;
  if (
    !Number.isInteger(startLine) || startLine < 1 || !Number.isInteger(endLine) || endLine < startLine - 1
  ) {
    throw wrongArgument(startLine < 1 ? "start_line" : "end_line", {
      doing: `edit lines ${startLine} to ${endLine}`,
      what: startLine < 1
        ? `start_line must be >= 1, got ${startLine}`
        : `end_line (${endLine}) must be >= start_line (${startLine}), or one less to insert`,
      remedy: "Lines count from 1 and both ends are included; `end_line` = `start_line` - 1 inserts before " +
        "`start_line`.",
    });
  }
  return await editPage(parts, caller, {
    doing,
    verb: "write",
    action: "write",
    request,
    make: (text, page) => patched(text, page, request),
  });
}

function patched(text: string, page: EditedPage, request: PatchLinesRequest): MadeEdit {
  const { startLine, endLine, content } = request;
  const inserts = endLine < startLine;
  // Nothing is what stands in no lines.
  const expect = inserts && request.expect === "" ? null : request.expect;
  const refused = { doing, path: page.path };
  const lines = countLines(text);
  if (endLine > lines || startLine > lines + 1) {
    throw editRefusal(refused, {
      code: "invalid_argument",
      what: `line range ${startLine}..${endLine} out of bounds for page with ${lines} lines`,
      remedy: `The last line is ${lines}; \`start_line\` ${
        lines + 1
      } with \`end_line\` ${lines} adds after it.`,
      details: { lines },
    });
  }
  if (expect !== null) demandExpected(text, page, { startLine, endLine, expect });
  // Without the text to go by, line numbers mean something only while everything before them is as it was.
  if (expect === null && !sameStart(text, page.first, Math.max(endLine, startLine - 1))) {
    throw linesMoved(refused);
  }
  const result = patchLines(text, { startLine, endLine, content });
  if (result.kind === "patched") return { text: result.text };
  throw new RangeError(`Lines ${startLine} to ${endLine} of ${lines} cannot be patched: ${result.kind}`);
}

interface ExpectedLines {
  readonly startLine: number;
  readonly endLine: number;
  readonly expect: string;
}

/** Where lines are inserted, `expect` is the text that will stand below them. */
function demandExpected(text: string, page: EditedPage, range: ExpectedLines): void {
  const { startLine, expect } = range;
  const inserts = range.endLine < startLine;
  const endLine = inserts ? startLine + Math.max(1, countLines(expect)) - 1 : range.endLine;
  const result = patchLines(text, { startLine, endLine, content: "", expect });
  if (result.kind === "patched") return;
  const there = result.kind === "unexpected" ? result : { actual: "", foundAt: null };
  const moved = there.foundAt === null ? "" : `; the expected text begins in line ${there.foundAt}`;
  throw editRefusal({ doing, path: page.path }, {
    code: "no_match",
    what: `line ${startLine} does not hold the text given as \`expect\`${page.shown ? moved : ""}`,
    remedy: there.foundAt !== null && page.shown
      ? `Call again with \`start_line\` ${there.foundAt} and \`end_line\` moved along, if that is the place.`
      : "Call `read_page` for the lines as they are now, and make the edit on those.",
    details: page.shown
      ? { actual: there.actual, ...(there.foundAt === null ? {} : { found_at: there.foundAt }) }
      : {},
  });
}

/** True when both texts are the same up to the end of line number `line`. */
function sameStart(text: string, first: string, line: number): boolean {
  if (text === first) return true;
  const end = line === 0 ? 0 : splitLines(text)[line - 1]?.next;
  return end !== undefined && first.startsWith(text.slice(0, end));
}
