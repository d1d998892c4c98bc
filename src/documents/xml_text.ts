/** The characters of an XML document (XML 1.0, fifth edition): decoding bytes, and references in text. */

import { Rejection } from "./rejection.ts";

/** UTF-8, or UTF-16 with its byte order mark; every other encoding, declared or not, is refused. */
export function decodeXml(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding = first === 0xff && second === 0xfe
    ? "utf-16le"
    : first === 0xfe && second === 0xff
    ? "utf-16be"
    : "utf-8";
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Rejection("xml-malformed");
  }
  const declared = /^<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)["']/.exec(text.slice(0, 200))?.[1]
    ?.toLowerCase();
  if (declared === undefined || declared === encoding) return text;
  const isSame = encoding === "utf-8"
    ? /^(utf-?8|us-ascii)$/.test(declared)
    : /^utf-?16(le|be)?$/.test(declared);
  if (!isSame) throw new Rejection("xml-malformed");
  return text;
}

const predefined: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const longestReference = 12;

/** Replaces the five predefined entities and character references. Any other entity has no place in a document without DTD. */
export function decodeReferences(raw: string): string {
  let at = raw.indexOf("&");
  if (at < 0) return raw;
  let decoded = "";
  let from = 0;
  while (at >= 0) {
    const end = raw.indexOf(";", at);
    if (end < 0 || end - at > longestReference) throw new Rejection("xml-entity");
    decoded += raw.slice(from, at) + decodeReference(raw.slice(at + 1, end));
    from = end + 1;
    at = raw.indexOf("&", from);
  }
  return decoded + raw.slice(from);
}

function decodeReference(name: string): string {
  if (Object.hasOwn(predefined, name)) return predefined[name] ?? "";
  const match = /^#(?:x([0-9A-Fa-f]+)|([0-9]+))$/.exec(name);
  if (match === null) throw new Rejection("xml-entity");
  const code = match[1] === undefined ? Number.parseInt(match[2] ?? "", 10) : Number.parseInt(match[1], 16);
  const isCharacter = code === 0x9 || code === 0xa || code === 0xd || (code >= 0x20 && code <= 0x10ffff);
  if (!isCharacter || (code >= 0xd800 && code <= 0xdfff)) throw new Rejection("xml-malformed");
  return String.fromCodePoint(code);
}
