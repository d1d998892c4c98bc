/** The lines of one slide or of its notes: a paragraph is a line, a row of a table is a line with tabs between its cells. */

import { inOneLine } from "./one_line.ts";
import type { XmlReader } from "./xml_reader.ts";

export interface Slide {
  readonly isHidden: boolean;
  readonly lines: readonly string[];
}

/** A second form of what was there before, and the numbers that the program writes itself. */
const unshown: ReadonlySet<string> = new Set(["mc:Fallback", "p:timing", "p:transition"]);
const shapes: ReadonlySet<string> = new Set(["p:sp", "p:graphicFrame", "p:pic", "p:cxnSp"]);

/** `partText` answers the lines of a chart or diagram by the id of its relationship. */
export function readSlide(reader: XmlReader, partText: (id: string) => readonly string[]): Slide {
  const lines: string[] = [];
  let isHidden = false;
  for (const name of reader.elements(unshown)) {
    if (name === "p:sld") isHidden = /^(0|false)$/.test(reader.attribute("show") ?? "");
    else if (shapes.has(name)) {
      const shape = readShape(reader, partText);
      if (!shape.isHidden && shape.placeholder !== "sldNum") lines.push(...shape.lines);
    }
  }
  return { isHidden, lines };
}

/** What the speaker wrote; not the picture of the slide, its number, header or footer. */
export function readNotes(reader: XmlReader): string[] {
  const lines: string[] = [];
  for (const name of reader.elements(unshown)) {
    if (!shapes.has(name)) continue;
    const shape = readShape(reader, () => []);
    if (shape.placeholder === "body") lines.push(...shape.lines);
  }
  return lines;
}

interface Shape {
  readonly isHidden: boolean;
  /** The type of a placeholder; empty for other shapes. */
  readonly placeholder: string;
  readonly lines: readonly string[];
}

function readShape(reader: XmlReader, partText: (id: string) => readonly string[]): Shape {
  const lines: string[] = [];
  let [isHidden, placeholder] = [false, ""];
  for (const name of reader.elements(unshown)) {
    switch (name) {
      case "p:cNvPr":
        isHidden = /^(1|true)$/.test(reader.attribute("hidden") ?? "");
        break;
      case "p:ph":
        placeholder = reader.attribute("type") ?? "";
        break;
      case "a:p":
        lines.push(readLine(reader));
        break;
      case "a:tr":
        lines.push(readRow(reader));
        break;
      case "c:chart":
        lines.push(...partText(reader.attribute("r:id") ?? ""));
        break;
      case "dgm:relIds":
        lines.push(...partText(reader.attribute("r:dm") ?? ""));
        break;
    }
  }
  return { isHidden, placeholder, lines: lines.filter((line) => line.trim() !== "") };
}

/** After the opening of `a:p`. */
function readLine(reader: XmlReader): string {
  let text = "";
  for (const name of reader.elements(unshown)) {
    if (name === "a:t") text += reader.innerText();
    else if (name === "a:br") text += "\n";
    else if (name === "a:fld" && reader.attribute("type") === "slidenum") reader.skip();
  }
  return text;
}

function readRow(reader: XmlReader): string {
  const cells: string[] = [];
  for (const name of reader.elements(unshown)) {
    if (name !== "a:tc") continue;
    const texts: string[] = [];
    for (const inner of reader.elements(unshown)) if (inner === "a:p") texts.push(readLine(reader));
    cells.push(inOneLine(...texts));
  }
  return cells.every((cell) => cell === "") ? "" : cells.join("\t");
}
