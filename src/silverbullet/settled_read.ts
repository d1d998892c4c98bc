/**
 * Reading a page so that a torn body is never believed.
 *
 * Servers before 2.11 write by truncating first, so every second write on a common disk has a moment in which a reader
 * gets an empty page whose headers agree. A body is believed when its hash is the one that the server states for it,
 * when it is what was believed there last, or when metadata asked for afterwards still has the same size and time; an
 * empty body only after a quarter of a second.
 */

import type { Clock } from "../core/clock.ts";
import type { PagePath } from "../core/page_name.ts";
import type { ContentHash, PageContent, PageEntry } from "../core/page_store.ts";
import type { EntryRules } from "./entries.ts";
import { doing, upstream } from "./failures.ts";
import type { Wire, WireFile } from "./wire.ts";

export interface SettledReadOptions {
  readonly wire: Wire;
  readonly clock: Clock;
}

export interface SettledCall {
  readonly rules: EntryRules;
  readonly signal?: AbortSignal;
  /** The content that was believed here last; the same again is believed at once. */
  readonly believed?: ContentHash | null;
}

const emptyMilliseconds = 250;
const emptyPause = 60;
/** Milliseconds after which a page that never holds still is given up. */
const patience = 5_000;
const firstPause = 5;
const longestPause = 200;

/** The page, `null` when it is not there; throws `upstream` when no reading of it can be believed. */
export async function readSettled(
  options: SettledReadOptions,
  path: PagePath,
  call: SettledCall,
): Promise<PageContent | null> {
  const { wire, clock } = options;
  const start = clock.elapsed();
  let emptySince: { readonly at: number; readonly modified: number } | null = null;
  let unreadable = 0;
  for (let round = 0;; round++) {
    const file = await wire.get(path, call.rules, call.signal);
    if (file === null) {
      if (await isGone(wire, path, call)) return null;
      if (++unreadable >= 3) throw unreadableFile(path);
    } else if (file.bytes.length === 0) {
      const { modified } = file.entry;
      if (emptySince === null || emptySince.modified !== modified) {
        emptySince = { at: clock.elapsed(), modified };
      }
      const held = clock.elapsed() - emptySince.at >= emptyMilliseconds;
      if (held && await holdsStill(wire, file, call)) return content(file);
    } else if (isCertified(file) || file.hash === call.believed) {
      return content(file);
    } else if (isWhole(file) && !(mayBeStale(file) && round === 0) && await holdsStill(wire, file, call)) {
      return content(file);
    }
    if (clock.elapsed() - start > patience) throw restless(path);
    const isEmpty = file !== null && file.bytes.length === 0;
    await clock.sleep(isEmpty ? emptyPause : Math.min(firstPause * 2 ** round, longestPause), call.signal);
  }
}

/** True when the server says of these very bytes what their hash is. */
export function isCertified(file: WireFile): boolean {
  return file.claimed === file.hash && file.bytes.length > 0;
}

export function content(file: WireFile): PageContent {
  return { entry: file.entry, bytes: file.bytes, hash: file.hash };
}

/**
 * Whether a file that a read did not find is really not there: its metadata is missing too, and it is SilverBullet's
 * API that says so. Rust and Deno servers answer 404 for what they cannot read; proxies answer it for a server that
 * is down.
 */
export async function isGone(wire: Wire, path: PagePath, call: SettledCall): Promise<boolean> {
  const [meta] = await Promise.all([
    wire.meta(path, call.rules, call.signal === undefined ? {} : { signal: call.signal }),
    assertServing(wire, path, call.signal),
  ]);
  return meta === null;
}

/** Throws `upstream` unless SilverBullet's own settings answer at the address. */
export async function assertServing(wire: Wire, path: PagePath, signal?: AbortSignal): Promise<void> {
  const { config, answer } = await wire.config({
    credentials: true,
    ...(signal === undefined ? {} : { signal }),
  });
  if (config !== null) return;
  const what = doing("look at", path);
  if (answer.status !== 404) throw wire.failure(answer, what);
  throw upstream("unreachable", { doing: what, reason: "no SilverBullet answers at the configured address" });
}

function isWhole(file: WireFile): boolean {
  return file.announced === null || file.announced === file.bytes.length;
}

/** The server's hash belongs to other bytes: read once more before relying on anything else. */
function mayBeStale(file: WireFile): boolean {
  return file.claimed !== null && file.claimed !== file.hash;
}

/** True when the file, looked at again, is still the one that was read; whole seconds prove little, so twice. */
async function holdsStill(wire: Wire, file: WireFile, call: SettledCall): Promise<boolean> {
  const { path } = file.entry;
  const meta = await wire.meta(path, call.rules, call.signal === undefined ? {} : { signal: call.signal });
  if (meta === null || !sameFile(meta.entry, meta.announced, file)) return false;
  if (!call.rules.maybeSeconds) return true;
  const again = await wire.get(path, call.rules, call.signal);
  return again?.hash === file.hash;
}

function sameFile(entry: PageEntry, announced: number | null, file: WireFile): boolean {
  const sameSize = announced === null || announced === file.bytes.length;
  return sameSize && entry.modified === file.entry.modified;
}

function unreadableFile(path: PagePath) {
  return upstream("fault", {
    doing: doing("read", path),
    reason: "it exists, but SilverBullet cannot read it",
    remedy: "Ask the operator to check that the file is no folder and that SilverBullet may read it.",
  });
}

function restless(path: PagePath) {
  return upstream("fault", {
    doing: doing("read", path),
    reason: "it changes faster than it can be read",
    remedy: "Try again in a minute, when whatever is writing the page has finished.",
  });
}
