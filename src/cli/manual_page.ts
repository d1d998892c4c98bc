/** The manual page silverbridge(1), made from the tables of commands and settings, in the man macros of roff. */

import { describeOptions } from "../config/describe.ts";
import { sections } from "../config/option.ts";
import { rowsOf } from "./command_words.ts";
import { commands } from "./commands.ts";

const exitCodes: ReadonlyArray<readonly [code: number, help: string]> = [
  [0, "All is well"],
  [1, "A check failed, or something could not be done"],
  [64, "The command line is not understood"],
  [70, "The server died or hung"],
  [78, "The configuration cannot be used"],
];

export function manualPage(version: string): string {
  return [
    `.TH SILVERBRIDGE 1 "" "silverbridge ${version}" "User commands"`,
    // Names are looked for, so none is broken.
    ".nh",
    ".ad l",
    ".SH NAME",
    "silverbridge \\- lets AI assistants read, search and safely edit the notes of a SilverBullet space",
    ".SH SYNOPSIS",
    ".B silverbridge",
    ".I COMMAND",
    ".RI [ --setting",
    ".IR VALUE \\ ...]",
    ".SH DESCRIPTION",
    roff(
      "One program between MCP clients and a self-hosted SilverBullet. It serves its notes, and allowlisted local folders beside " +
        "them, over Streamable HTTP or over standard input and output, keeps every change so that it can be taken back, and can " +
        "reach nothing else on the network or the disk.",
    ),
    ".SH COMMANDS",
    ...commands.flatMap(({ name, summary, usage }) => [
      ".TP",
      `.B silverbridge ${roff(`${name} ${usage.replaceAll(/\s+/g, " ")}`.trimEnd())}`,
      `${roff(summary)}.`,
      ...wordLines(name),
    ]),
    ".SH SETTINGS",
    roff(
      "Every setting is a flag (--port 9000), a variable (SILVERBRIDGE_PORT=9000) and a key of the configuration file (port: 9000); " +
        "the first of them counts. Secrets never stand on the command line: their flags, and variables with _FILE at the end, name " +
        "a file that holds them.",
    ),
    ...sections.flatMap((section) => {
      const rows = describeOptions().filter((option) => option.section === section);
      return rows.length === 0 ? [] : [`.SS ${roff(section)}`, ...rows.flatMap(settingLines)];
    }),
    ".SH FILES",
    ".TP",
    ".I ~/.config/silverbridge/config.yaml",
    roff("The configuration that `silverbridge init` writes; name it with --config."),
    ".TP",
    ".I ~/.local/state/silverbridge",
    roff("History, sign-ins and the search index, where STATE_DIR names no other folder."),
    ".SH EXIT STATUS",
    ...exitCodes.flatMap(([code, help]) => [".TP", `.B ${code}`, `${roff(help)}.`]),
    "",
  ].join("\n");
}

function wordLines(command: string): string[] {
  const rows = rowsOf(command);
  if (rows.length === 0) return [];
  const lines = rows.flatMap(([written, help]) => [".TP", `.B ${roff(written)}`, `${roff(help)}.`]);
  return [".RS", ...lines, ".RE"];
}

function settingLines(option: ReturnType<typeof describeOptions>[number]): string[] {
  const { flag, help, type, fallback, variable } = option;
  const facts = [type, ...(fallback === "" ? [] : [`default ${fallback}`]), variable].join("; ");
  return [".TP", `.B ${roff(flag)}`, `${roff(help)}.`, `(${roff(facts)})`];
}

/** Text as roff takes it: marks of Markdown dropped, backslashes, hyphens and leading dots as themselves. */
function roff(text: string): string {
  return text.replaceAll("`", "").replaceAll("\\", "\\e").replaceAll("-", "\\-")
    .replaceAll("…", "...").replace(/^([.'])/gm, "\\&$1");
}
