/** The completions of each shell, made from the tables of commands and settings. Nothing is run to complete a word. */

import { describeOptions, type OptionDescription } from "../config/describe.ts";
import { wordsOf } from "./command_words.ts";
import type { CommandEntry } from "./commands.ts";

/** What can follow one command. */
interface Offer {
  readonly name: string;
  readonly summary: string;
  readonly words: readonly Item[];
  readonly flags: readonly Item[];
}

interface Item {
  readonly text: string;
  readonly help: string;
  /** What follows: nothing, something, or a path. */
  readonly takes: "nothing" | "value" | "path";
}

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = typeof shells[number];

export function completionScript(shell: Shell, commands: readonly CommandEntry[]): string {
  const offers = commands.map(offerOf);
  switch (shell) {
    case "bash":
      return bashScript(offers);
    case "zsh":
      return zshScript(offers);
    case "fish":
      return fishScript(offers);
  }
}

function offerOf({ name, summary, usage }: CommandEntry): Offer {
  const { flags, words } = wordsOf(name);
  const settings = usage.includes("--setting") ? describeOptions().flatMap(settingItems) : [];
  const own = flags.map(({ flag, value, help }) => ({ text: flag, help, takes: takes(value) }));
  return {
    ...{ name, summary },
    words: words.map(({ word, value, help }) => ({ text: word, help, takes: takes(value) })),
    flags: [...own, ...settings.filter(({ text }) => !own.some((flag) => flag.text === text))],
  };
}

function takes(value: string | undefined): Item["takes"] {
  return value === undefined ? "nothing" : value === "FILE" ? "path" : "value";
}

function settingItems({ flag, secret, help, type }: OptionDescription): Item[] {
  const [head = ""] = flag.split(" ");
  const text = head.replace("[no-]", "");
  const plain = help.replaceAll("`", "");
  if (head.includes("[no-]")) {
    return [text, text.replace("--", "--no-")].map((each) => ({ text: each, help: plain, takes: "nothing" }));
  }
  return [{ text, help: plain, takes: secret || /path|folder|file/i.test(type) ? "path" : "value" }];
}

function bashScript(offers: readonly Offer[]): string {
  const all = [
    ...new Map(offers.flatMap(({ flags, words }) => [...flags, ...words]).map((item) => [item.text, item]))
      .values(),
  ];
  const paths = all.filter((item) => item.takes === "path").map(({ text }) => text);
  const values = all.filter((item) => item.takes === "value" && item.text.startsWith("-")).map(({ text }) =>
    text
  );
  const cases = offers.filter(({ name }) => name !== "help").map(({ name, words, flags }) =>
    `    ${name}) words='${[...words, ...flags].map(({ text }) => text).join(" ")}' ;;`
  );
  return [
    "# silverbridge: completions for bash",
    "_silverbridge() {",
    "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=''",
    "  COMPREPLY=()",
    "  if ((COMP_CWORD == 1)); then",
    `    COMPREPLY=($(compgen -W '${offers.map(({ name }) => name).join(" ")}' -- "$current"))`,
    "    return",
    "  fi",
    "  case $before in",
    `    ${paths.join("|")})`,
    "      compopt -o filenames 2>/dev/null",
    `      mapfile -t COMPREPLY < <(compgen -f -- "$current")`,
    "      return ;;",
    `    ${values.join("|")}) return ;;`,
    "  esac",
    "  case ${COMP_WORDS[1]} in",
    ...cases,
    `    help) words='${offers.map(({ name }) => name).join(" ")}' ;;`,
    "  esac",
    `  COMPREPLY=($(compgen -W "$words" -- "$current"))`,
    "}",
    "complete -F _silverbridge silverbridge",
    "",
  ].join("\n");
}

function zshScript(offers: readonly Offer[]): string {
  const cases = offers.map(({ name, words, flags }) => {
    const specs = [
      ...flags.map(({ text, help, takes }) => quoted(`${text}[${zshText(help)}]${zshValue(takes)}`)),
      ...(words.length === 0
        ? []
        : [quoted(`1:what:((${words.map(({ text, help }) => `${text}\\:${zshWords(help)}`).join(" ")}))`)]),
      ...(words.some(({ takes }) => takes === "path") ? [quoted("2:file:_files")] : []),
    ];
    return `    ${name}) _arguments ${specs.join(" \\\n      ")} ;;`;
  });
  return [
    "#compdef silverbridge",
    "# silverbridge: completions for zsh",
    "_silverbridge() {",
    "  local -a names",
    "  names=(",
    ...offers.map(({ name, summary }) => `    ${quoted(`${name}:${zshText(summary)}`)}`),
    "  )",
    "  if ((CURRENT == 2)); then",
    "    _describe 'command' names",
    "    return",
    "  fi",
    "  local name=${words[2]}",
    "  shift words",
    "  ((CURRENT--))",
    "  case $name in",
    ...cases,
    "  esac",
    "}",
    "compdef _silverbridge silverbridge",
    "",
  ].join("\n");
}

function zshValue(takes: Item["takes"]): string {
  return takes === "nothing" ? "" : takes === "path" ? ":file:_files" : ":value:";
}

function zshText(text: string): string {
  return text.replace(/[\\[\]:]/g, (char) => `\\${char}`);
}

/** Inside the list of words every space counts too. */
function zshWords(text: string): string {
  return zshText(text).replace(/[ ()'";&|<>$]/g, (char) => `\\${char}`);
}

function fishScript(offers: readonly Offer[]): string {
  const lines = offers.flatMap(({ name, summary, words, flags }) => {
    const seen = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c silverbridge -n '__fish_use_subcommand' -a ${name} -d ${quoted(summary)}`,
      ...words.map(({ text, help }) => `complete -c silverbridge ${seen} -a ${text} -d ${quoted(help)}`),
      ...flags.map(({ text, help, takes }) =>
        `complete -c silverbridge ${seen} -l ${text.slice(2)}${fishValue(takes)} -d ${quoted(help)}`
      ),
      ...(words.some(({ takes }) => takes === "path") ? [`complete -c silverbridge ${seen} -F`] : []),
    ];
  });
  return ["# silverbridge: completions for fish", "complete -c silverbridge -f", ...lines, ""].join("\n");
}

function fishValue(takes: Item["takes"]): string {
  return takes === "nothing" ? "" : takes === "path" ? " -r -F" : " -x";
}

/** In single quotes, for every shell: the quote itself goes outside of them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
