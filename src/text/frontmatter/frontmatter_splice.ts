/** How a `key: value` pair is put into YAML that is there: which bytes go and which come. */

import { type LineBreak, withBreaks } from "../lines.ts";
import type { YamlPair } from "./yaml_pairs.ts";
import type { PlainValue } from "./yaml_values.ts";

/** A pair to write: its key, its value, and both as YAML with the key at the left margin. */
export interface Wanted {
  readonly key: string;
  readonly value: PlainValue;
  /** Ends in one "\n". */
  readonly source: string;
  /** Where the pair stands in `source`. */
  readonly pair: YamlPair;
}

export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A new pair on lines of its own at `offset`, the end of the YAML. */
export function added(want: Wanted, offset: number, indent: string): Splice {
  return { from: offset, to: offset, text: indent + indented(want.source.slice(0, -1), indent) + "\n" };
}

export interface Replacement {
  readonly want: Wanted;
  readonly pair: YamlPair;
  /** What `pair` stands in. */
  readonly yaml: string;
  readonly indent: string;
}

/**
 * The value of `pair` replaced. Spaces before it and a comment behind it stay; a comment on a line that begins a
 * block value stays on that line.
 */
export function replaced({ want, pair, yaml, indent }: Replacement): Splice {
  const { source, pair: written } = want;
  if (!pair.block && !written.block && hasValue(pair) && hasValue(written)) {
    const text = indented(source.slice(written.valueStart, written.valueEnd), indent);
    return { from: pair.valueStart, to: pair.valueEnd, text };
  }
  const value = indented(source.slice(written.colon + 1, written.valueEnd), indent);
  const from = pair.colon + 1;
  if (!written.block) return { from, to: pair.valueEnd, text: value + pair.comment };
  if (pair.block) return { from, to: pair.valueEnd, text: withComment(value, pair.comment) };
  const behind = yaml.slice(pair.valueEnd, pair.end).replace(/\r?\n$/, "");
  return { from, to: pair.valueEnd + behind.length, text: withComment(value, behind.trimEnd()) };
}

function hasValue(pair: YamlPair): boolean {
  return pair.valueStart < pair.valueEnd;
}

/** `value` with the comment at the end of its first line. */
function withComment(value: string, comment: string): string {
  const feed = value.indexOf("\n");
  return feed < 0 ? value + comment : value.slice(0, feed) + comment + value.slice(feed);
}

/** Every line but the first with `indent` before it. */
function indented(text: string, indent: string): string {
  return indent === "" ? text : text.replaceAll(/\n(?=[^\n])/g, `\n${indent}`);
}

/** `yaml` with the splices made; what they bring in gets line breaks of the page's kind. */
export function spliced(yaml: string, splices: readonly Splice[], lineBreak: LineBreak): string {
  let result = "";
  let done = 0;
  // Splices at one place keep their order: sorting is stable.
  for (const { from, to, text } of [...splices].sort((a, b) => a.from - b.from)) {
    result += yaml.slice(done, from) + withBreaks(text, lineBreak);
    done = to;
  }
  return result + yaml.slice(done);
}
