/** The fields of the page where the owner decides: as shown, as sent, and as the consent that they mean. */

import type { Profile } from "../core/principal.ts";
import { type Consent, everything, profileChoices, readGlobs } from "./consent.ts";
import type { Parameters } from "./parameters.ts";
import type { Scope } from "./scopes.ts";

/** What the operator's settings leave a client at most. */
export interface ConsentBounds {
  readonly write: boolean;
  /** Globs, for the page to show; the settings hold whatever is typed. */
  readonly sees: readonly string[];
  readonly changes: readonly string[];
  /** Aliases of folders that it may read. */
  readonly roots: readonly string[];
  /** What it is shown unless the owner chooses. */
  readonly profile: Profile;
  /** The operator's name for the rule that fits this client; `null` without one. */
  readonly rule: string | null;
}

/** What stands in the fields. */
export interface ConsentForm {
  readonly access: "read" | "write";
  readonly sees: string;
  readonly changes: string;
  /** Chosen folders; `null`: all that there are. */
  readonly roots: readonly string[] | null;
  /** Empty: as the settings say. */
  readonly profile: string;
}

/** What the owner gave the last time, and whether changing pages was asked for then. */
export interface EarlierConsent {
  readonly consent: Consent;
  readonly askedWrite: boolean;
}

/** The fields as they came, or as they begin: with what the owner gave the last time, else with everything. */
export function formOf(fields: Parameters | null, earlier: EarlierConsent | null = null): ConsentForm {
  if (fields !== null) {
    return {
      access: fields.one("access") === "read" ? "read" : "write",
      sees: fields.text("sees"),
      changes: fields.text("changes"),
      roots: fields.one("roots_shown") === null ? null : fields.all("root"),
      profile: fields.text("profile"),
    };
  }
  if (earlier === null) return { access: "write", sees: "", changes: "", roots: null, profile: "" };
  const { consent: { write, sees, changes, roots, profile }, askedWrite } = earlier;
  return {
    // Who was not asked for changes the last time did not refuse them.
    access: write || !askedWrite ? "write" : "read",
    sees: globText(sees),
    changes: write && !sameGlobs(changes, sees) ? globText(changes) : "",
    roots,
    profile: profile ?? "",
  };
}

/** What the fields mean, within the bounds and within what was asked for; or the field that is malformed. */
export function readConsent(
  form: ConsentForm,
  { bounds, asked }: { readonly bounds: ConsentBounds; readonly asked: Scope },
): Consent | { readonly field: "sees" | "changes" } {
  const sees = readGlobs(form.sees);
  if (sees === null) return { field: "sees" };
  // Who limits what is seen and says nothing about changes does not mean changes everywhere.
  const changes = form.changes.trim() === "" ? sees : readGlobs(form.changes);
  if (changes === null) return { field: "changes" };
  const write = form.access === "write" && asked.write && bounds.write;
  // By name, so that a folder that is added later is not part of what was approved now.
  const roots = bounds.roots.filter((alias) => form.roots === null || form.roots.includes(alias));
  return {
    write,
    sees,
    changes: write ? changes : [],
    roots,
    profile: profileChoices.find((each) => each === form.profile) ?? null,
  };
}

function globText(globs: readonly string[]): string {
  return sameGlobs(globs, everything) ? "" : globs.join("\n");
}

function sameGlobs(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((glob, index) => glob === right[index]);
}
