/**
 * What moving a file means, worked out before anything is done: the text at the new place, and every page whose links
 * have to follow, with its text before and after.
 *
 * Reads; changes nothing. Only pages that the caller may write are planned to change; the others are kept apart.
 */

import { AppError } from "../../core/errors.ts";
import { isPage, type PagePath } from "../../core/page_name.ts";
import type { PageContent, PageEntry } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { maxScanned } from "../../text/markdown/blocks.ts";
import { type ChangedLine, type FileMove, mayLink, relink, type Relinked } from "../../text/links/relink.ts";
import { linkBase } from "../../text/links/resolve_link.ts";
import { decodeUtf8, encodeUtf8 } from "../../text/utf8.ts";
import { type Report, scanPages, scanTookTooLong } from "../candidates.ts";
import { linkGeneration } from "../generation.ts";
import type { NotesParts } from "../parts.ts";
import { foldPath, inTrash } from "../places.ts";
import { demandProtected } from "../protection.ts";
import type { Caller } from "../requests.ts";
import { isHidden, may } from "../rights.ts";
import { changedFiles, spaceFiles } from "../feed/space_files.ts";
import { historyHolds } from "../past/trash.ts";

export interface PlannedText {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: string;
  readonly lines: readonly ChangedLine[];
  readonly links: number;
}

/** A page whose links follow. */
export interface PlannedPage {
  readonly before: PageContent;
  readonly after: PlannedText;
}

/** `right`: the caller may not write the page. `changed`: another hand was at the same lines. */
export type LeftReason =
  | "right"
  | "read_only"
  | "protected"
  | "conflict_markers"
  | "no_such_link"
  | "too_large"
  | "changed";

/** A page that keeps links as they are although they break. */
export interface LeftPage {
  readonly path: PagePath;
  readonly reason: LeftReason;
  /** 1-based, of the first such link. */
  readonly line: number | null;
}

export interface MovePlan {
  readonly from: PagePath;
  readonly to: PagePath;
  /** What is at the old place; the move holds for exactly this. */
  readonly source: PageContent;
  /** What the new place gets. */
  readonly target: PlannedText;
  readonly pages: readonly PlannedPage[];
  readonly left: readonly LeftPage[];
  /** The move that this one takes back. */
  readonly undoes: string | null;
  /** The new text of a page that is no longer as planned, or why it has to stay as it is. */
  readonly revise: (page: PlannedPage, now: PageContent) => Uint8Array<ArrayBuffer> | LeftReason;
}

export interface WantedMove {
  readonly from: PagePath;
  readonly to: PagePath;
  readonly source: PageContent;
  readonly updateLinks: boolean;
  readonly report?: Report | undefined;
}

/** Reading the space may take so long, in milliseconds; the rest of a call's time is for the changes. */
const scanLimit = 30_000;
/** An index that is being filled is not waited for longer, in milliseconds. */
const indexLimit = 3_000;
/** More would be too much to hold, and to show to anyone. */
const maxPages = 5000;

export async function planMove(parts: NotesParts, caller: Caller, wanted: WantedMove): Promise<MovePlan> {
  const { from, to, source } = wanted;
  const asIs: PlannedText = { bytes: source.bytes, hash: source.hash, lines: [], links: 0 };
  const plain = {
    from,
    to,
    source,
    target: asIs,
    pages: [],
    left: [],
    undoes: null,
    revise: () => "changed" as const,
  };
  if (!wanted.updateLinks) return plain;
  const entries = await parts.readerFor(caller).list(caller.signal);
  const before = spaceFiles(entries);
  const move: FileMove = {
    from,
    to,
    ...linkGeneration(await parts.facts()),
    before,
    after: changedFiles(before, { gone: from, come: to }),
  };
  const planner = new Planner(parts, caller, move);
  const target = planner.own(source) ?? asIs;
  const paths = await pagesToRead(parts, caller, { entries, move });
  const scanned = await scanPages(parts, caller, {
    scan: { paths, fresh: true, timeLimit: scanLimit, report: wanted.report },
    look: (content) => planner.look(content),
  });
  if (!scanned.complete) throw scanTookTooLong("find the links to the page", scanned, paths.length);
  const { pages, left } = planner;
  if (pages.length > maxPages) throw tooManyPages(pages.length);
  return {
    ...plain,
    target,
    pages: pages.sort((a, b) => byPath(a.before.entry, b.before.entry)),
    left: left.sort(byPath),
    revise: (_, now) => planner.revise(now),
  };
}

/**
 * Pages that may link to the old place, or mean something else once the new one is there. Those that came with
 * SilverBullet know no page of the space.
 */
async function pagesToRead(
  parts: NotesParts,
  caller: Caller,
  { entries, move }: { entries: readonly PageEntry[]; move: FileMove },
): Promise<PagePath[]> {
  const bases = [...new Set(namesTouched(move).map(linkBase))];
  const known = await likelyPages(parts, caller, bases);
  const likely = known === null ? null : new Set(known);
  return entries
    .filter(({ path, readOnly }) => isPage(path) && !readOnly && path !== move.from && !inTrash(path))
    .map(({ path }) => path)
    .filter((path) => likely?.has(path) ?? true);
}

/** What the index says; `null` where it would take longer than reading everything. */
async function likelyPages(
  { candidates, clock }: NotesParts,
  caller: Caller,
  bases: readonly string[],
): Promise<readonly PagePath[] | null> {
  if (candidates === null) return null;
  const over = new AbortController();
  const late = clock.sleep(indexLimit, over.signal).then(() => null, () => null);
  const asked = candidates.linkingTo(bases, caller.signal);
  asked.catch(() => {});
  return await Promise.race([asked, late]).finally(() => over.abort());
}

/** By path only links to the old place change; by name also those that the new place would draw to itself. */
function namesTouched({ from, to, rules }: FileMove): readonly string[] {
  return rules === "exact" ? [from] : [from, to];
}

/** A page whose links were not looked for. */
const unread = { lines: [], stuck: [] };

class Planner {
  readonly pages: PlannedPage[] = [];
  readonly left: LeftPage[] = [];
  readonly #parts: NotesParts;
  readonly #caller: Caller;
  readonly #move: FileMove;

  constructor(parts: NotesParts, caller: Caller, move: FileMove) {
    this.#parts = parts;
    this.#caller = caller;
    this.#move = move;
  }

  /** The text of the page that moves, or `null` where it stays as it is. */
  own(source: PageContent): PlannedText | null {
    const { path } = source.entry;
    const found = this.#relinked(source);
    if (found === null) return null;
    if (found === "too_large") {
      this.#leave(path, unread, found);
      return null;
    }
    const reason = found.links === 0 ? null : this.#protection(source, found);
    this.#leave(path, found, reason);
    return reason === null && found.links > 0 ? planned(found) : null;
  }

  look(content: PageContent): void {
    const { path } = content.entry;
    const found = this.#relinked(content);
    if (found === null) return;
    if (found === "too_large") return this.#leave(path, unread, found);
    const reason = found.links === 0 ? null : this.#reasonToLeave(content, found);
    this.#leave(path, found, reason);
    if (reason === null && found.links > 0) this.pages.push({ before: content, after: planned(found) });
  }

  /** The links of a page that another hand has changed meanwhile. */
  revise(now: PageContent): Uint8Array<ArrayBuffer> | LeftReason {
    const found = this.#relinked(now);
    if (found === "too_large") return found;
    if (found === null || found.links === 0) return now.bytes;
    return this.#reasonToLeave(now, found) ?? encodeUtf8(found.text);
  }

  /** `null` where no link of the page is touched by the move; `too_large` where nobody can tell. */
  #relinked(content: PageContent): Relinked | "too_large" | null {
    const { path } = content.entry;
    if (!isPage(path)) return null;
    const text = decodeUtf8(content.bytes);
    if (text === null || path !== this.#move.from && !mayLink(text, namesTouched(this.#move))) return null;
    if (text.length > maxScanned) return "too_large";
    const found = relink(text, path, this.#move);
    return found.links === 0 && found.stuck.length === 0 ? null : found;
  }

  #reasonToLeave(content: PageContent, found: Relinked): LeftReason | null {
    const { entry } = content;
    const { lockedPages } = this.#parts.settings;
    if (entry.readOnly || lockedPages.some((locked) => foldPath(locked) === foldPath(entry.path))) {
      return "read_only";
    }
    if (!may(this.#caller, "write", entry.path)) return "right";
    if (this.#parts.history !== null && !historyHolds(this.#parts, found.text.length * 3)) return "too_large";
    return this.#protection(content, found);
  }

  #protection({ entry, bytes }: PageContent, found: Relinked): LeftReason | null {
    try {
      const change = { before: bytes, after: encodeUtf8(found.text) };
      demandProtected(this.#parts, { doing: "change links on", path: entry.path }, change);
      return null;
    } catch (error) {
      if (error instanceof AppError && error.code === "too_large") return "too_large";
      if (!(error instanceof AppError) || error.code !== "protected") throw error;
      return error.details["reason"] === "conflict_markers" ? "conflict_markers" : "protected";
    }
  }

  #leave(
    path: PagePath,
    { lines, stuck }: Pick<Relinked, "lines" | "stuck">,
    reason: LeftReason | null,
  ): void {
    if (isHidden(this.#caller, path)) {
      this.#parts.log.log("warn", "move_leaves_links_on_hidden_page");
    } else if (reason !== null) this.left.push({ path, reason, line: lines[0]?.line ?? null });
    else if (stuck[0] !== undefined) this.left.push({ path, reason: "no_such_link", line: stuck[0].line });
  }
}

function planned({ text, lines, links }: Relinked): PlannedText {
  const bytes = encodeUtf8(text);
  return { bytes, hash: sha256Hex(bytes), lines, links };
}

function byPath(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}

function tooManyPages(count: number): AppError {
  return new AppError({
    code: "too_large",
    message: `Cannot move the page with its links: ${count} pages link to it, more than ${maxPages}`,
    remedy: "Move it with `update_links` false, or leave it where it is.",
    details: { pages: count },
  });
}
