/** Where a search goes on: after a file, after a folder with all below it, or inside a file. */

import { nameProblem } from "../core/rel_path.ts";
import { notACursor } from "./refusals.ts";
import type { SearchPlace } from "./search_file.ts";

export type SearchCursor =
  /** The folder and everything below it is done. */
  | { readonly kind: "folder"; readonly path: readonly string[] }
  /** The file is done. */
  | { readonly kind: "file"; readonly path: readonly string[] }
  | SearchPlace & { readonly kind: "inside"; readonly path: readonly string[] };

export function formatCursor(cursor: SearchCursor): string {
  const { kind, path } = cursor;
  const place = kind === "inside" ? [cursor.line, cursor.offset, cursor.offsetLine, cursor.offsetColumn] : [];
  return encodeURIComponent(JSON.stringify([kind, path.join("/"), ...place]));
}

/** Throws `invalid-argument` for what never was a cursor. A cursor only says where to begin: it opens nothing. */
export function parseCursor(text: string): SearchCursor {
  const [kind, joined, ...place] = listIn(text);
  if (typeof joined !== "string") throw notACursor();
  const path = joined === "" ? [] : joined.split("/");
  if (path.some((name) => nameProblem(name) !== null) || path.length > 1024) throw notACursor();
  if (kind === "folder" && place.length === 0) return { kind, path };
  if (kind === "file" && path.length > 0 && place.length === 0) return { kind, path };
  const [line, offset, offsetLine, offsetColumn] = place;
  if (kind === "inside" && path.length > 0 && place.length === 4 && isCount(line) && isCount(offset)) {
    if (isCount(offsetLine) && isCount(offsetColumn)) {
      return { kind, path, line, offset, offsetLine, offsetColumn };
    }
  }
  throw notACursor();
}

function listIn(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(decodeURIComponent(text));
    if (Array.isArray(list)) return list;
  } catch {
    // Told like any other.
  }
  throw notACursor();
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
