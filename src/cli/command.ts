/** What every subcommand is: a name, one line for `help`, and a function from arguments to an exit code. */

/** Where a command writes. Text is written as given; a command ends its own lines. */
export interface CommandIo {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** True when standard output is a terminal that a person looks at. */
  readonly terminal: boolean;
}

export interface Command {
  /** The word after `silverbridge`. */
  readonly name: string;
  /** One line for the list of commands, without a full stop. */
  readonly summary: string;
  /** `args` is what follows the name. Answers the exit code; throws only on a bug. */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

/** Exit codes of the program (sysexits.h numbers where they exist). */
export const exitCode = {
  ok: 0,
  /** A check failed, or a second signal cut the drain short. */
  failed: 1,
  usage: 64,
  /** The server worker died or hung. */
  died: 70,
  config: 78,
} as const;
