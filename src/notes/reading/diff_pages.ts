/** Shows how two pages differ, or a page and a text, or a page and what it was before. */

import { AppError } from "../../core/errors.ts";
import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import { unifiedDiff } from "../../text/diff/diff.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import { baseBytes } from "../writing/conflict.ts";
import { wrongArgument } from "../editing/edit_refusals.ts";
import type { DiffAnswer, DiffRequest } from "../editing/edit_requests.ts";
import { etagOf, parsePrecondition } from "../etag.ts";
import type { NotesParts } from "../parts.ts";
import { readableText } from "./readable_text.ts";
import type { Caller } from "../requests.ts";
import { changeForm, keptVersion } from "../past/sources.ts";

const doing = "compare";
const maxDiffBytes = 24_000;

export async function diffPages(
  parts: NotesParts,
  caller: Caller,
  request: DiffRequest,
): Promise<DiffAnswer> {
  demandOne(request);
  const { path, content, text } = await readableText(parts, caller, {
    page: request.page,
    doing,
    fresh: true,
  });
  const name = pageNameOf(path);
  const answer = { page: name, path, etag: etagOf(content.hash, "part") };
  if (request.version !== null) {
    const before = versionText(parts, caller, { path, version: request.version });
    const names = { before: `${name} ${request.version.trim()}`, after: name };
    return { ...answer, version: request.version, ...compared(before, text, names) };
  }
  if (request.otherContent !== null) {
    return { ...answer, ...compared(text, request.otherContent, { before: name, after: "<literal>" }) };
  }
  const other = await readableText(parts, caller, {
    page: request.otherPage ?? "",
    doing,
    fresh: true,
  });
  const otherName = pageNameOf(other.path);
  return {
    ...answer,
    other_page: otherName,
    ...compared(text, other.text, { before: name, after: otherName }),
  };
}

function demandOne({ otherPage, otherContent, version }: DiffRequest): void {
  if ([otherPage, otherContent, version].filter((given) => given !== null).length === 1) return;
  throw wrongArgument("other_page", {
    doing: "compare",
    what: "pass exactly one of other_page, other_content or version",
    remedy: "`other_page` is a name, `other_content` a text, `version` an etag or a change of the same page.",
  });
}

function compared(
  before: string,
  after: string,
  names: { readonly before: string; readonly after: string },
): Pick<DiffAnswer, "identical" | "diff" | "diff_cut"> {
  const { text, complete } = unifiedDiff(before, after, { maxBytes: maxDiffBytes, names });
  return { identical: before === after, diff: text, ...(complete ? {} : { diff_cut: true as const }) };
}

interface WantedText {
  readonly path: PagePath;
  readonly version: string;
}

/** What the page held at that version: a change from the history, or a version that was handed out. */
function versionText(parts: NotesParts, caller: Caller, { path, version }: WantedText): string {
  const bytes = keptVersion(parts, { path, version })?.bytes ?? shownBytes(parts, caller, { path, version });
  const text = bytes === null ? null : decodeUtf8(bytes);
  if (text !== null) return text;
  throw new AppError({
    code: "not_found",
    message: `Cannot ${doing} page ${JSON.stringify(pageNameOf(path))}: that version of it is not kept`,
    remedy: "Pass an etag or a `change` that was given out for this page; `page_history` lists its changes.",
    details: { page: pageNameOf(path), path },
  });
}

function shownBytes(parts: NotesParts, caller: Caller, { path, version }: WantedText): Uint8Array | null {
  if (changeForm.test(version.trim())) return null;
  return baseBytes(parts, caller, { path, wanted: parsePrecondition(version) });
}
