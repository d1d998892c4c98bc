/** What stands on a page of a PDF beside its own text: filled fields of forms, free text, and comments. */

import { inOneLine } from "./one_line.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Bits of an annotation's flags (ISO 32000-1, table 165): hidden, and not shown on the screen. */
const unseen = 0x2 | 0x20;

/** Lines for the annotations of a page as pdf.js tells them, fields first; `comments` counts those of the document so far. */
export function noteLines(annotations: readonly unknown[], comments: { count: number }): string[] {
  const lines: string[] = [];
  const all = annotations.map(fieldsOf);
  const isField = ({ subtype }: Fields) => subtype === "Widget";
  for (const fields of [...all.filter(isField), ...all.filter((each) => !isField(each))]) {
    if ((Number(fields["annotationFlags"]) & unseen) !== 0) continue;
    const line = noteLine(fields, comments);
    if (line.trim() !== "") lines.push(line);
  }
  return lines;
}

function noteLine(fields: Fields, comments: { count: number }): string {
  switch (fields["subtype"]) {
    case "Widget":
      return fieldLine(fields);
    case "FreeText":
      return textsOf(fields["textContent"]).join("\n") || textOf(fieldsOf(fields["contentsObj"])["str"]);
    case "Link":
    case "Popup":
      return "";
    default: {
      const text = inOneLine(textOf(fieldsOf(fields["contentsObj"])["str"]));
      if (text === "") return "";
      comments.count += 1;
      return `[^c${comments.count}]: ${textOf(fieldsOf(fields["titleObj"])["str"])}: ${text}`;
    }
  }
}

/** A field that somebody has filled, by the name that a person is shown; a box that is not ticked is none. */
function fieldLine(fields: Fields): string {
  const value = textsOf(fields["fieldValue"]).join(", ").trim();
  if (value === "" || fields["pushButton"] === true || fields["fieldType"] === "Sig") return "";
  if (fields["fieldType"] === "Btn" && value === "Off") return "";
  const name = textOf(fields["alternativeText"]) || textOf(fields["fieldName"]);
  return `${name}: ${value}`;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf).filter((text) => text !== "") : [textOf(value)];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
