/** `silverbridge version`: what a report of a fault should say first. */

import { protocolRevisions } from "../core/revisions.ts";
import { version as programVersion } from "../core/version.ts";
import { sqliteVersion } from "../state/sqlite_version.ts";
import { type Command, exitCode } from "./command.ts";

export const version: Command = {
  name: "version",
  summary: "Show the versions of the program, the protocol, Deno and SQLite",
  run(args, io) {
    if (args.length > 0) {
      io.stderr("usage: silverbridge version\n");
      return Promise.resolve(exitCode.usage);
    }
    io.stdout([
      `silverbridge ${programVersion}`,
      `MCP ${protocolRevisions.join(", ")}`,
      `Deno ${Deno.version.deno} (${Deno.build.target})`,
      `SQLite ${sqliteVersion()}`,
      "",
    ].join("\n"));
    return Promise.resolve(exitCode.ok);
  },
};
