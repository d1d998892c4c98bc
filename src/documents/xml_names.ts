/**
 * Names of elements and attributes, whatever prefix a document chose: each namespace of office documents has one short name
 * here, the same for the transitional and the strict form (ISO/IEC 29500-1 and -4).
 */

import { Rejection } from "./rejection.ts";

const maxPrefixes = 256;
/** Kept at once; a document has some hundred names. */
const maxNames = 4096;
const transitional = "http://schemas.openxmlformats.org/";
const strict = "http://purl.oclc.org/ooxml/";

const shortNames: ReadonlyMap<string, string> = new Map([
  [`${transitional}wordprocessingml/2006/main`, "w"],
  [`${strict}wordprocessingml/main`, "w"],
  [`${transitional}spreadsheetml/2006/main`, "s"],
  [`${strict}spreadsheetml/main`, "s"],
  [`${transitional}presentationml/2006/main`, "p"],
  [`${strict}presentationml/main`, "p"],
  [`${transitional}drawingml/2006/main`, "a"],
  [`${strict}drawingml/main`, "a"],
  [`${transitional}drawingml/2006/diagram`, "dgm"],
  [`${strict}drawingml/diagram`, "dgm"],
  [`${transitional}drawingml/2006/chart`, "c"],
  [`${strict}drawingml/chart`, "c"],
  [`${transitional}officeDocument/2006/math`, "m"],
  [`${strict}officeDocument/math`, "m"],
  [`${transitional}officeDocument/2006/relationships`, "r"],
  [`${strict}officeDocument/relationships`, "r"],
  [`${transitional}markup-compatibility/2006`, "mc"],
  [`${transitional}package/2006/relationships`, "rel"],
  [`${transitional}package/2006/content-types`, "ct"],
  ["http://www.w3.org/XML/1998/namespace", "xml"],
]);

/** The prefixes that are declared at one place of a document, and the names that follow from them. */
export class XmlNames {
  #scopes: Array<{ readonly depth: number; readonly prefixes: ReadonlyMap<string, string> }> = [
    { depth: 0, prefixes: new Map([["", ""], ["xml", "xml"]]) },
  ];
  #elements = new Map<string, string>();

  /** Takes the declarations of an element at that depth: prefix and namespace. */
  declare(depth: number, declarations: ReadonlyArray<readonly [prefix: string, uri: string]>): void {
    const prefixes = new Map(this.#prefixes);
    for (const [prefix, uri] of declarations) {
      prefixes.set(prefix, uri === "" ? "" : shortNames.get(uri) ?? "?");
    }
    if (prefixes.size > maxPrefixes) throw new Rejection("xml-malformed");
    this.#scopes.push({ depth, prefixes });
    this.#elements.clear();
  }

  /** Forgets what was declared at that depth and below. */
  leave(depth: number): void {
    while ((this.#scopes.at(-1)?.depth ?? 0) >= depth && this.#scopes.length > 1) {
      this.#scopes.pop();
      this.#elements.clear();
    }
  }

  /** `w:p` for a paragraph under whatever prefix; `?:name` in a namespace that is none of ours. */
  element(raw: string): string {
    const known = this.#elements.get(raw);
    if (known !== undefined) return known;
    if (this.#elements.size >= maxNames) this.#elements.clear();
    const colon = raw.indexOf(":");
    const name = this.#name(colon < 0 ? "" : raw.slice(0, colon), raw.slice(colon + 1));
    this.#elements.set(raw, name);
    return name;
  }

  /** The same, but an attribute without a prefix is in no namespace. */
  attribute(raw: string): string {
    const colon = raw.indexOf(":");
    return colon < 0 ? raw : this.#name(raw.slice(0, colon), raw.slice(colon + 1));
  }

  get #prefixes(): ReadonlyMap<string, string> {
    return this.#scopes.at(-1)?.prefixes ?? new Map();
  }

  #name(prefix: string, local: string): string {
    const short = this.#prefixes.get(prefix);
    if (short === undefined) throw new Rejection("xml-malformed");
    return short === "" ? local : `${short}:${local}`;
  }
}
