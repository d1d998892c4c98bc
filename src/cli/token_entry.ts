/** One entry of the section `tokens` in the configuration file, from what stands on the command line. */

import { type Kind, refine } from "../config/kind.ts";
import { list } from "../config/kinds.ts";
import { pageGlobs, profile, rootAliasPattern } from "../config/kinds_product.ts";
import { ruleName } from "../config/sections.ts";
import type { Profile } from "../core/principal.ts";
import { type VerbGlobs, verbs } from "../core/rights.ts";
import { sha256Hex } from "../core/secrets.ts";

/** Flags that limit what a token may do, as they were given; a flag may come several times. */
export type TokenLimits = Readonly<
  Partial<Record<"roots" | "profile" | (typeof verbs)[number], readonly string[]>>
>;

export interface TokenEntry {
  readonly name: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly hash: string;
  readonly rights?: VerbGlobs;
  readonly roots?: readonly string[];
  readonly profile?: Profile;
}

export interface EntryOptions {
  readonly name: string;
  readonly token: string;
  readonly limits: TokenLimits;
}

/** Why there is no entry: what is wrong, by the name of its argument, and what is wanted. Quotes no value. */
export interface EntryFault {
  readonly fault: string;
}

/** `all` is a name by its form, too. */
const rootAliases = refine(list("names of roots"), {
  check: (names) =>
    names.every((name) => rootAliasPattern.test(name))
      ? { value: names }
      : { wanted: "names of roots, of letters, digits, _ and -, or all" },
  show: (value) => value.join(", "),
});

/** Reads every part as the configuration does, so that the server takes what this command printed. */
export function tokenEntry({ name, token, limits }: EntryOptions): TokenEntry | EntryFault {
  const faults: string[] = [];
  function read<T>(label: string, kind: Kind<T>, texts: readonly string[] | undefined): T | null {
    if (texts === undefined) return null;
    const text = texts.join(",");
    const parsed = /[^\s,]/.test(text) ? kind.parse(text) : { wanted: "a value" };
    if ("value" in parsed) return parsed.value;
    faults.push(`${label} must be ${parsed.wanted}`);
    return null;
  }
  const entryName = read("NAME", ruleName, [name]);
  const rights: Partial<Record<(typeof verbs)[number], readonly string[]>> = {};
  for (const verb of verbs) {
    const globs = read(`--${verb}`, pageGlobs(), limits[verb]);
    if (globs !== null) rights[verb] = globs;
  }
  const roots = read("--roots", rootAliases, limits.roots);
  const chosen: Profile | null = read("--profile", profile(), limits.profile);
  const [fault] = faults;
  if (entryName === null || fault !== undefined) return { fault: fault ?? "NAME must be a name" };
  return {
    name: entryName,
    hash: `sha256:${sha256Hex(token)}`,
    ...(Object.keys(rights).length === 0 ? {} : { rights }),
    ...(roots === null ? {} : { roots }),
    ...(chosen === null ? {} : { profile: chosen }),
  };
}

/** One line for the list under `tokens:`. Quoted as JSON is, which YAML reads the same way. */
export function entryLine({ name, hash, rights, roots, profile: chosen }: TokenEntry): string {
  const parts = [
    `name: ${JSON.stringify(name)}`,
    `hash: ${JSON.stringify(hash)}`,
    ...(rights === undefined ? [] : [`rights: { ${rightsText(rights)} }`]),
    ...(roots === undefined ? [] : [`roots: ${listText(roots)}`]),
    ...(chosen === undefined ? [] : [`profile: ${chosen}`]),
  ];
  return `  - { ${parts.join(", ")} }`;
}

function rightsText(rights: VerbGlobs): string {
  return Object.entries(rights).map(([verb, globs]) => `${verb}: ${listText(globs)}`).join(", ");
}

function listText(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(", ")}]`;
}
