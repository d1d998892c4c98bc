/** Reads columns of SQLite rows as the types they were declared with; STRICT tables make anything else a bug. */

export type Row = Readonly<Record<string, unknown>>;

export function textColumn(row: Row, name: string): string {
  const value = row[name];
  if (typeof value !== "string") throw new TypeError(`Column ${name} is no text`);
  return value;
}

export function textColumnOrNull(row: Row, name: string): string | null {
  return row[name] === null ? null : textColumn(row, name);
}

export function numberColumn(row: Row, name: string): number {
  const value = row[name];
  if (typeof value !== "number") throw new TypeError(`Column ${name} is no number`);
  return value;
}

export function bytesColumn(row: Row, name: string): Uint8Array {
  const value = row[name];
  if (!(value instanceof Uint8Array)) throw new TypeError(`Column ${name} is no blob`);
  return value;
}
