/** What part of a page a caller asked to see: a stretch of its own bytes, or something told about it. */

import { AppError } from "../../core/errors.ts";
import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import { findHeadings } from "../../text/markdown/headings.ts";
import { locateFrontmatter } from "../../text/frontmatter/frontmatter.ts";
import { countLines, lineAt } from "../../text/lines.ts";
import { quoted } from "../../text/quoted.ts";
import { findSection, type SectionCandidate } from "../../text/markdown/sections.ts";
import { truncateUtf8, utf8Length } from "../../text/utf8.ts";
import type { ReadRequest } from "../requests.ts";

/** Character offsets into the text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
  /** More for the line of JSON. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface ViewedPage {
  readonly path: PagePath;
  readonly text: string;
}

const maxCandidates = 40;
/** Of a longer heading the beginning is shown; the line tells which it is. */
const maxSectionBytes = 300;

/** The stretch of the page's own text that the view means. Throws where there is none. */
export function spanOf(page: ViewedPage, request: ReadRequest): TextSpan {
  switch (request.view) {
    case "section":
      return sectionSpan(page, request.section);
    case "lines":
      return linesSpan(page, request);
    case "frontmatter": {
      const found = locateFrontmatter(page.text);
      return found === null
        ? { start: 0, end: 0, facts: { frontmatter: false } }
        : { start: found.start, end: found.end, facts: { frontmatter: true } };
    }
    case "full":
    case "outline":
    case "info":
      return { start: 0, end: page.text.length, facts: {} };
  }
}

export interface Outline {
  readonly text: string;
  readonly headings: number;
  readonly shown: number;
}

/** One line a heading: its line number and the heading as it stands. Ends at a whole line under `maxBytes`. */
export function outlineOf(text: string, maxBytes: number): Outline {
  const headings = findHeadings(text);
  let outline = "";
  let bytes = 0;
  let shown = 0;
  for (const { level, title, line } of headings) {
    const row = `${line} ${"#".repeat(level)} ${truncateUtf8(title, 200)}\n`;
    bytes += utf8Length(row);
    if (bytes > maxBytes) break;
    outline += row;
    shown++;
  }
  return { text: outline, headings: headings.length, shown };
}

function sectionSpan({ path, text }: ViewedPage, name: string | null): TextSpan {
  if (name === null || name.trim() === "") {
    throw wrongArgument(
      "section",
      "`section` is missing: the title of a heading, such as `Tasks` or `A > B`",
    );
  }
  const found = findSection(text, name);
  if (found.kind === "found") {
    const { start, end, heading } = found.section;
    return { start, end, facts: { section: heading.title, start_line: heading.line } };
  }
  const sections = found.candidates.slice(0, maxCandidates).map(describeCandidate);
  const page = pageNameOf(path);
  const ambiguous = found.kind === "ambiguous";
  throw new AppError({
    code: ambiguous ? "ambiguous" : "no_match",
    message: ambiguous
      ? `Cannot read section ${quoted(name)} of page ${
        JSON.stringify(page)
      }: ${sections.length} sections have that name`
      : `Cannot read section ${quoted(name)} of page ${JSON.stringify(page)}: it has no such heading`,
    remedy: sections.length === 0
      ? "The page has no headings: read it in full, or by `lines`."
      : `Pass one of these as \`section\`: ${
        sections.slice(0, 12).map((item) => JSON.stringify(item.section)).join(", ")
      }.`,
    details: { page, path, sections },
  });
}

function describeCandidate({ section, heading }: SectionCandidate) {
  return { section: truncateUtf8(section, maxSectionBytes), line: heading.line };
}

function linesSpan({ path, text }: ViewedPage, { startLine, endLine }: ReadRequest): TextSpan {
  const lines = countLines(text);
  const first = startLine ?? 1;
  const last = endLine ?? lines;
  if (first < 1 || first > lines || last > lines || last < first) {
    throw wrongArgument(
      last < first && endLine !== null ? "end_line" : "start_line",
      `line range ${first}..${last} out of bounds for page with ${lines} lines`,
      { page: pageNameOf(path), lines },
    );
  }
  const start = startOfLine(text, { line: first, from: 0 });
  const end = startOfLine(text, { line: last - first + 2, from: start });
  return { start, end, facts: { start_line: first, end_line: last } };
}

/** Where the line begins that is number `line` when the one at `from` is number 1. */
function startOfLine(text: string, { line, from }: { line: number; from: number }): number {
  let start = from;
  for (let number = 1; number < line && start < text.length; number++) start = lineAt(text, start).next;
  return start;
}

function wrongArgument(
  argument: string,
  what: string,
  details: Readonly<Record<string, unknown>> = {},
): AppError {
  return new AppError({
    code: "invalid_argument",
    message: `Cannot read that part: ${what}`,
    remedy: "`read_page` with `view` `outline` shows the headings and lines of the page.",
    details: { argument, ...details },
  });
}
