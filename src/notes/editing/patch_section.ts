/** Changes one section of a page, named by its heading: what stands in other sections stays to the byte. */

import { isBlank, leastBytes } from "../../text/joins.ts";
import { editPage } from "./edit.ts";
import { wrongArgument } from "./edit_refusals.ts";
import type { PatchSectionRequest } from "./edit_requests.ts";
import { changeSection } from "./named_section.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";

const doing = "edit a section of";

export async function patchPageSection(
  parts: NotesParts,
  caller: Caller,
  request: PatchSectionRequest,
): Promise<ChangeAnswer> {
  const { section, action, content } = request;
  if (isBlank(section)) {
    throw wrongArgument("section", {
      doing: "edit a section",
      what: "section must not be empty",
      remedy: "Pass the title of a heading, such as `Tasks`, `## Tasks` or `A > B`.",
    });
  }
  if (action !== "delete" && content === null || needsText(action) && isBlank(content ?? "")) {
    throw wrongArgument("content", {
      doing: `${action} a section`,
      what: content === null ? "`content` is missing" : "content must not be empty",
      remedy: action === "rename"
        ? "Send the new title as `content`, without number signs."
        : "Send the Markdown as `content`; action `delete` removes a section.",
    });
  }
  return await editPage(parts, caller, {
    doing,
    verb: "write",
    action: "write",
    request,
    ...(content === null
      ? {}
      : { adds: { bytes: leastOfSection(content, action), beside: action !== "replace" } }),
    make: (text, page) => ({ text: changeSection(text, { section, action, content, doing, page }) }),
  });
}

/** The section's own heading at the beginning of `content` is dropped, whichever way it is written. */
function leastOfSection(content: string, action: PatchSectionRequest["action"]): number {
  if (action === "delete" || action === "rename") return 0;
  if (/^\s*#/.test(content)) return leastBytes(content.replace(/^\s*[^\n]*/, ""));
  const first = /^\s*(?:\S[^\n]*(?:\n|$))+/.exec(content)?.[0] ?? "";
  return leastBytes(/^[ \t]*(?:=+|-+)[ \t]*\r?$/m.test(first) ? content.slice(first.length) : content);
}

/** A section may be replaced by nothing; its heading stays then. */
function needsText(action: PatchSectionRequest["action"]): boolean {
  return action !== "delete" && action !== "replace";
}
