/**
 * Makes this program forget a page for good: history, remembered versions, cache, index. One row with the hash stays.
 *
 * What a page was called before it was moved is part of its past, and goes with it.
 */

import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { ContentHash, PageContent } from "../../core/page_store.ts";
import type { Past } from "./history.ts";
import type { NotesParts } from "../parts.ts";
import { trashedFrom } from "../places.ts";
import type { Caller } from "../requests.ts";
import { may } from "../rights.ts";

const allChanges = 100_000;

/** To be called once the page is gone. Answers the id of the row that stays, or `null` without a history. */
export async function purge(parts: NotesParts, caller: Caller, content: PageContent): Promise<string | null> {
  const id = await forgetPage(parts, caller, { path: content.entry.path, hash: content.hash });
  await parts.index?.purge();
  return id;
}

/** A page that is gone, and what it last held. */
export interface GonePage {
  readonly path: PagePath;
  readonly hash: ContentHash;
}

/** The same for all but the index, which whoever forgets many pages purges once at the end. */
export async function forgetPage(
  parts: NotesParts,
  caller: Caller,
  { path, hash }: GonePage,
): Promise<string | null> {
  const { history, versions } = parts;
  const names = [path];
  const original = trashedFrom(path);
  // The history of a page that is there again under its old name is that page's own.
  if (original !== null && await isGone(parts, caller, original)) names.push(original);
  const pasts = names.flatMap((name) => pastsOf(parts, name));
  const hashes = new Set([hash]);
  for (const { path } of pasts) {
    for (const { before, after } of history?.of(path, allChanges) ?? []) {
      for (const hash of [before, after]) if (hash !== null) hashes.add(hash);
    }
    if (names.includes(path) || await isGone(parts, caller, path)) versions.forget(path);
  }
  for (const reader of parts.readers()) for (const hash of hashes) reader.cache.forgetContent(hash);
  return history?.purge(pasts, {
    path,
    before: { hash, bytes: null },
    principal: caller.principal.id,
    client: caller.client,
    tool: caller.tool,
    requestId: caller.requestId,
  }) ?? null;
}

/** What is kept of the page under its name and, through every move that brought it there, under those before. */
function pastsOf({ history, moves }: NotesParts, name: PagePath): Past[] {
  const pasts: Past[] = [{ path: name, until: null }];
  let seq = Number.MAX_SAFE_INTEGER;
  for (let place: PagePath | null = name; place !== null;) {
    const here: PagePath = place;
    place = null;
    for (const record of history?.before(here, seq, allChanges) ?? []) {
      const move = record.move === null ? null : moves?.find(record.move) ?? null;
      if (move === null || move.state !== "done" || move.to !== here || record.before !== null) continue;
      pasts.push({ path: move.from, until: { seq: record.seq, move: move.id } });
      place = move.from;
      seq = record.seq;
      break;
    }
  }
  return pasts;
}

async function isGone(parts: NotesParts, caller: Caller, path: PagePath): Promise<boolean> {
  return await parts.readerFor(caller).readNow(path) === null;
}

/** What of the page is where this program destroys nothing. Never fails. */
export async function leftovers(
  parts: NotesParts,
  caller: Caller,
  path: PagePath,
): Promise<readonly string[]> {
  if (!may(caller, "read", path)) return [];
  try {
    const entries = await parts.readerFor(caller).list(caller.signal);
    const copies = entries.filter((entry) => entry.path !== path && trashedFrom(entry.path) === path).length;
    const revisions = await parts.revisionsFor(caller)?.of(path, { limit: 1, signal: caller.signal }) ?? [];
    return [
      ...(copies === 0 ? [] : [`Older copies of it are still in the trash: ${copies}`]),
      ...(revisions.length === 0 ? [] : ["SilverBullet's own history still holds it"]),
    ];
  } catch (error) {
    if (!(error instanceof AppError)) parts.log.incident("leftovers_failed", error);
    return [];
  }
}
