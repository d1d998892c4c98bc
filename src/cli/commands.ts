/**
 * Every subcommand with the line that `help` shows. A command's code is loaded only when it is the one to run, so
 * that the launcher's thread holds no code that it does not need.
 */

import type { Command } from "./command.ts";

export interface CommandEntry {
  readonly name: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** What may follow the name. */
  readonly usage: string;
  load(): Promise<Command>;
}

const settings = "[--setting VALUE ...]";
const tokenUsage =
  "NAME [--read GLOBS] [--append GLOBS] [--create GLOBS] [--write GLOBS] [--delete GLOBS]\n" +
  "       [--roots NAMES] [--profile PROFILE] [--existing] [--json]";

export const commands: readonly CommandEntry[] = [
  {
    name: "serve",
    summary: "Serve notes and folders to AI assistants over MCP",
    usage: settings,
    load: async () => (await import("./serve.ts")).serve,
  },
  {
    name: "init",
    summary: "Find SilverBullet, get a token for it, try both, and write a configuration file",
    usage:
      "[--yes] [--device] [--config FILE]\n       [--silverbullet-url URL] [--silverbullet-token-file FILE] [--silverbullet-ca-file FILE]",
    load: async () => (await import("./init.ts")).init,
  },
  {
    name: "stdio",
    summary: "Serve one client over standard input and output, as desktop clients start it",
    usage: settings,
    load: async () => (await import("./stdio.ts")).stdio,
  },
  {
    name: "demo",
    summary: "Serve a sample space, to look around without SilverBullet",
    usage: "[--port N]",
    load: async () => (await import("./demo.ts")).demo,
  },
  {
    name: "doctor",
    summary: "Look at everything that goes wrong in practice, and say what mends it",
    usage: `[--json] [--no-write] [--stdio] ${settings}`,
    load: async () => (await import("./doctor.ts")).doctor,
  },
  {
    name: "health",
    summary: "Ask the running server whether it is ready; for container and monitoring checks",
    usage: `[--live] ${settings}`,
    load: async () => (await import("./health.ts")).health,
  },
  {
    name: "config",
    summary: "Show every setting as it comes out and where it came from, secrets masked",
    usage: settings,
    load: async () => (await import("./config.ts")).config,
  },
  {
    name: "token",
    summary: "Make a token for one client, and the line of the configuration file that accepts it",
    usage: tokenUsage,
    load: async () => (await import("./token.ts")).token,
  },
  {
    name: "owner",
    summary: "Hash the owner's secret for the configuration, or lift the waits after wrong ones",
    usage: `[unlock ${settings}]`,
    load: async () => (await import("./owner.ts")).owner,
  },
  {
    name: "grants",
    summary: "Show the clients that have signed in, and end what one or all of them may do",
    usage: `[--json | revoke GRANT ... | revoke all | account GRANT [--remove]] ${settings}`,
    load: async () => (await import("./grants.ts")).grants,
  },
  {
    name: "state",
    summary: "Show how much is kept, prune it, back it up while the server runs, or restore a backup",
    usage: `[--json | prune [--index] | backup FILE | restore FILE] ${settings}`,
    load: async () => (await import("./state.ts")).state,
  },
  {
    name: "completions",
    summary: "Print the completions for bash, zsh or fish",
    usage: "bash|zsh|fish",
    load: async () => (await import("./completions.ts")).completions,
  },
  {
    name: "version",
    summary: "Show the versions of the program, the protocol, Deno and SQLite",
    usage: "",
    load: async () => (await import("./version.ts")).version,
  },
  {
    name: "help",
    summary: "Show every command and setting, or one of them: help port",
    usage: "[COMMAND | SETTING]",
    load: async () => (await import("./help.ts")).help,
  },
];

export function findCommand(name: string): CommandEntry | null {
  return commands.find((command) => command.name === name) ?? null;
}
