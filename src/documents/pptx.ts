/**
 * The text of a presentation: each slide as `[slide N]` in the order of the presentation, its speaker notes after it as
 * `[slide N notes]`.
 *
 * N counts hidden slides too, as PowerPoint does; they are counted and read only when `pages` names them.
 */

import { inOneLine } from "./one_line.ts";
import type { OfficePackage, Relationship } from "./office_package.ts";
import { readNotes, readSlide } from "./pptx_slide.ts";
import type { Reading } from "./reading.ts";
import { Cut, Rejection, Unselectable } from "./rejection.ts";
import { selectedPages } from "./selection.ts";

export function readPptx(source: OfficePackage, reading: Reading): void {
  if (reading.sheet !== null) throw new Unselectable("A presentation has no sheets: ask for `pages`");
  const slides = listSlides(source);
  const { progress, limits, pages } = reading;
  progress.total = slides.length;
  let read = 0;
  for (const number of selectedPages(pages, { total: slides.length, unit: "slide" })) {
    progress.nextPage = number;
    if (read === limits.maxPages) throw new Cut("pages");
    read += 1;
    const part = slides[number - 1] ?? null;
    if (part !== null) readOne(source, { part, number, reading });
  }
  progress.nextPage = null;
}

/** The parts of the slides in order; `null` for one that is not there. */
function listSlides(source: OfficePackage): Array<string | null> {
  const byId = new Map(source.relationships(source.main).map(({ id, target }) => [id, target]));
  const reader = source.read(source.main);
  if (reader === null) throw new Rejection("damaged");
  const slides: Array<string | null> = [];
  for (const name of reader.elements()) {
    if (name === "p:sldId") slides.push(byId.get(reader.attribute("r:id") ?? "") ?? null);
  }
  return slides;
}

function readOne(
  source: OfficePackage,
  { part, number, reading }: { readonly part: string; readonly number: number; readonly reading: Reading },
): void {
  const reader = source.read(part);
  if (reader === null) return;
  const related = source.relationships(part);
  const slide = readSlide(reader, (id) => partText(source, { related, id }));
  if (slide.isHidden && reading.pages === null) return reading.notices.add("hidden-slides");
  reading.writer.block(`slide ${number}`, slide.lines.join("\n"));
  const notesPart = related.find(({ type }) => type === "notesSlide")?.target ?? null;
  const notes = notesPart === null ? null : source.read(notesPart);
  const lines = notes === null ? [] : readNotes(notes);
  if (lines.length > 0) reading.writer.block(`slide ${number} notes`, lines.join("\n"));
}

/** The words of a chart or a diagram that a slide shows: titles, names of series and categories, texts of shapes. */
function partText(
  source: OfficePackage,
  { related, id }: { readonly related: readonly Relationship[]; readonly id: string },
): string[] {
  const target = related.find((each) => each.id === id)?.target ?? null;
  const reader = target === null ? null : source.read(target);
  const lines: string[] = [];
  if (reader === null) return lines;
  for (const name of reader.elements(new Set(["c:numRef", "c:numLit", "mc:Fallback"]))) {
    if (name !== "a:p" && name !== "c:v") continue;
    const text = inOneLine(reader.innerText());
    if (text !== "" && !lines.includes(text)) lines.push(text);
    if (lines.length >= 1000) break;
  }
  return lines;
}
