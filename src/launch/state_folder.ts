/** Makes the state folder ready for the worker: it exists, nobody else may enter it, and its path is canonical. */

import type { Config } from "../config/config.ts";
import type { Logger } from "../core/log.ts";
import { keepsState } from "./permissions.ts";

/** The same configuration with the folder's real path, or without a folder where it cannot be had (said once). */
export function prepareState(config: Config, logger: Logger): Config {
  const { dir } = config.state;
  if (dir === null || !keepsState(config)) return config;
  try {
    Deno.mkdirSync(dir, { recursive: true, mode: 0o700 });
    return { ...config, state: { ...config.state, dir: Deno.realPathSync(dir) } };
  } catch (error) {
    const type = error instanceof Error ? error.name : typeof error;
    logger.log("warn", "state_folder_unusable", {
      type,
      text:
        "The state folder cannot be used, so changes are made without history, and clients that sign in must do " +
        "so again after every start. Set SILVERBRIDGE_STATE_DIR to a folder this user may write to.",
    });
    return { ...config, state: { ...config.state, dir: null } };
  }
}
