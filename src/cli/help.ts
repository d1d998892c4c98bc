/** `silverbridge help`: every command and every setting, or one of them in full. Made from the tables. */

import { describeOption, describeOptions, type OptionDescription } from "../config/describe.ts";
import { sections } from "../config/option.ts";
import { type OptionName, optionNames, options } from "../config/options.ts";
import { suggest } from "../config/suggest.ts";
import { type Command, exitCode } from "./command.ts";
import { rowsOf } from "./command_words.ts";
import { commands } from "./commands.ts";

const flagWidth = 34;

export const help: Command = {
  name: "help",
  summary: "Show every command and setting, or one of them: help port",
  run(args, io) {
    const [topic, ...rest] = args;
    if (rest.length > 0) {
      io.stderr("usage: silverbridge help [COMMAND | SETTING]\n");
      return Promise.resolve(exitCode.usage);
    }
    if (topic === undefined) {
      io.stdout(overview());
      return Promise.resolve(exitCode.ok);
    }
    const text = about(topic);
    if (text !== null) io.stdout(text);
    else io.stderr(unknownTopic(topic));
    return Promise.resolve(text === null ? exitCode.usage : exitCode.ok);
  },
};

export function overview(): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return [
    "usage: silverbridge COMMAND [--setting VALUE ...]",
    "",
    "Commands",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    "",
    "Settings",
    "  --port 9000 on the command line, SILVERBRIDGE_PORT=9000 in the environment, port: 9000 in the",
    "  configuration file (--config); the first of them counts. Secrets never stand on the command line:",
    "  their flags, and variables with _FILE at the end, name a file that holds them.",
    ...sections.flatMap((section) => [
      "",
      section,
      ...describeOptions().filter((option) => option.section === section).flatMap(flagLines),
    ]),
    "",
  ].join("\n");
}

function flagLines({ flag, help, fallback }: OptionDescription): readonly string[] {
  const note = fallback === "" ? "" : ` [${plain(fallback)}]`;
  const lines = wrap(plain(help) + note, 110 - flagWidth);
  const [first = "", ...others] = lines;
  const indent = " ".repeat(flagWidth);
  const head = `  ${flag}`;
  const start = head.length < flagWidth ? [head.padEnd(flagWidth) + first] : [head, indent + first];
  return [...start, ...others.map((line) => indent + line)];
}

/** One command or setting, by any of its names. */
function about(topic: string): string | null {
  const command = commands.find(({ name }) => name === topic);
  if (command !== undefined) {
    const { usage, summary } = command;
    const more = usage.includes("--setting") ? "\n`silverbridge help` shows every setting\n" : "";
    return `usage: ${`silverbridge ${topic} ${usage}`.trimEnd()}\n\n${summary}\n${wordLines(topic)}${more}`;
  }
  const name = findOption(topic);
  if (name === null) return null;
  const { variable, flag, key, type, fallback, secret, aliases, help } = describeOption(name);
  const isOld = options[name].old;
  const rows: readonly (readonly [string, string])[] = [
    ...(isOld ? [] : [
      ["flag", flag],
      ["variable", secret ? `${variable}, or ${variable}_FILE with the path of a file` : variable],
      ["in the file", secret ? `${key}, or ${key}_file with the path of a file` : key],
    ] as const),
    ["value", plain(type)],
    ["default", fallback === "" ? "none" : plain(fallback)],
    ...(aliases.length === 0 ? [] : [["older names", aliases.join(", ")] as const]),
  ];
  return [plain(help), "", ...rows.map(([label, value]) => `  ${label.padEnd(13)}${value}`), ""].join("\n");
}

/** What may follow a command, a line each. */
function wordLines(command: string): string {
  const rows = rowsOf(command);
  if (rows.length === 0) return "";
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  return `\n${rows.map(([name, help]) => `  ${name.padEnd(width)}${help}\n`).join("")}`;
}

function findOption(topic: string): OptionName | null {
  const bare = topic.replace(/^--/, "").toUpperCase().replaceAll("-", "_");
  const short = bare.replace(/^SILVERBRIDGE_/, "");
  return optionNames().find((name) => {
    const { secret, aliases } = options[name];
    const names = [name, ...(secret ? [`${name}_FILE`] : [])];
    return names.includes(short) || aliases.some((alias) => alias.name === bare);
  }) ?? null;
}

function unknownTopic(topic: string): string {
  const names = [...commands.map(({ name }) => name), ...describeOptions().map(({ key }) => key)];
  const close = suggest(topic.replaceAll("-", "_"), names);
  const hint = close.length > 0 ? `; did you mean ${close.join(" or ")}?` : "";
  return `silverbridge: there is no such command or setting${hint}\n`;
}

/** Markdown's code marks mean nothing on a terminal. */
function plain(text: string): string {
  return text.replaceAll("`", "");
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
