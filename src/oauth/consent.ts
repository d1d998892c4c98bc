/**
 * What the owner lets one client do: reading, or changing too; which pages and folders; what it is shown.
 *
 * Only ever narrower than what the operator's settings leave the client, whoever typed what into the form.
 */

import { pageGlobProblem } from "../core/page_globs.ts";
import type { Profile } from "../core/principal.ts";
import { type VerbGlobs, verbs } from "../core/rights.ts";

export interface Consent {
  readonly write: boolean;
  /** Globs of the pages that it may see. */
  readonly sees: readonly string[];
  /** Globs of the pages that it may change, where `write` is set. */
  readonly changes: readonly string[];
  /** Aliases of the folders that it may read. */
  readonly roots: readonly string[];
  /** `null`: what the operator's settings say. */
  readonly profile: Profile | null;
}

export const profileChoices: readonly Profile[] = ["standard", "full", "read", "chatgpt", "files"];
export const everything: readonly string[] = ["**"];
const maxGlobs = 100;
const maxGlobLength = 500;

/** The same as rights by verb: reading, and every verb that changes a page. */
export function consentRights({ write, sees, changes }: Consent): VerbGlobs {
  const rights: Record<string, readonly string[]> = {};
  for (const verb of verbs) {
    if (verb === "read") rights[verb] = sees;
    else if (write) rights[verb] = changes;
  }
  return rights;
}

/**
 * The globs of a text field, one a line or separated by commas; an empty field means every page.
 *
 * `null` where one of them is malformed: a limit that would match nothing, or everything, must not pass for one.
 */
export function readGlobs(text: string): readonly string[] | null {
  const globs = [...new Set(text.split(/[\n,]/).map((line) => line.trim()).filter((line) => line !== ""))];
  if (globs.length === 0) return everything;
  if (globs.length > maxGlobs) return null;
  const malformed = globs.some((glob) => glob.length > maxGlobLength || pageGlobProblem(glob) !== null);
  return malformed ? null : globs;
}

/** Checks what was kept; throws where the state file holds something else. */
export function parseConsent(value: unknown): Consent {
  if (typeof value !== "object" || value === null) throw new TypeError("A kept consent is no object");
  const { write, sees, changes, roots, profile }: Partial<Record<keyof Consent, unknown>> = value;
  if (typeof write !== "boolean" || !isTextList(sees) || !isTextList(changes)) {
    throw new TypeError("A kept consent is malformed");
  }
  if (!isTextList(roots)) throw new TypeError("A kept consent has malformed roots");
  const known = profileChoices.find((each) => each === profile) ?? null;
  if (known === null && profile !== null) throw new TypeError("A kept consent has an unknown profile");
  return { write, sees, changes, roots, profile: known };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}
