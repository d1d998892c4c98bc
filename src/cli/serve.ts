/** `silverbridge serve`: reads the configuration, says what is worth saying, and runs the server until it ends. */

import { loadFromSystem } from "../config/load.ts";
import { exitCodeOf, renderProblems } from "../config/outcome.ts";
import { systemClock } from "../core/clock.ts";
import { createLogger } from "../core/log.ts";
import { version } from "../core/version.ts";
import { launch } from "../launch/launcher.ts";
import type { Command } from "./command.ts";

export const serve: Command = {
  name: "serve",
  summary: "Serve notes and folders to AI assistants over MCP",
  async run(args, io) {
    const loaded = await loadFromSystem({ args, purpose: "serve" });
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
    return await launch(config, { clock: systemClock, logger });
  },
};
