/**
 * Reads the configuration: flags, environment, credential files, secret files and the configuration file.
 *
 * The one file of this folder that opens files, reads the environment and starts the YAML worker.
 */

import type { Loaded } from "./outcome.ts";
import type { Purpose, Source } from "./source.ts";

export interface SystemOptions {
  /** Arguments after the command; setting flags only. */
  readonly args: readonly string[];
  readonly purpose?: Purpose;
}

/** The settings of this process, or all problems. Needs read and env permission; writes only to probe `STATE_DIR`. */
export function loadFromSystem(_options: SystemOptions): Promise<Loaded> {
  return Promise.reject(new Error("Loading is being built"));
}

/** The same from a given source. */
export function load(_source: Source): Promise<Loaded> {
  return Promise.reject(new Error("Loading is being built"));
}
