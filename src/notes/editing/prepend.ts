/** Adds text at the beginning of a page, after its frontmatter or before everything; the page has to be there. */

import { hasUnclosedFrontmatter } from "../../text/frontmatter/frontmatter.ts";
import { isBlank, leastBytes, leavesOpen, prependText } from "../../text/joins.ts";
import { editPage } from "./edit.ts";
import { nothingToAdd } from "./edit_refusals.ts";
import type { PrependRequest } from "./edit_requests.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";

export async function prependToPage(
  parts: NotesParts,
  caller: Caller,
  request: PrependRequest,
): Promise<ChangeAnswer> {
  const { content, position } = request;
  if (isBlank(content)) throw nothingToAdd("prepend", "content");
  return await editPage(parts, caller, {
    doing: "prepend to",
    verb: "append",
    action: "prepend",
    request,
    adds: { bytes: leastBytes(content), beside: true },
    make: (text) => ({
      text: prependText(text, content, position),
      warnings: [
        ...(position === "after_frontmatter" && hasUnclosedFrontmatter(text)
          ? [
            "The page's first line opens frontmatter that nothing closes: it counts as none, the text went before it",
          ]
          : []),
        ...(leavesOpen(content) && text.trim() !== ""
          ? ["The text leaves a code fence or comment open: what follows it on the page is part of that now"]
          : []),
      ],
    }),
  });
}
