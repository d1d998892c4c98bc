/**
 * Finds the section that a caller names: `Title`, `## Title`, `A > B`, and `#2` for the second of equals.
 *
 * What is written is first looked for as a whole title, so that a title may itself hold `>` or end in `#2`. Titles
 * are compared exactly, but for the spaces around them. Nothing is ever guessed: several or none is an answer.
 */

import type { Blocks } from "./blocks.ts";
import { closeNames } from "../close_names.ts";
import { findHeadings, type Heading, type Section, sectionOf } from "./headings.ts";

export interface SectionCandidate {
  /** A name that finds exactly this section. */
  readonly section: string;
  readonly heading: Heading;
}

export type SectionSearch =
  | { readonly kind: "found"; readonly section: Section }
  /** `total` sections have that name; the first of them. */
  | { readonly kind: "ambiguous"; readonly candidates: readonly SectionCandidate[]; readonly total: number }
  /** None of the page's `total` sections has it; those with a similar title first. */
  | { readonly kind: "unknown"; readonly candidates: readonly SectionCandidate[]; readonly total: number };

const maxCandidates = 20;
/** More `>` than this are not tried as a path. */
const maxPathParts = 8;
const maxNameLength = 1000;

export function findSection(text: string, name: string, blocks?: Blocks): SectionSearch {
  const headings = findHeadings(blocks ?? text);
  const all = headings.map((_, index) => index);
  const found = name.length > maxNameLength ? [] : matching(headings, all, name);
  const only = found.length === 1 ? found[0] : undefined;
  if (only !== undefined) {
    const section = sectionOf(text, headings, only);
    if (section !== null) return { kind: "found", section };
  }
  if (found.length > 1) {
    return { kind: "ambiguous", candidates: candidates(headings, found), total: found.length };
  }
  return { kind: "unknown", candidates: candidates(headings, similar(headings, name)), total: all.length };
}

/** The shortest name that finds the section of `headings[index]` and no other. */
export function sectionName(headings: readonly Heading[], index: number): string {
  const heading = headings[index];
  if (heading === undefined) return "";
  const all = headings.map((_, position) => position);
  const path = ancestors(headings, index).map((position) => headings[position]?.title ?? "");
  const names = [heading.title, [...path, heading.title].join(" > ")];
  for (const name of names) {
    const found = matching(headings, all, name);
    if (found.length === 1 && found[0] === index) return name;
  }
  for (const name of names) {
    const position = matching(headings, all, name).indexOf(index);
    const numbered = `${name}#${position + 1}`;
    const found = matching(headings, all, numbered);
    if (position >= 0 && found.length === 1 && found[0] === index) return numbered;
  }
  return `${"#".repeat(heading.level)} ${heading.title}`;
}

function candidates(headings: readonly Heading[], indexes: readonly number[]): SectionCandidate[] {
  return indexes.slice(0, maxCandidates).flatMap((index) => {
    const heading = headings[index];
    return heading === undefined ? [] : [{ section: sectionName(headings, index), heading }];
  });
}

/** All headings, those whose title is close to `name` first. */
function similar(headings: readonly Heading[], name: string): number[] {
  const wanted = name.slice(name.lastIndexOf(">") + 1).replace(/^\s*#{1,6}\s/, "").trim();
  const close = new Set(closeNames(wanted, headings.map((heading) => heading.title), maxCandidates));
  const first = headings.flatMap((heading, index) => close.has(heading.title) ? [index] : []);
  return [...new Set([...first, ...headings.keys()])];
}

/** The indexes among `scope` that `name` may mean. */
function matching(headings: readonly Heading[], scope: readonly number[], name: string): number[] {
  const whole = matchingTitle(headings, scope, name.trim());
  if (whole.length > 0) return whole;
  const parts = name.split(">");
  if (parts.length > maxPathParts) return [];
  for (let split = 1; split < parts.length; split++) {
    const outer = matchingTitle(headings, scope, parts.slice(0, split).join(">").trim());
    const inner = parts.slice(split).join(">");
    const found = new Set(outer.flatMap((index) => matching(headings, descendants(headings, index), inner)));
    if (found.size > 0) return [...found].sort((a, b) => a - b);
  }
  return [];
}

/** By title, with number signs before it for the level, or `#2` after it for the second. */
function matchingTitle(headings: readonly Heading[], scope: readonly number[], name: string): number[] {
  const unnumbered = matchingLevel(headings, scope, name);
  if (unnumbered.length > 0) return unnumbered;
  const number = /#(\d{1,4})$/.exec(name);
  if (number === null) return [];
  const equals = matchingLevel(headings, scope, name.slice(0, number.index).trim());
  const chosen = equals[Number(number[1]) - 1];
  return chosen === undefined ? [] : [chosen];
}

function matchingLevel(headings: readonly Heading[], scope: readonly number[], name: string): number[] {
  const plain = scope.filter((index) => headings[index]?.title === name);
  const marks = /^#{1,6}(?=[ \t])/.exec(name)?.[0];
  if (plain.length > 0 || marks === undefined) return plain;
  const title = name.slice(marks.length).trim();
  return scope.filter((index) => headings[index]?.title === title && headings[index]?.level === marks.length);
}

/** Everything below `headings[index]`, up to the next heading of its level or a higher one. */
function descendants(headings: readonly Heading[], index: number): number[] {
  const level = headings[index]?.level ?? 0;
  const found: number[] = [];
  for (let next = index + 1; (headings[next]?.level ?? 0) > level; next++) found.push(next);
  return found;
}

/** The headings that `headings[index]` lies below, outermost first. */
function ancestors(headings: readonly Heading[], index: number): number[] {
  const found: number[] = [];
  let level = headings[index]?.level ?? 0;
  for (let before = index - 1; before >= 0 && level > 1; before--) {
    const outer = headings[before]?.level ?? 0;
    if (outer >= level) continue;
    found.unshift(before);
    level = outer;
  }
  return found;
}
