/** Finds the section that an edit names and changes it, or says which sections there are. */

import type { AppError } from "../../core/errors.ts";
import { quoted } from "../../text/quoted.ts";
import { editSection, type SectionAction } from "../../text/markdown/section_edit.ts";
import { findSection, type SectionSearch } from "../../text/markdown/sections.ts";
import { truncateUtf8 } from "../../text/utf8.ts";
import type { EditedPage } from "./edit.ts";
import { editRefusal } from "./edit_refusals.ts";

export interface NamedSectionChange {
  readonly section: string;
  readonly action: SectionAction;
  readonly content: string | null;
  /** As it stands after "Cannot". */
  readonly doing: string;
  readonly page: EditedPage;
}

const namedInRemedy = 12;
/** Of a longer heading the beginning is shown; the line tells which it is. */
const maxSectionBytes = 300;

/** `text` with that one section changed. */
export function changeSection(text: string, change: NamedSectionChange): string {
  const { action, content, doing, page } = change;
  const search = findSection(text, change.section);
  if (search.kind !== "found") throw notOneSection(change, search);
  const edit = editSection(text, {
    section: search.section,
    action,
    ...(content === null ? {} : { content }),
  });
  if (edit.kind === "edited") return edit.text;
  throw editRefusal({ doing, path: page.path }, {
    code: "invalid_argument",
    what: `section ${quoted(change.section)} cannot be changed so: ${edit.reason}`,
    remedy: "Send `content` without the section's own heading and with every code fence closed.",
    details: { argument: "content" },
  });
}

function notOneSection(
  { section, doing, page }: NamedSectionChange,
  search: Exclude<SectionSearch, { readonly kind: "found" }>,
): AppError {
  const sections = page.shown
    ? search.candidates.map((candidate) => ({
      section: truncateUtf8(candidate.section, maxSectionBytes),
      line: candidate.heading.line,
    }))
    : [];
  const names = sections.slice(0, namedInRemedy).map((candidate) => quoted(candidate.section));
  const ambiguous = search.kind === "ambiguous";
  return editRefusal({ doing, path: page.path }, {
    code: ambiguous ? "ambiguous" : "no_match",
    what: ambiguous
      ? `${search.total} sections are called ${quoted(section)}` +
        (sections.length === 0 ? "" : `, in lines ${sections.map(({ line }) => line).join(", ")}`)
      : `it has no section ${quoted(section)} among its ${search.total}`,
    remedy: names.length > 0
      ? `Pass one of these as \`section\`: ${names.join(", ")}.`
      : search.total === 0
      ? "The page has no headings: use `append_to_page` without `section`."
      : "Call `read_page` with `view` `outline` for the page's headings.",
    details: { sections },
  });
}
