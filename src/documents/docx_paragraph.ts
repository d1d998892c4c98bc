/**
 * The text of one paragraph: runs, tabs, line breaks, text boxes, formulas; the marker of its list in front, the text of its
 * boxes, footnotes and comments on lines below it.
 */

import { type DocxContext, type NoteKind, unshown } from "./docx_context.ts";
import { type PartialPlace, readPlace } from "./docx_styles.ts";
import type { XmlReader } from "./xml_reader.ts";

interface Parts {
  text: string;
  marker: string;
  readonly below: string[];
}

interface Place {
  readonly parts: Parts;
  readonly context: DocxContext;
}

const noteKinds: Readonly<Record<string, NoteKind>> = {
  "w:footnoteReference": "footnote",
  "w:endnoteReference": "endnote",
  "w:commentReference": "comment",
};

/** After the opening of `w:p`, up to its closing. */
export function readParagraph(reader: XmlReader, context: DocxContext): string {
  const parts: Parts = { text: "", marker: "", below: [] };
  for (const name of reader.elements(unshown)) {
    if (name === "w:pPr") parts.marker = readMarker(reader, context);
    else if (name === "w:r") readRun(reader, { parts, context });
    else readInline(reader, { parts, context });
  }
  const hasOwn = parts.text.trim() !== "";
  const own = hasOwn ? [parts.marker === "" ? parts.text : `${parts.marker} ${parts.text}`] : [];
  return [...own, ...parts.below.filter((line) => line.trim() !== "")].join("\n");
}

/** The paragraphs of the present element, at any depth. */
export function readParagraphs(reader: XmlReader, context: DocxContext): string[] {
  const texts: string[] = [];
  for (const name of reader.elements(unshown)) if (name === "w:p") texts.push(readParagraph(reader, context));
  return texts;
}

function readRun(reader: XmlReader, place: Place): void {
  let isHidden = false;
  for (const name of reader.elements(unshown)) {
    if (name === "w:rPr") {
      isHidden = readHidden(reader);
      if (isHidden) place.context.reading.notices.add("hidden-text");
    } else if (isHidden) reader.skip();
    else readInline(reader, place);
  }
}

/** What may stand in a run or, in formulas and drawings, deeper; whatever is not known is looked into. */
function readInline(reader: XmlReader, { parts, context }: Place): void {
  const kind = noteKinds[reader.name];
  if (kind !== undefined) {
    const note = context.refer(kind, reader.attribute("w:id") ?? "");
    parts.text += note?.mark ?? "";
    if (typeof note?.line === "string") (context.notesBelow ?? parts.below).push(note.line);
    return;
  }
  switch (reader.name) {
    case "w:t":
    case "m:t":
    case "a:t":
      parts.text += reader.innerText();
      return;
    case "w:tab":
    case "w:ptab":
      parts.text += "\t";
      return;
    case "w:br":
    case "w:cr":
      parts.text += "\n";
      return;
    case "w:noBreakHyphen":
      parts.text += "-";
      return;
    case "w:txbxContent":
      for (const text of readParagraphs(reader, context)) parts.below.push(text);
      return;
  }
}

/** After the opening of `w:pPr`: the marker of the list that the paragraph belongs to. */
function readMarker(reader: XmlReader, { numbering, styles }: DocxContext): string {
  let style: string | null = null;
  let own: PartialPlace = { list: null, level: null };
  for (const name of reader.elements(unshown)) {
    if (name === "w:pStyle") style = reader.attribute("w:val");
    else if (name === "w:numPr") own = readPlace(reader);
    else if (name === "w:rPr" || name === "w:pPrChange") reader.skip();
  }
  const place = styles.place(own, style);
  return place === null ? "" : numbering.marker(place);
}

/** After the opening of `w:rPr`. Only what the run itself says counts, not its style. */
function readHidden(reader: XmlReader): boolean {
  let isHidden = false;
  for (const name of reader.elements()) {
    if (name === "w:rPrChange") reader.skip();
    else if (name === "w:vanish") isHidden = !/^(0|false|off)$/.test(reader.attribute("w:val") ?? "");
  }
  return isHidden;
}
