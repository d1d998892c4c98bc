/** The operator's rules for callers of an identity provider: which claims give which rights. */

import type { VerbGlobs } from "../core/rights.ts";

export interface ClaimRule {
  /** Every claim that is named must have that value, or hold it where it is a list. */
  readonly when: Readonly<Record<string, string>>;
  readonly rights: VerbGlobs;
  readonly roots: readonly string[] | "all";
}

export interface ClaimRights {
  /** `null`: everything within the ceiling. */
  readonly rights: VerbGlobs | null;
  readonly roots: readonly string[] | "all";
}

/** The first rule that fits. Without any rule everything; with rules of which none fits, nothing. */
export function rightsByClaims(
  claims: Readonly<Record<string, unknown>>,
  rules: readonly ClaimRule[],
): ClaimRights {
  if (rules.length === 0) return { rights: null, roots: "all" };
  return rules.find(({ when }) => fits(claims, when)) ?? { rights: {}, roots: [] };
}

function fits(claims: Readonly<Record<string, unknown>>, when: Readonly<Record<string, string>>): boolean {
  return Object.entries(when).every(([name, wanted]) => {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    return Array.isArray(value) ? value.some((each) => isValue(each, wanted)) : isValue(value, wanted);
  });
}

function isValue(value: unknown, wanted: string): boolean {
  return typeof value === "string" || typeof value === "boolean" || typeof value === "number"
    ? String(value) === wanted
    : false;
}
