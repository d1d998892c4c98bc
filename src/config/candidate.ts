/** One place where a setting was given, before anything was decided between places. */

import type { Alias } from "./option.ts";
import type { OptionName } from "./options.ts";

/** Strongest first. The three in the middle are one environment: they must not contradict each other. */
export const levels = ["flag", "variable", "credential", "alias", "file"] as const;

export type Level = typeof levels[number];

export interface Candidate {
  readonly option: OptionName;
  readonly level: Level;
  /** As the operator would look for it: `SILVERBRIDGE_PORT`, `--port`, `port (configuration file, line 3)`. */
  readonly name: string;
  readonly text: string | readonly string[];
  /** The older name it was given under. */
  readonly alias: Alias | null;
}
