/** What a caller may do with which page: the rights of `core/rights.ts`, seen through trash and conflict copies. */

import { AppError } from "../core/errors.ts";
import { pageNameOf, type PagePath, type PageTarget } from "../core/page_name.ts";
import type { Verb } from "../core/rights.ts";
import { governedBy, trashedWhole } from "./places.ts";
import type { Caller } from "./requests.ts";

/** True for pages that do not exist as far as any assistant is concerned. */
export function isHidden(caller: Pick<Caller, "principal">, path: PagePath): boolean {
  const { rights } = caller.principal;
  const owner = governedBy(path);
  if (rights.hides(path) || owner !== path && rights.hides(owner)) return true;
  // A copy in the trash may be of a page whose own name ends in a time.
  const whole = owner === path ? null : trashedWhole(path);
  return whole !== null && rights.hides(whole);
}

export function may(caller: Pick<Caller, "principal">, verb: Verb, path: PagePath): boolean {
  const { rights } = caller.principal;
  // `allows` already says no for a hidden page, and `owner` is nearly always the page itself.
  const owner = governedBy(path);
  return rights.allows(verb, owner) && (owner === path || !isHidden(caller, path));
}

/** Throws `forbidden_path` unless the caller holds the verb for that page. */
export function demand(caller: Caller, verb: Verb, path: PagePath): void {
  if (may(caller, verb, path)) return;
  const granted = caller.principal.rights.describe().verbs[verb] ?? [];
  const where = granted.length === 0 ? "nowhere" : `in ${granted.slice(0, 8).join(", ")}`;
  throw new AppError({
    code: "forbidden_path",
    message: `Cannot ${deeds[verb]} page ${JSON.stringify(pageNameOf(path))}: your rights do not cover it`,
    remedy: `You may ${deeds[verb]} pages ${where}. Choose such a page, or ask the owner for more rights.`,
    details: { page: pageNameOf(path), path },
  });
}

/**
 * The same before anybody has looked which of the files that a name may mean is there, so that how long it takes to
 * be refused tells nothing of them.
 */
export function demandAny(caller: Caller, verb: Verb, { path, fallback }: PageTarget): void {
  const open = (file: PagePath) => isHidden(caller, file) || may(caller, verb, file);
  if (!open(path) && (fallback === null || !open(fallback))) demand(caller, verb, path);
}

const deeds: Readonly<Record<Verb, string>> = {
  read: "read",
  append: "append to",
  create: "create",
  write: "change",
  delete: "delete",
};
