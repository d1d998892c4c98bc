/** Pages that are gone and can be had again: from the history, or from the space's own trash folder. */

import { AppError } from "../../core/errors.ts";
import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import type { PageEntry } from "../../core/page_store.ts";
import type { ChangeList } from "./change_list.ts";
import type { ChangeRecord } from "./history.ts";
import type { NotesParts } from "../parts.ts";
import { inTrash, trashedFrom } from "../places.ts";
import type { Caller } from "../requests.ts";
import { isHidden } from "../rights.ts";
import { originOf } from "./sources.ts";

/** A page that is gone and can be had again. */
export interface Deletion {
  /** Of the history; `null` for a copy in the trash folder that another program made. */
  readonly change: string | null;
  /** The copy in the trash folder; `null` where the history alone holds the text. */
  readonly copy: PagePath | null;
  readonly page: string;
  readonly path: PagePath;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** `null`: nobody knows. */
  readonly principal: string | null;
}

export interface Deletions {
  readonly rows: readonly Deletion[];
  /** There are more than are shown. */
  readonly more: boolean;
  /** The space could not be looked at: copies in its trash folder are missing. */
  readonly isPartial: boolean;
}

export interface DeletionsQuestion {
  readonly limit: number;
  /** Only what was deleted before that time, in milliseconds since the Unix epoch; left out: whenever it was. */
  readonly before?: number;
}

/** The newest first. */
export async function findDeletions(
  parts: NotesParts,
  caller: Caller,
  { list, limit, before = Infinity }: DeletionsQuestion & { readonly list: ChangeList },
): Promise<Deletions> {
  const entries = await entriesOf(parts, caller);
  const present = new Set((entries ?? []).map(({ path }) => path));
  const isKept = ({ before, trashPath }: ChangeRecord) =>
    before !== null && (parts.history?.texts.has(before) ?? false) ||
    trashPath !== null && (entries === null || present.has(trashPath));
  const gone = list.deletions(limit + 1, before).filter((record) =>
    !inTrash(record.path) && !present.has(record.path) && isKept(record)
  );
  const known = new Set(gone.map(({ trashPath }) => trashPath));
  const rows = [
    ...gone.map(keptRow),
    ...(entries ?? []).filter(({ path }) => !known.has(path)).flatMap((entry) => copyRow(parts, entry)),
  ].filter(({ path, time }) => time < before && !isHidden(caller, path)).sort((a, b) => b.time - a.time);
  return { rows: rows.slice(0, limit), more: rows.length > limit, isPartial: entries === null };
}

function keptRow({ id, path, time, principal, trashPath }: ChangeRecord): Deletion {
  return { change: id, copy: trashPath, page: pageNameOf(path), path, time, principal };
}

function copyRow(parts: NotesParts, { path: copy, modified }: PageEntry): readonly Deletion[] {
  if (trashedFrom(copy) === null) return [];
  const path = originOf(parts, copy);
  if (path === null) return [];
  return [{ change: null, copy, page: pageNameOf(path), path, time: modified, principal: null }];
}

/** `null` where the space cannot be looked at now, or not for as long as the caller waits. */
async function entriesOf(parts: NotesParts, caller: Caller): Promise<readonly PageEntry[] | null> {
  try {
    return await parts.readerFor(caller).listNow(caller.signal);
  } catch (error) {
    if (!(error instanceof AppError) && !caller.signal.aborted) throw error;
    return null;
  }
}
