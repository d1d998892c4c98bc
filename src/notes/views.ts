/** What part of a page a caller asked to see: a stretch of its own bytes, or something told about it. */

import { AppError } from "../core/errors.ts";
import { pageNameOf, type PagePath } from "../core/page_name.ts";
import { findHeadings } from "../text/headings.ts";
import { locateFrontmatter } from "../text/frontmatter.ts";
import { splitLines } from "../text/lines.ts";
import { findSection, type SectionCandidate } from "../text/sections.ts";
import { truncateUtf8, utf8Length } from "../text/utf8.ts";
import type { ReadRequest } from "./requests.ts";

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
      ? `Cannot read section ${JSON.stringify(name)} of page ${
        JSON.stringify(page)
      }: ${sections.length} sections have that name`
      : `Cannot read section ${JSON.stringify(name)} of page ${JSON.stringify(page)}: it has no such heading`,
    remedy: sections.length === 0
      ? "The page has no headings: read it in full, or by `lines`."
      : `Pass one of these as \`section\`: ${
        sections.slice(0, 12).map((item) => JSON.stringify(item.section)).join(", ")
      }.`,
    details: { page, path, sections },
  });
}

function describeCandidate({ section, heading }: SectionCandidate) {
  return { section, line: heading.line };
}

function linesSpan({ path, text }: ViewedPage, { startLine, endLine }: ReadRequest): TextSpan {
  const lines = splitLines(text);
  const first = startLine ?? 1;
  const last = endLine ?? lines.length;
  const from = lines[first - 1];
  const to = lines[last - 1];
  if (from === undefined || to === undefined || last < first) {
    throw wrongArgument(
      last < first && endLine !== null ? "end_line" : "start_line",
      `line range ${first}..${last} out of bounds for page with ${lines.length} lines`,
      { page: pageNameOf(path), lines: lines.length },
    );
  }
  return { start: from.start, end: to.next, facts: { start_line: first, end_line: last } };
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
