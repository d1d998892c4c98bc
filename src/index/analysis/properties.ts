/** A page's frontmatter as keys and values that can be compared: nested keys with dots, a row for each value of a list. */

import { isPlainMap, type PlainMap, type PlainValue } from "../../text/frontmatter/yaml_values.ts";

export interface PropertyRow {
  /** Lower case. */
  readonly key: string;
  readonly value: string;
}

const maxValueLength = 500;
const maxRows = 500;

/** At most 500 rows; a key without value has one row with an empty value. */
export function propertyRows(values: PlainMap): PropertyRow[] {
  const rows: PropertyRow[] = [];
  addMap(rows, values, "");
  return rows.slice(0, maxRows);
}

/** The texts of a key that holds a text or a list of them. */
export function textsOf(value: PlainValue | undefined): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function addMap(rows: PropertyRow[], values: PlainMap, prefix: string): void {
  for (const [key, value] of Object.entries(values)) {
    if (rows.length >= maxRows) return;
    addValue(rows, value, prefix + key.toLowerCase());
  }
}

function addValue(rows: PropertyRow[], value: PlainValue, key: string): void {
  if (rows.length >= maxRows) return;
  if (Array.isArray(value)) {
    if (value.length === 0) rows.push({ key, value: "" });
    for (const item of value) addValue(rows, item, key);
  } else if (typeof value === "object" && value !== null && isPlainMap(value)) {
    addMap(rows, value, `${key}.`);
  } else rows.push({ key, value: value === null ? "" : String(value).slice(0, maxValueLength) });
}
