/** What the cross rules look at together. */

import type { Candidate } from "./candidate.ts";
import { type OptionName, type Values, variableOf } from "./options.ts";
import type { Programs } from "./programs.ts";
import type { Report } from "./report.ts";
import type { Sections } from "./sections.ts";
import type { Source } from "./source.ts";

export interface Context {
  readonly source: Source;
  readonly report: Report;
  readonly values: Values;
  readonly given: ReadonlyMap<OptionName, Candidate>;
  /** Settings that were given in any way, also where that was refused: the refusal is problem enough. */
  readonly attempted: ReadonlySet<OptionName>;
  readonly programs: Programs;
  readonly sections: Sections;
  /** Older names that are set to nothing. */
  readonly emptied: ReadonlySet<string>;
  /** Absolute paths of the configuration file and of the files that secrets were read from. */
  readonly configFile: string | null;
  readonly secretFiles: readonly string[];
  /** `null` where the environment names none. */
  readonly home: string | null;
}

/** A setting as the operator wrote it, or its variable where it was not given. */
export function named(context: Pick<Context, "given">, option: OptionName): string {
  return context.given.get(option)?.name ?? variableOf(option);
}
