/** `silverbridge completions`: the script that completes its commands and flags in a shell. */

import { type Command, exitCode } from "./command.ts";
import { commands } from "./commands.ts";
import { completionScript, shells } from "./completion_scripts.ts";

export const completions: Command = {
  name: "completions",
  summary: "Print the completions for bash, zsh or fish",
  run(args, io) {
    const shell = shells.find((name) => name === args[0]);
    if (shell === undefined || args.length > 1) {
      io.stderr("usage: silverbridge completions bash|zsh|fish\n");
      return Promise.resolve(exitCode.usage);
    }
    io.stdout(completionScript(shell, commands));
    return Promise.resolve(exitCode.ok);
  },
};
