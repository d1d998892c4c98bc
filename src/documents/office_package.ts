/**
 * An office document as a package of parts (ECMA-376 part 2, Open Packaging Conventions): found by name, unpacked when they
 * are read, joined by relationships. What lies outside the package is never resolved.
 */

import type { Meter } from "./meter.ts";
import type { DocumentFormat } from "./outcome.ts";
import { Rejection } from "./rejection.ts";
import { XmlReader } from "./xml_reader.ts";
import { decodeXml } from "./xml_text.ts";
import { readZipDirectory, type ZipLimits, type ZipMember } from "./zip_directory.ts";
import { unpackMember } from "./zip_member.ts";

export interface Relationship {
  readonly id: string;
  /** The last segment of its type, such as `worksheet`. */
  readonly type: string;
  /** The name of a part; `null` for what lies outside. */
  readonly target: string | null;
}

export interface PackageOptions {
  readonly format: DocumentFormat;
  readonly limits: ZipLimits;
  readonly meter: Meter;
}

const mainTypes: Readonly<Record<DocumentFormat, RegExp>> = {
  docx:
    /wordprocessingml\.(document|template)\.main\+xml$|ms-word\.(document|template)\.macroEnabled(Template)?\.main\+xml$/i,
  pptx:
    /presentationml\.(presentation|slideshow|template)\.main\+xml$|ms-powerpoint\.\w+\.macroEnabled\.main\+xml$/i,
  xlsx: /spreadsheetml\.(sheet|template)\.main\+xml$|ms-excel\.(sheet|template)\.macroEnabled\.main\+xml$/i,
  pdf: /^$/,
};

export class OfficePackage {
  /** The part that the document begins with. */
  readonly main: string;
  readonly #bytes: Uint8Array;
  readonly #members: ReadonlyMap<string, ZipMember>;
  readonly #meter: Meter;

  /** Unpacks every member once, so that a lying one is found wherever it is. Throws `Rejection`. */
  constructor(bytes: Uint8Array, { format, limits, meter }: PackageOptions) {
    const members = readZipDirectory(bytes, limits);
    for (const member of members) {
      meter.check();
      unpackMember(bytes, member);
    }
    this.#bytes = bytes;
    this.#meter = meter;
    this.#members = new Map(members.map((member) => [member.name.toLowerCase(), member]));
    const main = this.relationships("").find(({ type }) => type === "officeDocument")?.target ?? null;
    if (main === null || !this.has(main)) throw new Rejection("format-mismatch");
    if (!mainTypes[format].test(this.#contentType(main))) throw new Rejection("format-mismatch");
    this.main = main;
  }

  has(part: string): boolean {
    return this.#members.has(part.toLowerCase());
  }

  /** A reader over an XML part; `null` where there is no such part. */
  read(part: string): XmlReader | null {
    const member = this.#members.get(part.toLowerCase());
    if (member === undefined) return null;
    this.#meter.check();
    return new XmlReader(decodeXml(unpackMember(this.#bytes, member)), this.#meter);
  }

  /** The relationships of a part, or of the package itself for `""`. */
  relationships(part: string): Relationship[] {
    const slash = part.lastIndexOf("/") + 1;
    const reader = this.read(`${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`);
    const found: Relationship[] = [];
    for (const name of reader?.elements() ?? []) {
      if (reader === null || name !== "rel:Relationship") continue;
      const isOutside = reader.attribute("TargetMode")?.toLowerCase() === "external";
      const target = reader.attribute("Target") ?? "";
      found.push({
        id: reader.attribute("Id") ?? "",
        type: (reader.attribute("Type") ?? "").replace(/^.*\//s, ""),
        target: isOutside ? null : resolvePart(part, target),
      });
    }
    return found;
  }

  #contentType(part: string): string {
    const reader = this.read("[Content_Types].xml");
    if (reader === null) throw new Rejection("format-mismatch");
    const wanted = `/${part.toLowerCase()}`;
    const extension = part.slice(part.lastIndexOf(".") + 1).toLowerCase();
    let byDefault = "";
    let byName: string | null = null;
    for (const name of reader.elements()) {
      const type = reader.attribute("ContentType") ?? "";
      if (name === "ct:Default" && reader.attribute("Extension")?.toLowerCase() === extension) {
        byDefault = type;
      }
      if (name === "ct:Override" && reader.attribute("PartName")?.toLowerCase() === wanted) {
        byName = type;
      }
    }
    return byName ?? byDefault;
  }
}

/** The part that a relationship of `source` means; `null` for what no part can be called. */
function resolvePart(source: string, target: string): string | null {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:|^\/\/|\\/.test(target)) return null;
  const path = target.replace(/[#?].*$/s, "");
  const segments = path.startsWith("/") ? [] : source.split("/").slice(0, -1);
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(decodeSegment(segment));
    else if (segments.pop() === undefined) return null;
  }
  return segments.length === 0 ? null : segments.join("/");
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
