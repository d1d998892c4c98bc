/** Which list a paragraph style belongs to, by itself or through the style that it is based on. */

import { levelOf, type ListPlace } from "./docx_numbering.ts";
import type { OfficePackage } from "./office_package.ts";
import type { XmlReader } from "./xml_reader.ts";

interface Style {
  readonly base: string | null;
  readonly place: PartialPlace;
}

/** What a paragraph or a style says of its list; each may say one without the other. */
export interface PartialPlace {
  readonly list: string | null;
  readonly level: number | null;
}

const deepestChain = 20;

export class DocxStyles {
  readonly #styles = new Map<string, Style>();

  constructor(source: OfficePackage, part: string | null) {
    const reader = part === null ? null : source.read(part);
    for (const name of reader?.elements() ?? []) {
      if (reader === null || name !== "w:style") continue;
      const id = reader.attribute("w:styleId") ?? "";
      this.#styles.set(id, readStyle(reader));
    }
  }

  /** Where a paragraph stands in a list, or `null`. List `0` takes a paragraph out of the list of its style. */
  place(own: PartialPlace, style: string | null): ListPlace | null {
    let { list, level } = own;
    let next = style;
    for (let step = 0; next !== null && step < deepestChain && (list === null || level === null); step += 1) {
      const found: Style | undefined = this.#styles.get(next);
      list ??= found?.place.list ?? null;
      level ??= found?.place.level ?? null;
      next = found?.base ?? null;
    }
    return list === null || list === "0" ? null : { list, level: level ?? 0 };
  }
}

function readStyle(reader: XmlReader): Style {
  let base: string | null = null;
  let place: PartialPlace = { list: null, level: null };
  for (const name of reader.elements()) {
    if (name === "w:basedOn") base = reader.attribute("w:val");
    if (name === "w:numPr") place = readPlace(reader);
  }
  return { base, place };
}

/** After the opening of `w:numPr`. */
export function readPlace(reader: XmlReader): PartialPlace {
  let [list, level]: [string | null, number | null] = [null, null];
  for (const name of reader.elements()) {
    if (name === "w:numId") list = reader.attribute("w:val");
    if (name === "w:ilvl") level = levelOf(reader.attribute("w:val"));
  }
  return { list, level };
}
