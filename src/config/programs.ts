/** Which program an environment was written for, and what that program's defaults were. */

import type { Candidate } from "./candidate.ts";
import type { Program } from "./option.ts";
import { type OptionName, options, variableOf } from "./options.ts";
import type { Report } from "./report.ts";

export interface Programs {
  /** Programs whose own names are set. */
  readonly named: ReadonlySet<Program>;
  /** The program whose names stand alone, without any name of today beside them. */
  readonly sole: Program | null;
}

/** Flags tell nothing: they say how this start differs, not what the environment was written for. */
export function findPrograms(candidates: readonly Candidate[]): Programs {
  const named = new Set<Program>();
  let today = false;
  for (const { level, alias } of candidates) {
    if (alias === null) today ||= level !== "flag";
    else if (!alias.common) named.add(alias.program);
  }
  const [only] = named;
  return { named, sole: !today && named.size === 1 && only !== undefined ? only : null };
}

export interface OldDefaults {
  readonly host: string;
  readonly port: number;
  readonly silverbulletUrl: string | null;
}

/** Defaults of HOST, PORT and SILVERBULLET_URL, which stay a predecessor's where its names stand alone. */
export function oldDefaults({ sole }: Programs): OldDefaults {
  if (sole === "mcp-silverbullet") {
    return { host: "127.0.0.1", port: 8000, silverbulletUrl: "http://127.0.0.1:3000" };
  }
  if (sole === "silverbullet-mcp-server") return { host: "0.0.0.0", port: 8080, silverbulletUrl: null };
  return { host: "127.0.0.1", port: 8787, silverbulletUrl: null };
}

/** One notice for all older names in use, and a word each for those that have become something else. */
export function reportOldNames(candidates: readonly Candidate[], report: Report): void {
  const renamed: string[] = [];
  const { named } = findPrograms(candidates);
  for (const { option, alias, name, text } of candidates) {
    if (alias === null || (alias.common && !named.has(alias.program))) continue;
    const { old } = options[option];
    if (!old) renamed.push(`${name} → ${variableOf(option)}${name.endsWith("_FILE") ? "_FILE" : ""}`);
    else reportOldOnly(option, { name, report, text: String(text) });
  }
  if (renamed.length === 0) return;
  report.inform("old_names", `Older names are in use and keep working: ${renamed.join(", ")}`);
}

function reportOldOnly(
  option: OptionName,
  { name, report, text }: { readonly name: string; readonly report: Report; readonly text: string },
): void {
  if (/^\s*(0|false|no|off)?\s*$/i.test(text)) return;
  if (option === "JOURNAL_TOOLS") {
    report.inform("old_name", `${name} has no effect: the discovery tools are always on`);
  }
  if (option === "INCLUDE_LOCAL_PATHS") {
    report.inform("old_name", `${name} has no effect: no answer holds a path of this machine`);
  }
  if (option === "JWT_SIGNING_KEY") {
    report.inform("old_name", `${name} signs nothing any more; changing it revokes every grant once`);
  }
}
