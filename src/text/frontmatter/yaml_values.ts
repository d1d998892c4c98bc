/**
 * YAML read as SilverBullet reads it: by the same library with the same schema, so that both see the same values.
 *
 * Bounded: text that would take long or unfold into much is refused, never half read.
 */

// @ts-types="@types/js-yaml"
import { dump, load, YAMLException } from "js-yaml";

export type PlainValue = string | number | boolean | null | readonly PlainValue[] | PlainMap;
export interface PlainMap {
  readonly [key: string]: PlainValue;
}

export type YamlReading =
  | { readonly kind: "read"; readonly value: PlainValue }
  /** `line` and `column` are 0-based in the text that was read, `null` where the parser knows no place. */
  | {
    readonly kind: "malformed";
    readonly reason: string;
    readonly line: number | null;
    readonly column: number | null;
  };

const maxLength = 65_536;
const maxValues = 20_000;
const maxMerges = 20;

/** The value of one YAML document; an empty one is `null`. Dates become `YYYY-MM-DD` or ISO 8601 texts. */
export function readYaml(text: string): YamlReading {
  if (text.length > maxLength) return malformed(`it is longer than ${maxLength} characters`);
  if (text.split("<<").length > maxMerges) return malformed("it merges too many mappings");
  try {
    return { kind: "read", value: new Plainer().plain(load(text)) };
  } catch (error) {
    if (error instanceof YAMLException) {
      const mark: { line: number; column: number } | undefined = error.mark;
      return {
        kind: "malformed",
        reason: withoutQuotes(error.reason),
        line: mark?.line ?? null,
        column: mark?.column ?? null,
      };
    }
    if (error instanceof RangeError) return malformed("it is nested too deeply");
    if (error instanceof TooMany) return malformed("it unfolds into too many values");
    throw error;
  }
}

/** One `key: value` pair as block YAML, with a final line break. */
export function writeYamlPair(key: string, value: PlainValue): string {
  return dump({ [key]: value }, { lineWidth: -1, noRefs: true });
}

export function isPlainMap(value: PlainValue): value is PlainMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True where both hold the same, in whatever order of keys. */
export function sameValue(a: PlainValue, b: PlainValue): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index] ?? null));
  }
  if (!isPlainMap(a) || !isPlainMap(b)) return Object.is(a, b);
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key] ?? null, b[key] ?? null));
}

/** What the library says is wrong, up to where it would quote the page. */
function withoutQuotes(reason: string): string {
  return /^[\w ,.()'-]*/.exec(reason)?.[0].trim() || "it cannot be read";
}

function malformed(reason: string): YamlReading {
  return { kind: "malformed", reason, line: null, column: null };
}

class TooMany extends Error {}

/** Turns what the library answers into plain values, each place on its own: aliases are unfolded, up to a limit. */
class Plainer {
  #left = maxValues;

  plain(value: unknown): PlainValue {
    if (this.#left-- <= 0) throw new TooMany();
    if (typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
    if (value instanceof Date) return dateText(value);
    if (Array.isArray(value)) return value.map((item) => this.plain(item));
    if (typeof value !== "object" || value === null) return null;
    if (value instanceof Uint8Array) return `${value.length} bytes`;
    const map: Record<string, PlainValue> = Object.create(null);
    for (const [key, item] of Object.entries(value)) map[key] = this.plain(item);
    return map;
  }
}

function dateText(date: Date): string {
  const text = Number.isNaN(date.getTime()) ? "" : date.toISOString();
  return text.replace(/T00:00:00\.000Z$/, "");
}
