/**
 * `silverbridge config`: every setting as it comes out, where it came from, secrets masked; or all problems.
 *
 * Reads what `serve` would read and starts nothing.
 */

import type { EffectiveSetting } from "../config/effective.ts";
import { loadFromSystem } from "../config/load.ts";
import { isOptionName, variableOf } from "../config/options.ts";
import { exitCodeOf, renderProblems } from "../config/outcome.ts";
import { type Command, exitCode } from "./command.ts";

export const config: Command = {
  name: "config",
  summary: "Show every setting as it comes out and where it came from, secrets masked",
  async run(args, io) {
    const loaded = await loadFromSystem({ args, purpose: "serve" });
    if ("problems" in loaded) {
      io.stderr(renderProblems(loaded.problems, loaded.notices));
      return exitCodeOf(loaded.problems);
    }
    for (const { message } of loaded.notices) io.stderr(`${message}\n`);
    io.stdout(renderSettings(loaded.effective));
    return exitCode.ok;
  },
};

/** One setting a line: name, value, and where it came from. */
export function renderSettings(settings: readonly EffectiveSetting[]): string {
  const width = Math.max(...settings.map(({ name }) => fullName(name).length)) + 2;
  return settings.map(({ name, shown, origin }) => {
    const from = origin === "" ? "" : `  # ${origin}`;
    return `${fullName(name).padEnd(width)}${shown === "" ? "-" : shown}${from}\n`;
  }).join("");
}

function fullName(name: string): string {
  return isOptionName(name) ? variableOf(name) : name;
}
