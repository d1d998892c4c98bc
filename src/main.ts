/** The program: one word chooses the command, the command answers the exit code, and this file alone exits. */

import { type CommandIo, exitCode } from "./cli/command.ts";
import { commands, findCommand } from "./cli/commands.ts";
import { loadInnerCommand } from "./cli/inner_commands.ts";
import { textSink } from "./core/text_sink.ts";

const words: Readonly<Record<string, string>> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-V": "version",
};

/** Asks for help wherever it stands. */
const helpFlags: ReadonlySet<string> = new Set(["--help", "-h"]);

const io: CommandIo = {
  stdout: textSink(Deno.stdout),
  stderr: textSink(Deno.stderr),
  terminal: Deno.stdout.isTerminal(),
};

async function run(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  const name = first === undefined ? "help" : words[first] ?? first;
  if (rest.some((arg) => helpFlags.has(arg))) return await run(name === "help" ? [name] : ["help", name]);
  const entry = findCommand(name);
  const inner = entry === null ? await loadInnerCommand(name) : null;
  if (inner !== null) return await inner.run(rest, io);
  if (entry === null) {
    const names = commands.map((command) => command.name).join(", ");
    io.stderr(`silverbridge: there is no command ${JSON.stringify(name)}; there are ${names}\n`);
    return exitCode.usage;
  }
  const command = await entry.load();
  const code = await command.run(rest, io);
  return first === undefined ? exitCode.usage : code;
}

try {
  Deno.exit(await run(Deno.args));
} catch (error) {
  const type = error instanceof Error ? error.name : typeof error;
  io.stderr(`silverbridge: failed unexpectedly (${type})\n`);
  Deno.exit(exitCode.died);
}
