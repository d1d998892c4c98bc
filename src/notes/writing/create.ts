/** Makes a page that is not there yet; never touches one that is. */

import { type PagePath, type PageTarget, parsePageName } from "../../core/page_name.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { describeChange, unverifiedWarning } from "./answers.ts";
import { applyChange, changing } from "../past/change.ts";
import { etagOf } from "../etag.ts";
import { findPage } from "../find.ts";
import { linkWarnings } from "./link_warnings.ts";
import type { NotesParts } from "../parts.ts";
import { foldPath, inTrash } from "../places.ts";
import { demandProtected } from "../protection.ts";
import { alreadyExists, demandGoodName, demandSize, demandWritable, trashIsClosed } from "../refusals.ts";
import type { Caller, ChangeAnswer, CreateRequest } from "../requests.ts";
import { demand, may } from "../rights.ts";
import { sha256Hex } from "../../core/secrets.ts";

export async function createPage(
  parts: NotesParts,
  caller: Caller,
  { page, content, dryRun }: CreateRequest,
): Promise<ChangeAnswer> {
  const target = parsePageName(page);
  const bytes = encodeUtf8(content);
  const path = demandCreatable(parts, caller, { target, bytes });
  const making = { path, bytes, doing: "create" } as const;
  if (dryRun) {
    const found = await findPage(parts, caller, page);
    if (found.value !== null) throw alreadyExists({ doing: "create", path }, found.path, false);
    await demandNoTwin(parts, caller, path);
    const warnings = await linkWarnings(parts, caller, { path, how: "comes" });
    return {
      ...describeChange(caller, { path, before: null, after: bytes }, null),
      etag: null,
      dry_run: true,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  }
  return await changing(parts, caller, {
    target,
    work: async (found) => {
      if (found.value !== null) {
        const same = found.path === path && found.value.hash === sha256Hex(bytes);
        throw alreadyExists({ doing: "create", path }, found.path, same && may(caller, "read", path));
      }
      return await makePage(parts, caller, making);
    },
  });
}

export interface PageToCreate {
  readonly target: PageTarget;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What the caller has to be granted (`create`). */
  readonly verb?: "create" | "append";
}

/** Everything that can be refused before looking. Answers the path the page would get. */
export function demandCreatable(
  parts: NotesParts,
  caller: Caller,
  { target, bytes, verb = "create" }: PageToCreate,
): PagePath {
  const { path } = target;
  const refused = { doing: "create", path };
  if (inTrash(path)) throw trashIsClosed(refused);
  demandGoodName("create", path);
  demand(caller, verb, path);
  demandWritable(refused, { readOnly: false }, parts.settings.lockedPages);
  demandSize(refused, { size: bytes.length, before: 0, limit: parts.settings.maxPageBytes });
  demandProtected(parts, refused, { before: null, after: bytes });
  return path;
}

export interface PageToMake {
  readonly path: PagePath;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly doing: string;
}

/** Writes the new page, under its lock; `already_exists` when somebody else was first. */
export async function makePage(
  parts: NotesParts,
  caller: Caller,
  { path, bytes, doing }: PageToMake,
): Promise<ChangeAnswer> {
  await demandNoTwin(parts, caller, path);
  const result = await applyChange(parts, caller, { path, action: "create", before: null, after: bytes });
  if (result.kind === "changed") throw alreadyExists({ doing, path }, path, false);
  const hash = sha256Hex(bytes);
  const entry = result.entry;
  if (entry !== null) {
    parts.versions.note({ path, modified: entry.modified, hash, principal: caller.principal.id });
  }
  const warnings = [
    ...unverifiedWarning(result.guarantee),
    ...await linkWarnings(parts, caller, { path, how: "comes" }),
  ];
  return {
    ...describeChange(caller, { path, before: null, after: bytes }, entry),
    etag: etagOf(hash, "whole"),
    ...(entry === null ? {} : { lastModified: entry.modified }),
    guarantee: result.guarantee,
    ...(result.change === null ? {} : { change: result.change }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}

/**
 * Refuses a name that differs from an existing one only in case or Unicode form: on many disks, and for many
 * people, they are one page. Also a file that is listed although it cannot be read.
 */
export async function demandNoTwin(parts: NotesParts, caller: Caller, path: PagePath): Promise<void> {
  const reader = parts.readerFor(caller);
  const folded = foldPath(path);
  const twinIn = (entries: Awaited<ReturnType<typeof reader.list>>) =>
    entries.find((entry) =>
      foldPath(entry.path) === folded && (entry.path === path || may(caller, "read", entry.path))
    );
  const seen = twinIn(await reader.list(caller.signal));
  if (seen === undefined && !twinMadeLately(parts, path)) return;
  const twin = twinIn(await reader.listNow(caller.signal));
  if (twin !== undefined) throw alreadyExists({ doing: "create", path }, twin.path, false);
}

/** How old a list may be that shows no twin, in milliseconds, and more. */
const listedMs = 30_000;

/** Whether a twin was made through this program, by whatever process, that a list of before does not show. */
export function twinMadeLately({ history, clock }: NotesParts, path: PagePath): boolean {
  const folded = foldPath(path);
  const made = history?.pathsMadeSince(clock.now() - listedMs) ?? [];
  return made.some((other) => other !== path && foldPath(other) === folded);
}
