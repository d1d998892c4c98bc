/** Adds text at the end of a page or of one of its sections; the page has to be there. */

import { appendText, isBlank, leastBytes } from "../../text/joins.ts";
import { editPage } from "./edit.ts";
import { nothingToAdd } from "./edit_refusals.ts";
import type { AppendRequest } from "./edit_requests.ts";
import { changeSection } from "./named_section.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";

const doing = "append to";

export async function appendToPage(
  parts: NotesParts,
  caller: Caller,
  request: AppendRequest,
): Promise<ChangeAnswer> {
  const { content, section } = request;
  if (isBlank(content)) throw nothingToAdd("append", "content");
  return await editPage(parts, caller, {
    doing,
    verb: "append",
    action: "append",
    request,
    adds: { bytes: leastBytes(content), beside: true },
    make(text, page) {
      if (section === null) return { text: appendText(text, content) };
      return { text: changeSection(text, { section, action: "append", content, doing, page }) };
    },
  });
}
