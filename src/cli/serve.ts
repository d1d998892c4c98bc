/** `silverbridge serve`: reads the configuration, says what is worth saying, and runs the server until it ends. */

import type { Command } from "./command.ts";
import { runServer } from "./run_server.ts";

export const serve: Command = {
  name: "serve",
  summary: "Serve notes and folders to AI assistants over MCP",
  run: (args, io) => runServer(args, { purpose: "serve", io }),
};
