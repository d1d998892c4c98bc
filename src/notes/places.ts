/**
 * What a path tells beyond its name: whether it lies in the trash, is a conflict copy, or came with SilverBullet.
 *
 * A trashed page and a conflict copy hold another page's text, so that page's rights govern them.
 */

import { pageNameOf, type PagePath, parseListedPath } from "../core/page_name.ts";

const trashForm = /^_trash\/(\d{4}-\d{2})\/(.+)$/;
/** `name.conflicted:<ms>.md` up to SilverBullet 2.10, `.conflicted.<ms>` in 1.x, `.conflicted-<hash>` from 2.11. */
const conflictForm = /^(.+)\.conflicted(?::\d+|\.\d{6,}|-[0-9a-fA-F]{4,64})\.([^./]+)$/;
/** The time that keeps a second page of one name apart in the trash. */
const collisionSuffix = /-\d{13}(\.[^./]+)$/;

/** True for everything under the trash folder, whatever the case: disks may not tell the difference. */
export function inTrash(path: string): boolean {
  return path.startsWith("_") && /^_trash(?:\/|$)/i.test(path);
}

/** The path from which a trashed file came, or `null` where it is none. */
export function trashedFrom(path: PagePath): PagePath | null {
  const inner = path.startsWith("_trash/") ? trashForm.exec(path)?.[2] : undefined;
  return inner === undefined ? null : parseListedPath(inner.replace(collisionSuffix, "$1"));
}

/** The same without taking a time at the end of the name for one that was added in the trash. */
export function trashedWhole(path: PagePath): PagePath | null {
  const inner = path.startsWith("_trash/") ? trashForm.exec(path)?.[2] : undefined;
  return inner === undefined ? null : parseListedPath(inner);
}

/** Where a file goes in the trash; `stamp` (milliseconds) only when the plain place is taken. */
export function trashPlace(path: PagePath, time: number, stamp: number | null): PagePath | null {
  const month = new Date(time).toISOString().slice(0, 7);
  const suffixed = stamp === null ? path : path.replace(/(\.[^./]+)$/, `-${stamp}$1`);
  return parseListedPath(`_trash/${month}/${suffixed}`);
}

/** The page whose conflict copy this is, or `null`. */
export function conflictOf(path: PagePath): PagePath | null {
  const match = path.includes(".conflicted") ? conflictForm.exec(path) : null;
  return match === null ? null : parseListedPath(`${match[1]}.${match[2]}`);
}

/** The page whose rights govern this file: itself, or the one whose text it holds. */
export function governedBy(path: PagePath): PagePath {
  const original = trashedFrom(path) ?? path;
  return conflictOf(original) ?? original;
}

/** Files that come with SilverBullet or run in it; lists leave them out unless asked. */
export function isLibrary(path: string): boolean {
  return path.startsWith("Library/Std/") || path === "Library/Std.md" || path === "Repositories/Std.md" ||
    path.endsWith(".plug.js");
}

/** What names are compared by where a disk may not tell them apart: one form for all cases and compositions. */
export function foldPath(path: string): string {
  return path.normalize("NFC").toLowerCase().normalize("NFC");
}

/** The name under which a page is locked: `a.b` and `a.b.md` may mean one page, and so may other spellings. */
export function lockKey(path: PagePath): string {
  return `.change:${foldPath(pageNameOf(path))}`;
}
