/**
 * Everything that loading the configuration looks at, handed in so that tests can lie about the system.
 *
 * `load.ts` has the real one. Functions answer faults as values: a missing file is news, not an exception.
 */

import type { YamlOutcome } from "./yaml_tree.ts";

export type FileFault = "missing" | "denied" | "wrong_kind" | "too_large" | "fault";

/** `stdio` serves the operator over standard input and output: no listener, so no rule about one. */
export type Purpose = "serve" | "stdio";

export interface Source {
  /** What follows the command on the command line; setting flags only. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute; relative paths are taken from here. */
  readonly cwd: string;
  /** Whether standard error is a terminal. */
  readonly isTerminal: boolean;
  /** `serve` where left out. */
  readonly purpose?: Purpose;
  /** A regular file of at most `maxBytes`; `shared` when others than its owner and group may read it. */
  readFile(
    path: string,
    maxBytes: number,
  ): { readonly bytes: Uint8Array; readonly shared: boolean } | FileFault;
  /** Canonical path of something that exists. */
  realPath(path: string): { readonly path: string } | FileFault;
  /** Names in a folder, or why it cannot be read. */
  listFolder(path: string): readonly string[] | FileFault;
  /** True when files can be made in that existing folder; leaves nothing behind. */
  canWriteIn(path: string): boolean;
  /** Parses the text of a configuration file away from this thread, bounded in time. */
  parseYaml(text: string): Promise<YamlOutcome>;
}
