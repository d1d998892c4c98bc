/**
 * Changes one section of a page: the heading that a caller names and what is below it, and not a byte besides.
 *
 * Content that repeats the section's own heading as its first line is taken without it, so that no heading is ever
 * doubled, however often a model sends it along.
 */

import { scanBlocks } from "./blocks.ts";
import { findHeadings, type Heading, type Section } from "./headings.ts";
import { insertBlock, isBlank, trimBreaks } from "../joins.ts";
import { dominantBreak, lineAt, withBreaks } from "../lines.ts";

export type SectionAction =
  | "replace"
  | "append"
  | "prepend"
  | "insert_before"
  | "insert_after"
  | "delete"
  | "rename";

export type SectionEdit =
  | { readonly kind: "edited"; readonly text: string }
  /** The action cannot be done with that content. */
  | { readonly kind: "invalid"; readonly reason: string };

export interface SectionChange {
  readonly section: Section;
  readonly action: SectionAction;
  /** Not for `delete`. */
  readonly content?: string;
}

export function editSection(page: string, change: SectionChange): SectionEdit {
  const edit = attempt(page, change);
  return edit.kind === "edited" ? checked(page, edit.text, change) : edit;
}

function attempt(page: string, { section, action, content = "" }: SectionChange): SectionEdit {
  switch (action) {
    case "replace":
      return replaced(page, section, withoutOwnHeading(section, content));
    case "append":
      return inserted(
        page,
        lastLineEnd(page, section.bodyStart, section.end),
        withoutOwnHeading(section, content),
      );
    case "prepend":
      return inserted(page, firstLineStart(page, section), withoutOwnHeading(section, content));
    case "insert_before":
      return inserted(page, section.start, content);
    case "insert_after":
      return inserted(page, lastLineEnd(page, section.bodyStart, section.end), content);
    case "delete":
      return { kind: "edited", text: page.slice(0, section.start) + page.slice(section.end) };
    case "rename":
      return renamed(page, section, content);
  }
}

function inserted(page: string, offset: number, content: string): SectionEdit {
  if (isBlank(content)) return { kind: "invalid", reason: "the content is empty" };
  return { kind: "edited", text: insertBlock(page, offset, content) };
}

/** Everything below the heading, sections below it included, becomes `body`. Blank lines around it stay. */
function replaced(page: string, section: Section, body: string): SectionEdit {
  const from = firstLineStart(page, section);
  const to = lastLineEnd(page, from, section.end);
  if (isBlank(body)) return { kind: "edited", text: page.slice(0, from) + page.slice(to) };
  if (to === from) return inserted(page, from, body);
  const lineBreak = page.includes("\n") ? dominantBreak(page) : dominantBreak(body);
  const lastBreak = page.slice(from, to).endsWith("\n") ? lineBreak : "";
  const text = trimBreaks(withBreaks(body, lineBreak)) + lastBreak;
  return { kind: "edited", text: page.slice(0, from) + text + page.slice(to) };
}

/** Only the title's own bytes change; number signs before it and after it stay. */
function renamed(page: string, section: Section, content: string): SectionEdit {
  const title = content.trim().replace(/^#{1,6}[ \t]+/, "").trim();
  if (title === "") return { kind: "invalid", reason: "the new title is empty" };
  if (/[\r\n]/.test(title)) return { kind: "invalid", reason: "a title is one line" };
  const { heading } = section;
  const space = /[ \t]$/.test(page.slice(heading.start, heading.titleStart)) ? "" : " ";
  const text = page.slice(0, heading.titleStart) + space + title + page.slice(heading.titleEnd);
  const now = findHeadings(text).find((other) => other.start === heading.start);
  if (now?.title !== title || now.level !== heading.level) {
    return { kind: "invalid", reason: "the new title would not be read as it is written" };
  }
  return { kind: "edited", text };
}

/** The edit, unless it would double the section's heading or change how the rest of the page is read. */
function checked(page: string, text: string, { section: { heading }, action }: SectionChange): SectionEdit {
  const before = findHeadings(page);
  const after = findHeadings(text);
  if (after.filter(sameAs(heading)).length > before.filter(sameAs(heading)).length) {
    return { kind: "invalid", reason: "the content would double the section's heading" };
  }
  const { from, to } = changedPart(page, text);
  const shift = text.length - page.length;
  const places = new Map(after.map((other) => [other.start, other]));
  const lost = before.find((other) => {
    if (other.end > from && other.start < to || action === "rename" && other.start === heading.start) {
      return false;
    }
    const now = places.get(other.end <= from ? other.start : other.start + shift);
    return now === undefined || !sameAs(other)(now);
  });
  if (lost === undefined) return { kind: "edited", text };
  return {
    kind: "invalid",
    reason:
      `the content would swallow the heading in line ${lost.line}, as a code fence that is not closed does`,
  };
}

function sameAs(heading: Heading): (other: Heading) => boolean {
  return (other) => other.title === heading.title && other.level === heading.level;
}

/** What lies between the common beginning and the common end of both texts, as offsets in `before`. */
function changedPart(before: string, after: string): { readonly from: number; readonly to: number } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < shorter - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return { from, to: before.length - tail };
}

/** `content` without a first line that is the section's own heading, unless it is of a lower level. */
function withoutOwnHeading(section: Section, content: string): string {
  const first = findHeadings(scanBlocks(content, { fragment: true }))[0];
  if (first === undefined || first.title !== section.heading.title) return content;
  if (first.level > section.heading.level || !isBlank(content.slice(0, first.start))) return content;
  return content.slice(first.next);
}

/** Where the text below the heading begins, after blank lines; right below the heading where there is none. */
function firstLineStart(page: string, section: Section): number {
  for (let offset = section.bodyStart; offset < section.end;) {
    const line = lineAt(page, offset);
    if (!isBlank(page.slice(line.start, line.end))) return offset;
    offset = line.next;
  }
  return section.bodyStart;
}

/** After the last line between `from` and `to` that is not blank, its break included; `from` where all are. */
function lastLineEnd(page: string, from: number, to: number): number {
  let end = from;
  for (let offset = from; offset < to;) {
    const line = lineAt(page, offset);
    if (!isBlank(page.slice(line.start, line.end))) end = line.next;
    offset = line.next;
  }
  return end;
}
