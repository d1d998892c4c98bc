/**
 * The numbers and bullets in front of list paragraphs, as Word counts them (ECMA-376 part 1, §17.9): a paragraph names a
 * list and a level, itself or through its style; the text of a level names the counters of the levels above.
 */

import type { OfficePackage } from "./office_package.ts";
import type { XmlReader } from "./xml_reader.ts";

export interface ListPlace {
  readonly list: string;
  readonly level: number;
}

interface Level {
  readonly format: string;
  /** Such as `%1.%2)`. */
  readonly text: string;
  readonly start: number;
}

interface List {
  readonly abstract: string;
  readonly starts: ReadonlyMap<number, number>;
}

const levels = 9;

export class DocxNumbering {
  readonly #lists = new Map<string, List>();
  readonly #abstracts = new Map<string, Map<number, Level>>();
  readonly #counters = new Map<string, Array<number | null>>();
  readonly #started = new Set<string>();

  constructor(source: OfficePackage, part: string | null) {
    const reader = part === null ? null : source.read(part);
    if (reader === null) return;
    for (const name of reader.elements()) {
      if (name === "w:abstractNum") this.#readAbstract(reader);
      else if (name === "w:num") this.#readList(reader);
    }
  }

  /** The marker of the next paragraph at that place, such as `2.1` or `•`; empty where there is none. Counts on. */
  marker({ list, level }: ListPlace): string {
    const found = this.#lists.get(list);
    const known = found === undefined ? undefined : this.#abstracts.get(found.abstract);
    const own = known?.get(level);
    if (found === undefined || known === undefined || own === undefined) return "";
    const counters = this.#countersOf(list, found);
    const start = (at: number) => known.get(at)?.start ?? 1;
    counters[level] = (counters[level] ?? start(level) - 1) + 1;
    for (let below = level + 1; below < levels; below += 1) counters[below] = null;
    if (own.format === "bullet") return "•";
    if (own.format === "none") return "";
    return own.text.replace(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      counters[at] ??= start(at);
      return formatNumber(counters[at] ?? 1, known.get(at)?.format ?? "decimal");
    });
  }

  /** Lists over the same definition count together, unless one says where it starts. */
  #countersOf(list: string, { abstract, starts }: List): Array<number | null> {
    const counters = this.#counters.get(abstract) ?? new Array<number | null>(levels).fill(null);
    this.#counters.set(abstract, counters);
    if (!this.#started.has(list)) {
      this.#started.add(list);
      for (const [level, start] of starts) counters[level] = start - 1;
    }
    return counters;
  }

  #readAbstract(reader: XmlReader): void {
    const id = reader.attribute("w:abstractNumId") ?? "";
    const found = new Map<number, Level>();
    for (const name of reader.elements()) {
      if (name !== "w:lvl") continue;
      const index = levelOf(reader.attribute("w:ilvl"));
      const level = readLevel(reader);
      if (index !== null) found.set(index, level);
    }
    this.#abstracts.set(id, found);
  }

  #readList(reader: XmlReader): void {
    const id = reader.attribute("w:numId") ?? "";
    const starts = new Map<number, number>();
    let abstract = "";
    let level: number | null = null;
    for (const name of reader.elements()) {
      if (name === "w:abstractNumId") abstract = reader.attribute("w:val") ?? "";
      if (name === "w:lvlOverride") level = levelOf(reader.attribute("w:ilvl"));
      if (name === "w:startOverride" && level !== null) {
        starts.set(level, integer(reader.attribute("w:val"), 1));
      }
      if (name === "w:lvl") reader.skip();
    }
    this.#lists.set(id, { abstract, starts });
  }
}

function readLevel(reader: XmlReader): Level {
  let [format, text, start] = ["decimal", "", 1];
  for (const name of reader.elements()) {
    if (name === "w:numFmt") format = reader.attribute("w:val") ?? format;
    if (name === "w:lvlText") text = reader.attribute("w:val") ?? "";
    if (name === "w:start") start = integer(reader.attribute("w:val"), 1);
  }
  return { format, text, start };
}

/** A level of a list from its number in the file, 0 to 8. */
export function levelOf(value: string | null): number | null {
  const level = integer(value, -1);
  return level >= 0 && level < levels ? level : null;
}

function integer(value: string | null, fallback: number): number {
  return value !== null && /^\d{1,6}$/.test(value) ? Number(value) : fallback;
}

function formatNumber(value: number, format: string): string {
  switch (format) {
    case "lowerLetter":
      return letters(value);
    case "upperLetter":
      return letters(value).toUpperCase();
    case "lowerRoman":
      return roman(value);
    case "upperRoman":
      return roman(value).toUpperCase();
    case "decimalZero":
      return String(value).padStart(2, "0");
    default:
      return String(value);
  }
}

/** a to z, then aa, bb: Word repeats the letter. */
function letters(value: number): string {
  if (value < 1) return String(value);
  return String.fromCharCode(97 + (value - 1) % 26).repeat(Math.min(Math.ceil(value / 26), 30));
}

const romans: ReadonlyArray<readonly [number, string]> = [
  ...[[1000, "m"], [900, "cm"], [500, "d"], [400, "cd"], [100, "c"], [90, "xc"]] as const,
  ...[[50, "l"], [40, "xl"], [10, "x"], [9, "ix"], [5, "v"], [4, "iv"], [1, "i"]] as const,
];

function roman(value: number): string {
  if (value < 1 || value > 3999) return String(value);
  let [left, text] = [value, ""];
  for (const [worth, sign] of romans) {
    while (left >= worth) [left, text] = [left - worth, text + sign];
  }
  return text;
}
