/** `silverbridge stdio`: the same tools for one client that starts this program and talks to it through a pipe. */

import { loadFromSystem } from "../config/load.ts";
import { exitCodeOf, renderProblems } from "../config/outcome.ts";
import { systemClock } from "../core/clock.ts";
import { createLogger } from "../core/log.ts";
import { version } from "../core/version.ts";
import { launch } from "../launch/launcher.ts";
import { silenceConsole } from "../launch/standard_streams.ts";
import type { Command } from "./command.ts";

export const stdio: Command = {
  name: "stdio",
  summary: "Serve one client over standard input and output, as desktop clients start it",
  async run(args, io) {
    silenceConsole();
    const loaded = await loadFromSystem({ args, purpose: "stdio" });
    if ("problems" in loaded) {
      io.stderr(renderProblems(loaded.problems));
      return exitCodeOf(loaded.problems);
    }
    const { config, notices } = loaded;
    const logger = createLogger({
      level: config.logLevel,
      format: config.logFormat,
      clock: systemClock,
      write: (line) => io.stderr(`${line}\n`),
    });
    logger.log("info", "starting", { version });
    for (const { level, code, message } of notices) logger.log(level, code, { text: message });
    if (Deno.stdin.isTerminal()) {
      const text =
        "This reads MCP messages from standard input and is meant to be started by a client; end with Ctrl+D";
      logger.log("warn", "input_is_terminal", { text });
    }
    return await launch(config, { clock: systemClock, logger, transport: "stdio" });
  },
};
