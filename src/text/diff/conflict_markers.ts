/**
 * Conflicts that were written into a page: SilverBullet's own (from 2.11) and git's (plugs/index/conflict.ts).
 *
 * SilverBullet's lock a page for every other edit; git's are only worth a warning, since a page may quote them.
 */

import { type Blocks, scanBlocks } from "../markdown/blocks.ts";
import { type Line, splitLines } from "../lines.ts";

export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Conflict {
  readonly origin: "silverbullet" | "git";
  /** 1-based line of the opening marker. */
  readonly line: number;
  /** From the opening marker to after the closing one; to after the opening one's line where the rest is missing. */
  readonly start: number;
  readonly end: number;
  /** The texts between the markers, `null` where the rest is missing. */
  readonly sides: {
    readonly first: Range;
    /** What both started from; git leaves it out unless told otherwise. */
    readonly base: Range | null;
    readonly second: Range;
  } | null;
  readonly inCode: boolean;
}

type Mark = "open" | "base" | "separator" | "close";

const silverbulletMarks: readonly (readonly [string, Mark])[] = [
  ["<<<<<<< SB sha256:", "open"],
  ["||||||| SB BASE sha256:", "base"],
  [">>>>>>> SB sha256:", "close"],
];

/** Every conflict of `text`, in order. Half ones count for SilverBullet only. */
export function findConflicts(text: string | Blocks): Conflict[] {
  const source = typeof text === "string" ? text : text.source;
  if (!/^<<<<<<</m.test(source)) return [];
  const blocks = typeof text === "string" ? scanBlocks(text) : text;
  const lines = splitLines(source);
  const conflicts: Conflict[] = [];
  for (let index = 0; index < lines.length; index++) {
    const found = conflictAt(source, lines, index);
    if (found === null) continue;
    const { lastLine, ...conflict } = found;
    conflicts.push({ ...conflict, inCode: isInCode(blocks, conflict.start) });
    index = lastLine;
  }
  return conflicts;
}

/**
 * True for a page that SilverBullet waits for a person to resolve.
 *
 * Inside code only a whole conflict with real hashes counts: anything less is an example in somebody's notes.
 */
export function isLocked(text: string, conflicts: readonly Conflict[] = findConflicts(text)): boolean {
  return conflicts.some(({ origin, inCode, sides, start }) => {
    if (origin !== "silverbullet") return false;
    return !inCode || sides !== null && /^.{18}[0-9a-f]{64}\s/.test(text.slice(start, start + 83));
  });
}

/** `text` with each whole conflict replaced by one of its sides. */
export function withSide(text: string, conflicts: readonly Conflict[], side: "first" | "second"): string {
  let result = "";
  let done = 0;
  for (const { start, end, sides } of conflicts) {
    if (sides === null) continue;
    const chosen = sides[side];
    result += text.slice(done, start) + text.slice(chosen.start, chosen.end);
    done = end;
  }
  return result + text.slice(done);
}

type FoundConflict = Omit<Conflict, "inCode"> & { readonly lastLine: number };

function conflictAt(text: string, lines: readonly Line[], index: number): FoundConflict | null {
  const first = lines[index];
  if (first === undefined) return null;
  const origin = originOf(text, first);
  if (origin === null) return null;
  const marks = marksAfter(text, lines, { index, origin });
  const half = { origin, line: index + 1, start: first.start, end: first.next, sides: null, lastLine: index };
  if (marks === null) return origin === "silverbullet" ? half : null;
  const { base, separator, close } = marks;
  return {
    ...half,
    end: close.next,
    lastLine: marks.lastLine,
    sides: {
      first: { start: first.next, end: (base ?? separator).start },
      base: base === null ? null : { start: base.next, end: separator.start },
      second: { start: separator.next, end: close.start },
    },
  };
}

interface Opening {
  readonly index: number;
  readonly origin: Conflict["origin"];
}

interface Marks {
  readonly base: Line | null;
  readonly separator: Line;
  readonly close: Line;
  readonly lastLine: number;
}

/** The marks that belong to the opening one, in their order and with no other opening one between. */
function marksAfter(text: string, lines: readonly Line[], { index, origin }: Opening): Marks | null {
  let base: Line | null = null;
  let separator: Line | null = null;
  for (let next = index + 1; next < lines.length; next++) {
    const line = lines[next];
    if (line === undefined || originOf(text, line) !== null) return null;
    const mark = markOf(text.slice(line.start, line.end), origin);
    if (mark === "base" && base === null && separator === null) base = line;
    else if (mark === "separator" && separator === null) {
      if (origin === "silverbullet" && base === null) continue;
      separator = line;
    } else if (mark === "close" && separator !== null) {
      return { base, separator, close: line, lastLine: next };
    }
  }
  return null;
}

function originOf(text: string, line: Line): Conflict["origin"] | null {
  const content = text.slice(line.start, line.end);
  if (content.startsWith("<<<<<<< SB sha256:")) return "silverbullet";
  return /^<{7}(?: |$)/.test(content) ? "git" : null;
}

function markOf(content: string, origin: Conflict["origin"]): Mark | null {
  if (content === "=======") return "separator";
  if (origin === "silverbullet") {
    return silverbulletMarks.find(([prefix]) => content.startsWith(prefix))?.[1] ?? null;
  }
  if (/^\|{7}(?: |$)/.test(content)) return "base";
  return /^>{7}(?: |$)/.test(content) ? "close" : null;
}

function isInCode(blocks: Blocks, offset: number): boolean {
  const position = blocks.clean.toClean(offset);
  return blocks.code.some(({ from, to }) => from <= position && position < to);
}
