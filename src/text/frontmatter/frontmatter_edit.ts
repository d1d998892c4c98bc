/**
 * Sets and removes keys of a page's frontmatter by splicing bytes: every other byte of the page stays.
 *
 * YAML is never written again as a whole. Where a key stands is found by layout (`yaml_pairs.ts`), and the outcome is
 * read again with SilverBullet's own library: unless exactly the wanted keys changed, nothing is changed at all.
 */

import { quoted } from "../quoted.ts";
import { type Frontmatter, hasUnclosedFrontmatter, locateFrontmatter } from "./frontmatter.ts";
import { added, replaced, type Splice, spliced, type Wanted } from "./frontmatter_splice.ts";
import { readFrontmatter } from "./frontmatter_values.ts";
import { countLines, dominantBreak, lineAt, type LineBreak, withBreaks } from "../lines.ts";
import { findPairs } from "./yaml_pairs.ts";
import {
  isPlainMap,
  type PlainMap,
  type PlainValue,
  readYaml,
  sameValue,
  writeYamlPair,
} from "./yaml_values.ts";

export interface FrontmatterChange {
  /** YAML lines (`status: done`), or values by key. */
  readonly set?: string | PlainMap;
  readonly remove?: readonly string[];
}

export type FrontmatterEdit =
  /** `text` is the page itself where every key already is as wanted. */
  | { readonly kind: "edited"; readonly text: string; readonly changed: readonly string[] }
  /** The page's frontmatter cannot be edited safely. `line` is the page's, 1-based, where one is known. */
  | { readonly kind: "malformed"; readonly reason: string; readonly line: number | null }
  /** `set` or `remove` themselves are wrong. */
  | { readonly kind: "invalid"; readonly reason: string };

export function editFrontmatter(page: string, change: FrontmatterChange): FrontmatterEdit {
  const remove = new Set(change.remove ?? []);
  const wanted = readWanted(change.set ?? {});
  if (typeof wanted === "string") return { kind: "invalid", reason: wanted };
  const both = wanted.find(({ key }) => remove.has(key));
  if (both !== undefined) {
    return { kind: "invalid", reason: `${quoted(both.key)} is both set and removed` };
  }
  const place = placeOf(page);
  if (place === null) return withoutFrontmatter(page, wanted);
  return withFrontmatter({ page, place, wanted, remove });
}

/** The block to edit; an empty one, which SilverBullet takes for two rules, counts. */
function placeOf(page: string): Frontmatter | null {
  const place = locateFrontmatter(page);
  if (place !== null) return place;
  const start = page.charCodeAt(0) === 0xfeff ? 1 : 0;
  const first = lineAt(page, start);
  const second = lineAt(page, first.next);
  if (page.slice(first.start, first.end) !== "---" || page.slice(second.start, second.end) !== "---") {
    return null;
  }
  return { start, yamlStart: first.next, yamlEnd: first.next, end: second.next };
}

function withoutFrontmatter(page: string, wanted: readonly Wanted[]): FrontmatterEdit {
  if (hasUnclosedFrontmatter(page)) {
    return {
      kind: "malformed",
      reason: "the first line opens frontmatter that no later `---` closes",
      line: 1,
    };
  }
  if (wanted.length === 0) return { kind: "edited", text: page, changed: [] };
  const start = page.charCodeAt(0) === 0xfeff ? 1 : 0;
  const yaml = wanted.map(({ source }) => source).join("");
  const block = withBreaks(`---\n${yaml}---\n`, dominantBreak(page));
  const text = page.slice(0, start) + block + page.slice(start);
  return checked({ text, expected: valuesOf(wanted), changed: wanted.map(({ key }) => key) });
}

interface Editing {
  readonly page: string;
  readonly place: Frontmatter;
  readonly wanted: readonly Wanted[];
  readonly remove: ReadonlySet<string>;
}

function withFrontmatter({ page, place, wanted, remove }: Editing): FrontmatterEdit {
  const yaml = page.slice(place.yamlStart, place.yamlEnd);
  const firstLine = countLines(page.slice(0, place.yamlStart)) + 1;
  const reading = readYaml(yaml);
  if (reading.kind === "malformed") {
    const line = reading.line === null ? null : firstLine + reading.line;
    return { kind: "malformed", reason: reading.reason, line };
  }
  const values = reading.value ?? {};
  if (!isPlainMap(values)) return { kind: "malformed", reason: "it is not a list of keys", line: firstLine };
  const search = findPairs(yaml);
  if (search.kind === "unplaced") {
    return { kind: "malformed", reason: search.reason, line: firstLine + search.line };
  }
  const pairs = new Map(search.pairs.map((pair) => [pair.key, pair]));
  const keys = Object.keys(values);
  if (pairs.size !== keys.length || keys.some((key) => !pairs.has(key))) {
    return { kind: "malformed", reason: "its keys cannot be told apart byte by byte", line: firstLine };
  }
  const lineBreak = dominantBreak(page);
  const splices: Splice[] = [];
  const changed: string[] = [];
  const expected: Record<string, PlainValue> = Object.assign(Object.create(null), values);
  for (const key of remove) {
    const pair = pairs.get(key);
    if (pair === undefined) continue;
    splices.push({ from: pair.start, to: pair.end, text: "" });
    changed.push(key);
    delete expected[key];
  }
  for (const want of wanted) {
    const pair = pairs.get(want.key);
    if (pair !== undefined && sameValue(values[want.key] ?? null, want.value)) continue;
    splices.push(
      pair === undefined
        ? added(want, yaml.length, search.indent)
        : replaced({ want, pair, yaml, indent: search.indent }),
    );
    changed.push(want.key);
    expected[want.key] = want.value;
  }
  if (changed.length === 0) return { kind: "edited", text: page, changed };
  const text = withYaml({ page, place, yaml: spliced(yaml, splices, lineBreak), lineBreak });
  return checked({ text, expected, changed });
}

interface NewYaml {
  readonly page: string;
  readonly place: Frontmatter;
  readonly yaml: string;
  readonly lineBreak: LineBreak;
}

/** The page with other YAML between its markers; without markers when none is left. */
function withYaml({ page, place, yaml, lineBreak }: NewYaml): string {
  const head = page.slice(0, place.start);
  if (yaml.trim() === "") {
    const bare = head + page.slice(place.end);
    if (locateFrontmatter(bare) === null && !hasUnclosedFrontmatter(bare)) return bare;
    // What follows would be taken for frontmatter: the block stays, with an empty line in it.
    return page.slice(0, place.yamlStart) + lineBreak + page.slice(place.yamlEnd);
  }
  return page.slice(0, place.yamlStart) + yaml + page.slice(place.yamlEnd);
}

interface Outcome {
  readonly text: string;
  readonly expected: PlainMap;
  readonly changed: readonly string[];
}

/** The edit, unless the page does not read as it should now. */
function checked({ text, expected, changed }: Outcome): FrontmatterEdit {
  const now = readFrontmatter(text);
  const values = now.kind === "read" ? now.values : now.kind === "none" ? {} : null;
  if (values !== null && sameValue(values, expected)) return { kind: "edited", text, changed };
  return { kind: "malformed", reason: "its layout allows no edit of these keys alone", line: null };
}

/** What `set` asks for, or what is wrong with it. */
function readWanted(set: string | PlainMap): Wanted[] | string {
  if (typeof set !== "string") return Object.entries(set).map(([key, value]) => writtenPair(key, value));
  const yaml = atLeftMargin(withBreaks(set, "\n"));
  const reading = readYaml(yaml);
  if (reading.kind === "malformed") {
    const line = reading.line === null ? "" : ` in line ${reading.line + 1}`;
    return `it is not valid YAML${line}: ${reading.reason}`;
  }
  const values = reading.value ?? {};
  if (!isPlainMap(values)) return "it holds no `key: value` lines";
  const search = findPairs(yaml);
  const pairs = new Map(search.kind === "found" ? search.pairs.map((pair) => [pair.key, pair]) : []);
  return Object.entries(values).map(([key, value]) => {
    const pair = pairs.get(key);
    if (pair === undefined) return writtenPair(key, value);
    const source = yaml.slice(pair.start, pair.valueEnd) + "\n";
    return placed(key, value, source) ?? writtenPair(key, value);
  });
}

function writtenPair(key: string, value: PlainValue): Wanted {
  const source = writeYamlPair(key, value);
  const pair = findPairs(source);
  const only = pair.kind === "found" ? pair.pairs[0] : undefined;
  if (only !== undefined) return { key, value, source, pair: only };
  const colon = source.indexOf(":");
  const end = source.length - 1;
  return {
    key,
    value,
    source,
    pair: {
      key,
      start: 0,
      colon,
      valueStart: colon + 1,
      valueEnd: end,
      end: source.length,
      block: true,
      comment: "",
    },
  };
}

/** The pair in `source`, where it alone still means `value`. */
function placed(key: string, value: PlainValue, source: string): Wanted | null {
  const reading = readYaml(source);
  if (reading.kind !== "read" || !sameValue(reading.value, { [key]: value })) return null;
  const search = findPairs(source);
  const pair = search.kind === "found" && search.pairs.length === 1 ? search.pairs[0] : undefined;
  return pair === undefined ? null : { key, value, source, pair };
}

function valuesOf(wanted: readonly Wanted[]): PlainMap {
  return Object.fromEntries(wanted.map(({ key, value }) => [key, value]));
}

/** Takes the common indentation off. */
function atLeftMargin(yaml: string): string {
  const lines = yaml.split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/[^ ]/));
  const common = indents.reduce((least, indent) => Math.min(least, indent), Infinity);
  return common === Infinity
    ? yaml
    : lines.map((line) => line.slice(Math.min(common, line.length))).join("\n");
}
