/**
 * JSON that can be read in one way only (RFC 8259, with its "should" taken as "must"; RFC 7493 for what is left open).
 *
 * Refused besides what is no JSON: bytes that are not UTF-8, a byte order mark, a name given twice in one object, half a
 * surrogate pair, a number beyond every double, and more levels than anything sensible has.
 */

import { decodeUtf8 } from "./utf8.ts";

export interface StrictJson {
  readonly value: unknown;
  /** True when every number was written as an integer, in digits alone, and is exactly the value that came out. */
  readonly isWhole: boolean;
}

const maxDepth = 64;

/** The one value in those bytes, or `null`. Never throws. */
export function parseStrictJson(bytes: Uint8Array): StrictJson | null {
  const text = decodeUtf8(bytes);
  if (text === null) return null;
  try {
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
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = endOfString(text, at);
      const string = stringIn(text.slice(at, end));
      at = end;
      if (!string.isWellFormed() || isDoubled(string, { names: open.at(-1), text, at })) return "refused";
    } else if (startsNumber(code)) {
      const literal = numberAt(text, at);
      at += literal.length;
      const value = Number(literal);
      if (!Number.isFinite(value)) return "refused";
      isWhole &&= Number.isSafeInteger(value) && /^-?\d+$/.test(literal);
    } else {
      if (code === brace || code === bracket) {
        if (open.length === maxDepth) return "refused";
        open.push(code === brace ? new Set() : null);
      } else if (code === brace + 2 || code === bracket + 2) open.pop();
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
  while (text.charCodeAt(at) <= space) at++;
  if (text.charCodeAt(at) !== colon) return false;
  if (names.has(string)) return true;
  names.add(string);
  return false;
}

/** Just behind the closing quote of the string that opens there, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes++;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Throws for what is no string. */
function stringIn(literal: string): string {
  return literal.includes("\\") ? String(JSON.parse(literal)) : literal.slice(1, -1);
}

function numberAt(text: string, start: number): string {
  let end = start + 1;
  while (end < text.length && isOfNumber(text.charCodeAt(end))) end++;
  return text.slice(start, end);
}

const [space, quote, backslash, bracket, brace, colon] = [0x20, 0x22, 0x5c, 0x5b, 0x7b, 0x3a];

function startsNumber(code: number): boolean {
  return code === 0x2d || (code >= 0x30 && code <= 0x39);
}

/** Digits, `+`, `-`, `.`, `e` and `E`. */
function isOfNumber(code: number): boolean {
  return startsNumber(code) || code === 0x2b || code === 0x2e || code === 0x65 || code === 0x45;
}
