/** Settings in the environment: names of today, their `_FILE` forms, older names; and names that nobody knows. */

import type { Candidate } from "./candidate.ts";
import type { Alias } from "./option.ts";
import { keyOf, type OptionName, optionNames, options, prefix, variableOf } from "./options.ts";
import { type Report, shownName } from "./report.ts";
import { suggest } from "./suggest.ts";

/** Names of mcp-silverbullet's own tests: no settings, and no misspelt ones either. */
const silentNames = new Set(["MCP_SILVERBULLET_LIVE_SB_URL", "MCP_SILVERBULLET_LIVE_SB_TOKEN"]);

export interface EnvironmentReading {
  readonly candidates: readonly Candidate[];
  /** Values that still stand in files, to be read by the caller. */
  readonly files: readonly (Omit<Candidate, "text"> & { readonly path: string })[];
  /** Older names that are there but empty; for one of them that is a statement. */
  readonly emptied: ReadonlySet<string>;
}

export function readEnvironment(env: Readonly<Record<string, string>>, report: Report): EnvironmentReading {
  const candidates: Candidate[] = [];
  const files: (Omit<Candidate, "text"> & { path: string })[] = [];
  const emptied = new Set<string>();
  const known = new Set<string>();
  function take(name: string, place: { option: OptionName; alias: Alias | null; file: boolean }): void {
    known.add(name);
    const text = env[name];
    if (text === undefined) return;
    if (text.trim() === "") {
      emptied.add(name);
      return;
    }
    const { option, alias, file } = place;
    const candidate = { option, level: alias === null ? "variable" as const : "alias" as const, name, alias };
    if (file) files.push({ ...candidate, path: text.trim() });
    else candidates.push({ ...candidate, text });
  }
  for (const option of optionNames()) {
    const { aliases, old, secret } = options[option];
    const names: readonly (readonly [string, Alias | null])[] = [
      ...(old ? [] : [[variableOf(option), null] as const]),
      ...aliases.map((alias) => [alias.name, alias] as const),
    ];
    for (const [name, alias] of names) {
      take(name, { option, alias, file: false });
      if (secret) take(`${name}_FILE`, { option, alias, file: true });
    }
  }
  reportUnknown(Object.keys(env).filter((name) => !known.has(name)), [...known], report);
  return { candidates, files, emptied };
}

function reportUnknown(names: readonly string[], known: readonly string[], report: Report): void {
  for (const name of names) {
    const upper = name.toUpperCase();
    if (name.startsWith(prefix)) {
      if (name.startsWith(`${prefix}TEST_`)) continue;
      const mend = isServiceLink(name)
        ? "Kubernetes sets it for a service named silverbridge: set enableServiceLinks: false, or rename the service"
        : suggestion(name) ?? "silverbridge help lists every setting";
      report.problem(shownName(name), `${shownName(name)} is no setting`, mend);
    } else if (upper.startsWith(prefix)) {
      report.warn("unknown_name", `${shownName(name)} has no effect; names of settings are in capitals`);
    } else if (/^(BRIDGE|MCP_SILVERBULLET)_/.test(upper) && !silentNames.has(name)) {
      const start = upper.startsWith("BRIDGE_") ? "BRIDGE_" : "MCP_SILVERBULLET_";
      const close = suggest(upper, known.filter((each) => each.startsWith(start)));
      const hint = close.length > 0
        ? `did you mean ${close.join(" or ")}?`
        : suggestion(upper)?.replace(/^D/, "d");
      report.warn(
        "unknown_name",
        `${shownName(name)} is not known and has no effect; ${hint ?? "see silverbridge help"}`,
      );
    }
  }
}

function isServiceLink(name: string): boolean {
  return /^SILVERBRIDGE_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP))/.test(name);
}

/** By the name itself, and by the older names without their prefixes: `SILVERBRIDGE_OWNER_TOKEN`, `…_SB_URL`. */
function suggestion(name: string): string | null {
  const bare = name.replace(/^(SILVERBRIDGE|BRIDGE|MCP_SILVERBULLET)_/, "");
  const targets = new Map<string, OptionName>();
  for (const option of optionNames().filter((each) => !options[each].old)) {
    for (const alias of options[option].aliases) {
      const short = alias.name.replace(/^(BRIDGE|MCP_SILVERBULLET)_/, "");
      if (!targets.has(short)) targets.set(short, option);
    }
  }
  for (const option of optionNames().filter((each) => !options[each].old)) {
    targets.set(option, option);
    if (options[option].secret) targets.set(`${option}_FILE`, option);
  }
  const close = suggest(bare, [...targets.keys()]).map((short) => {
    const option = targets.get(short);
    return option === undefined || short === `${option}_FILE` ? prefix + short : variableOf(option);
  });
  return close.length === 0 ? null : `Did you mean ${[...new Set(close)].join(" or ")}?`;
}

/** Credential files carry the names of the configuration file. */
export function credentialNames(): ReadonlyMap<string, OptionName> {
  return new Map(
    optionNames().filter((name) => !options[name].old && name !== "CONFIG").map((
      name,
    ) => [keyOf(name), name]),
  );
}
