/**
 * JSON that can be read in one way only (RFC 8259, with its "should" taken as "must"; RFC 7493 for what is left open).
 *
 * Refused besides what is no JSON: bytes that are not UTF-8, a byte order mark, a name given twice in one object, half a
 * surrogate pair, a number beyond every double, and more levels than anything sensible has.
 */

export interface StrictJson {
  readonly value: unknown;
  /** True when every number was written as an integer, in digits alone, and is exactly the value that came out. */
  readonly isWhole: boolean;
}

const maxDepth = 64;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The one value in those bytes, or `null`. Never throws. */
export function parseStrictJson(bytes: Uint8Array): StrictJson | null {
  try {
    const text = decoder.decode(bytes);
    const numbers = scan(text);
    return numbers === "refused" ? null : { value: JSON.parse(text), isWhole: numbers === "whole" };
  } catch {
    return null;
  }
}

/**
 * Looks for what `JSON.parse` lets pass. Its own word counts for well-formed JSON alone: anything else only has to end, and is
 * refused by the parser.
 */
function scan(text: string): "whole" | "other" | "refused" {
  const open: (Set<string> | null)[] = [];
  let isWhole = true;
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = endOfString(text, at);
      const string = stringIn(text.slice(at, end));
      at = end;
      if (!string.isWellFormed() || isDoubled(string, { names: open.at(-1), text, at })) return "refused";
    } else if (character === "-" || isDigit(character)) {
      const literal = numberAt(text, at);
      at += literal.length;
      if (!Number.isFinite(Number(literal))) return "refused";
      isWhole &&= /^-?\d+$/.test(literal) && Number.isSafeInteger(Number(literal));
    } else {
      if (character === "{" || character === "[") open.push(character === "{" ? new Set() : null);
      if (character === "}" || character === "]") open.pop();
      if (open.length > maxDepth) return "refused";
      at++;
    }
  }
  return isWhole ? "whole" : "other";
}

/** True for the second of two equal names in one object; remembers the first. */
function isDoubled(
  string: string,
  { names, text, at }: { readonly names: Set<string> | null | undefined; readonly text: string; at: number },
): boolean {
  if (names === null || names === undefined) return false;
  while (/\s/.test(text.charAt(at))) at++;
  if (text.charAt(at) !== ":") return false;
  if (names.has(string)) return true;
  names.add(string);
  return false;
}

/** Just behind the closing quote of the string that opens there, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charAt(quote - 1 - backslashes) === "\\") backslashes++;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** Throws for what is no string. */
function stringIn(literal: string): string {
  return literal.includes("\\") ? String(JSON.parse(literal)) : literal.slice(1, -1);
}

function numberAt(text: string, start: number): string {
  let end = start + 1;
  while (end < text.length && /[\d.eE+-]/.test(text.charAt(end))) end++;
  return text.slice(start, end);
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}
