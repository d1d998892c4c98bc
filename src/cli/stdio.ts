/** `silverbridge stdio`: the same tools for one client that starts this program and talks to it through a pipe. */

import type { Logger } from "../core/log.ts";
import { silenceConsole } from "../launch/standard_streams.ts";
import type { Command } from "./command.ts";
import { runServer } from "./run_server.ts";

export const stdio: Command = {
  name: "stdio",
  summary: "Serve one client over standard input and output, as desktop clients start it",
  run(args, io) {
    silenceConsole();
    return runServer(args, { purpose: "stdio", io, remark: warnOfTerminal });
  },
};

function warnOfTerminal(logger: Logger): void {
  if (!Deno.stdin.isTerminal()) return;
  const text =
    "This reads MCP messages from standard input and is meant to be started by a client; end with Ctrl+D";
  logger.log("warn", "input_is_terminal", { text });
}
