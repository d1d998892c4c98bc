/** Sets and removes keys of a page's frontmatter; every other byte of the page stays. */

import { editFrontmatter } from "../../text/frontmatter/frontmatter_edit.ts";
import { editPage } from "./edit.ts";
import { editRefusal, wrongArgument } from "./edit_refusals.ts";
import type { FrontmatterRequest } from "./edit_requests.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";

const doing = "set frontmatter of";

export async function setFrontmatter(
  parts: NotesParts,
  caller: Caller,
  request: FrontmatterRequest,
): Promise<ChangeAnswer> {
  const { set, remove } = request;
  if (set === null && remove.length === 0) {
    throw wrongArgument("set", {
      doing: "set frontmatter",
      what: "neither `set` nor `remove` was given",
      remedy: "Pass YAML lines such as `status: done` as `set`, or the names of keys as `remove`.",
    });
  }
  return await editPage(parts, caller, {
    doing,
    verb: "write",
    action: "write",
    request,
    make(text, { path, shown }) {
      const edit = editFrontmatter(text, { ...(set === null ? {} : { set }), remove });
      switch (edit.kind) {
        case "edited":
          return { text: edit.text, facts: { keys: edit.changed } };
        case "invalid":
          throw wrongArgument(set === null ? "remove" : "set", {
            doing: "set frontmatter",
            what: edit.reason,
            remedy: "Pass one `key: value` a line as `set`, and names of keys as `remove`.",
          });
        case "malformed": {
          const { line } = edit;
          const place = line === null ? "" : ` in line ${line}`;
          throw editRefusal({ doing, path }, {
            code: "no_match",
            what: `its frontmatter cannot be read as YAML${place}${shown ? `: ${edit.reason}` : ""}; ` +
              "nothing was written",
            remedy: line === null
              ? "Call `read_page` with `view` `frontmatter`, and edit its lines with `patch_page_lines`."
              : `Mend line ${line} with \`patch_page_lines\`, and make the same call again.`,
            details: { reason: "malformed_frontmatter", ...(line === null ? {} : { line }) },
          });
        }
      }
    },
  });
}
