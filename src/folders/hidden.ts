/**
 * Which paths are hidden, judged on every name of a path: the one that was asked for and the real one behind links.
 *
 * Names are folded first, so that neither case nor width nor an invisible character gets around a rule. Letters of other
 * alphabets that only look alike are not folded: that is a known miss.
 */

import {
  endings,
  generatedNames,
  keyExtensions,
  keyNames,
  lastExtensions,
  names,
  pairs,
  prefixes,
} from "./hidden_names.ts";
import { matchesName } from "./name_glob.ts";

export interface HiddenOptions {
  /** The operator's own globs on names. */
  readonly exclude: readonly string[];
  /** Show `dist`, `build` and the like. */
  readonly allowGeneratedNames: boolean;
}

/** True for a path of names below a root that must not be seen. */
export type Hides = (segments: readonly string[]) => boolean;

export function createHidden({ exclude, allowGeneratedNames }: HiddenOptions): Hides {
  const globs = exclude.map(fold).filter((glob) => glob !== "");
  return (segments) => {
    let before = "";
    for (const segment of segments) {
      const name = fold(segment);
      if (isHiddenName(name) || pairs.has(`${before}/${name}`)) return true;
      if (!allowGeneratedNames && generatedNames.has(name)) return true;
      if (globs.some((glob) => matchesName(glob, name))) return true;
      before = name;
    }
    return false;
  };
}

const plain = /^[a-z0-9_-][a-z0-9_.-]*[a-z0-9_-]$/;

/**
 * A name as rules compare it: compatibility forms, case, accents and invisible characters are gone, and so is what some
 * file systems drop from a name themselves (dots and spaces at its end, a stream after a colon).
 */
export function fold(name: string): string {
  if (plain.test(name)) return name;
  const letters = name.normalize("NFKD").toLowerCase().normalize("NFKD")
    .replace(/[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "");
  const main = letters.indexOf(":") > 0 ? letters.slice(0, letters.indexOf(":")) : letters;
  return main.replace(/^\s+/u, "").replace(/[\s.]+$/u, "");
}

function isHiddenName(folded: string): boolean {
  // Copies that editors keep: `name~` and `#name#`.
  const name = folded.replace(/^#|[~#]+$/g, "");
  if (names.has(name) || names.has(folded) || keyNames.test(folded)) return true;
  if (prefixes.some((prefix) => folded.startsWith(prefix))) return true;
  if (endings.some((ending) => name.endsWith(ending))) return true;
  const [, ...extensions] = name.split(".");
  return extensions.some((extension) => keyExtensions.has(extension)) ||
    lastExtensions.has(extensions.at(-1) ?? "");
}
