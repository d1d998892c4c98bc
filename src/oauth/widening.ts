/** Whether a new consent gives a client anything that the old one did not: then the owner's secret is asked for again. */

import type { Profile } from "../core/principal.ts";
import type { Consent } from "./consent.ts";

/** Globs are compared as they are written: who words the same pages in another way is asked once too often. */
export function widens(next: Consent, before: Consent): boolean {
  if (next.write && !(before.write && covers(before.changes, next.changes))) return true;
  return !covers(before.sees, next.sees) || !covers(before.roots, next.roots) ||
    !keepsProfile(next.profile, before.profile);
}

function covers(wide: readonly string[], narrow: readonly string[]): boolean {
  return wide.includes("**") || narrow.every((each) => wide.includes(each));
}

/** `null` is what the settings say, which may be anything. */
function keepsProfile(next: Profile | null, before: Profile | null): boolean {
  if (next === before) return true;
  return next !== null && lowering.has(next) && (before === null || !lowering.has(before));
}

/** Profiles that take rights away wherever they are chosen. */
const lowering: ReadonlySet<Profile> = new Set(["read", "chatgpt", "files"]);
