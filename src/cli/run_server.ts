/** What `serve` and `stdio` have in common: read the configuration, say what is worth saying, run the server until it ends. */

import { loadFromSystem } from "../config/load.ts";
import { exitCodeOf, renderProblems } from "../config/outcome.ts";
import { systemClock } from "../core/clock.ts";
import { createLogger, type Logger } from "../core/log.ts";
import { version } from "../core/version.ts";
import { launch } from "../launch/launcher.ts";
import type { CommandIo } from "./command.ts";

export interface ServerRun {
  readonly purpose: "serve" | "stdio";
  readonly io: CommandIo;
  /** Said before the start, where there is something to say. */
  readonly remark?: (logger: Logger) => void;
}

/** Answers the exit code. `args`: setting flags. */
export async function runServer(
  args: readonly string[],
  { purpose, io, remark }: ServerRun,
): Promise<number> {
  const loaded = await loadFromSystem({ args, purpose });
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
  remark?.(logger);
  const transport = purpose === "stdio" ? "stdio" : "http";
  return await launch(config, { clock: systemClock, logger, transport });
}
