/**
 * What loading the configuration answers: the settings with notices, or every problem at once.
 *
 * Texts are for the operator on a terminal or in the journal. They name settings, files by the setting that gave
 * them, and places in the configuration file; they never quote a value, so no secret can be in them.
 */

import type { Config } from "./config.ts";
import type { EffectiveSetting } from "./effective.ts";

/** Something that stops the start. */
export interface Problem {
  /** As the operator wrote it: `SILVERBRIDGE_PORT`, `BRIDGE_PORT`, `--port`, `port (configuration file, line 3)`. */
  readonly name: string;
  /** What is wrong and what is wanted, beginning with the name. */
  readonly message: string;
  /** What to do. */
  readonly mend: string;
  /** `usage`: the command line itself is not understood. */
  readonly kind: "configuration" | "usage";
}

/** Something worth saying once at start. */
export interface Notice {
  readonly level: "info" | "warn";
  /** Stable short name for the log, such as `old_names`. */
  readonly code: string;
  readonly message: string;
}

export interface LoadedConfig {
  readonly config: Config;
  readonly notices: readonly Notice[];
  /** Every setting as it came out, secrets masked, for `silverbridge config`. */
  readonly effective: readonly EffectiveSetting[];
}

export interface RefusedConfig {
  readonly problems: readonly Problem[];
  /** A misspelt older name is only a notice, and often the reason for a problem. */
  readonly notices: readonly Notice[];
}

export type Loaded = LoadedConfig | RefusedConfig;

/**
 * 64 where the command line was not understood, whatever else is wrong: nobody knows yet what it was meant to set.
 * 78 for a configuration that cannot be used.
 */
export function exitCodeOf(problems: readonly Problem[]): 64 | 78 {
  return problems.some((problem) => problem.kind === "usage") ? 64 : 78;
}

/** All problems with their mends, then warnings, as text for standard error; ends in a line break. */
export function renderProblems(problems: readonly Problem[], notices: readonly Notice[] = []): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const lines = problems.flatMap((problem) => ["", `  ${problem.message}`, `    ${problem.mend}`]);
  const warnings = notices.filter((notice) => notice.level === "warn").map((notice) => `  ${notice.message}`);
  const tail = warnings.length === 0 ? [] : ["", "Also:", ...warnings];
  return [`silverbridge cannot start: ${count} in the configuration`, ...lines, ...tail, ""].join("\n");
}
