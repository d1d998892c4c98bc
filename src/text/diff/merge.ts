/**
 * Three-way merge by line: what two sides made of one text, put together where they do not touch the same lines.
 *
 * Line breaks of another kind and a byte order mark are no change: the outcome has those of `theirs`, the text that
 * is there.
 */

import { type Hunk, lineHunks } from "./line_hunks.ts";
import { countLines, dominantBreak, splitLines } from "../lines.ts";

export interface MergeSides {
  /** What both started from. */
  readonly base: string;
  /** What the caller wants to be there. */
  readonly ours: string;
  /** What is there. */
  readonly theirs: string;
}

export interface MergeConflict {
  /** 1-based line of `theirs` where the disagreement begins. */
  readonly line: number;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export type MergeResult =
  | { readonly kind: "merged"; readonly text: string }
  | { readonly kind: "conflict"; readonly conflicts: readonly MergeConflict[] };

export function mergeTexts(given: MergeSides): MergeResult {
  const mark = given.theirs.startsWith("\ufeff") ? "\ufeff" : "";
  const sides = {
    base: withoutMark(given.base),
    ours: withoutMark(given.ours),
    theirs: withoutMark(given.theirs),
  };
  const base = contentLines(sides.base);
  const ours = contentLines(sides.ours);
  const theirs = contentLines(sides.theirs);
  const regions = regionsOf(lineHunks(base, ours), lineHunks(base, theirs));
  const conflicts = regions.flatMap((region) => {
    const oldLines = base.slice(region.start, region.end);
    const mine = sideOf(region, region.ours, { base, side: ours });
    const yours = sideOf(region, region.theirs, { base, side: theirs });
    if (region.ours.length === 0 || region.theirs.length === 0 || equal(mine, yours)) return [];
    return [{
      line: Math.min(lineIn(region, region.theirs) + 1, Math.max(1, countLines(sides.theirs))),
      base: oldLines.join("\n"),
      ours: mine.join("\n"),
      theirs: yours.join("\n"),
    }];
  });
  if (conflicts.length > 0) return { kind: "conflict", conflicts };
  return { kind: "merged", text: mark + assembled({ sides, base, ours, regions }) };
}

/** A stretch of the base that one side or both changed, with the changes of each. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly ours: readonly Hunk[];
  readonly theirs: readonly Hunk[];
}

/** Changes that meet are one region: those that overlap, and insertions at the edge of the other side's change. */
function regionsOf(ours: readonly Hunk[], theirs: readonly Hunk[]): Region[] {
  const all = [
    ...ours.map((hunk) => ({ hunk, mine: true })),
    ...theirs.map((hunk) => ({ hunk, mine: false })),
  ].sort((a, b) => a.hunk.oldStart - b.hunk.oldStart || a.hunk.oldEnd - b.hunk.oldEnd);
  const regions: Array<{ start: number; end: number; ours: Hunk[]; theirs: Hunk[] }> = [];
  for (const { hunk, mine } of all) {
    let region = regions.at(-1);
    const empty = hunk.oldStart === hunk.oldEnd || region?.start === region?.end;
    if (region === undefined || hunk.oldStart > region.end || hunk.oldStart === region.end && !empty) {
      region = { start: hunk.oldStart, end: hunk.oldEnd, ours: [], theirs: [] };
      regions.push(region);
    }
    region.end = Math.max(region.end, hunk.oldEnd);
    (mine ? region.ours : region.theirs).push(hunk);
  }
  return regions;
}

interface Lines {
  readonly base: readonly string[];
  readonly side: readonly string[];
}

/** What one side made of a region. */
function sideOf(region: Region, hunks: readonly Hunk[], { base, side }: Lines): string[] {
  const pieces: string[][] = [];
  let done = region.start;
  for (const hunk of hunks) {
    pieces.push(base.slice(done, hunk.oldStart), side.slice(hunk.newStart, hunk.newEnd));
    done = hunk.oldEnd;
  }
  pieces.push(base.slice(done, region.end));
  return pieces.flat();
}

/** The 0-based line of a side where a region begins. */
function lineIn(region: Region, hunks: readonly Hunk[]): number {
  const first = hunks[0];
  return first === undefined ? region.start : first.newStart - (first.oldStart - region.start);
}

interface Assembly {
  readonly sides: MergeSides;
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly regions: readonly Region[];
}

/** Their text with our changes in it. */
function assembled({ sides, base, ours, regions }: Assembly): string {
  const { theirs } = sides;
  const places = splitLines(theirs);
  const lineBreak = theirs.includes("\n") ? dominantBreak(theirs) : dominantBreak(sides.ours);
  let shift = 0;
  let text = "";
  let done = 0;
  for (const region of regions) {
    const grown = region.theirs.reduce(
      (sum, hunk) => sum + hunk.newEnd - hunk.newStart - hunk.oldEnd + hunk.oldStart,
      0,
    );
    if (region.theirs.length === 0) {
      const from = places[region.start + shift]?.start ?? theirs.length;
      const to = places[region.end + shift]?.start ?? theirs.length;
      text += theirs.slice(done, from);
      const lines = sideOf(region, region.ours, { base, side: ours });
      if (lines.length > 0 && text !== "" && !text.endsWith("\n")) text += lineBreak;
      text += lines.map((line) => line + lineBreak).join("");
      done = to;
    }
    shift += grown;
  }
  return withEndOf(text + theirs.slice(done), sides, lineBreak);
}

/** Ends with a line break where our side changed that, else as theirs does. */
function withEndOf(text: string, { base, ours, theirs }: MergeSides, lineBreak: string): string {
  const wanted = endsClosed(ours) === endsClosed(base) ? endsClosed(theirs) : endsClosed(ours);
  if (text === "" || wanted === text.endsWith("\n")) return text;
  return wanted ? text + lineBreak : text.replace(/\r?\n$/, "");
}

function endsClosed(text: string): boolean {
  return text === "" || text.endsWith("\n");
}

function contentLines(text: string): string[] {
  return splitLines(text).map((line) => text.slice(line.start, line.end));
}

function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
