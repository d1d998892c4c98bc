/** What people are told about each setting, for `help`, the reference page and the migration page. */

import type { Program, Section } from "./option.ts";
import { flagOf, keyOf, type OptionName, optionNames, options, variableOf } from "./options.ts";
import { showBytes } from "./kinds.ts";

export interface OptionDescription {
  readonly name: OptionName;
  readonly section: Section;
  readonly variable: string;
  /** With the form of its value: `--port VALUE`, `--[no-]read-only`. */
  readonly flag: string;
  /** In the configuration file and in the credentials folder. */
  readonly key: string;
  /** What values it takes, in Markdown. */
  readonly type: string;
  /** In Markdown; empty where there is none. */
  readonly fallback: string;
  readonly secret: boolean;
  readonly aliases: readonly string[];
  readonly help: string;
}

/** The settings that have a name of today, in the order of the table. */
export function describeOptions(): readonly OptionDescription[] {
  return optionNames().filter((name) => !options[name].old).map(describeOption);
}

export function describeOption(name: OptionName): OptionDescription {
  const { section, kind, secret, aliases, help, derived } = options[name];
  const flag = kind.isSwitch
    ? flagOf(name).replace("--", "--[no-]")
    : `${flagOf(name)} ${secret ? "PATH" : "VALUE"}`;
  return {
    ...{ name, section, secret, help, flag },
    variable: variableOf(name),
    key: keyOf(name),
    type: kind.label,
    fallback: derived ?? shownFallback(name),
    aliases: aliases.map((alias) => alias.name),
  };
}

/** A predecessor's name and what it is today. */
export interface OldName {
  readonly name: string;
  readonly program: Program;
  /** `null` where only the old name exists. */
  readonly today: string | null;
  readonly help: string;
}

/** Every variable of the three predecessors, program by program. */
export function oldNames(): readonly OldName[] {
  const programs: readonly Program[] = ["mcp-silverbullet", "silverbullet-mcp-server", "personal-mcp-bridge"];
  const all = optionNames().flatMap((option) =>
    options[option].aliases.map(({ name, program }): OldName => ({
      ...{ name, program },
      today: options[option].old ? null : variableOf(option),
      help: options[option].help,
    }))
  );
  return programs.flatMap((program) => all.filter((each) => each.program === program));
}

function shownFallback(name: OptionName): string {
  const { fallback, kind } = options[name];
  if (fallback === null) return "";
  if (typeof fallback === "number" && kind.label.startsWith("size")) return showBytes(fallback);
  const shown = showFallback(name);
  return shown === "" ? "" : shown.split(", ").map((part) => `\`${part}\``).join(", ");
}

function showFallback(name: OptionName): string {
  const option: { readonly fallback: unknown; readonly kind: { show(value: unknown): string } } =
    options[name];
  return option.kind.show(option.fallback);
}
