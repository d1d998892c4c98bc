/**
 * Settings on the command line: every setting is a flag, secrets only as the name of a file.
 *
 * What stands on a command line can be read by every local user, so a secret there is refused; and as it may stand
 * in the wrong place, no text from the command line is ever repeated but the names of flags.
 */

import { flagOf, keyOf, type OptionName, optionNames, options } from "./options.ts";
import type { Report } from "./report.ts";
import { suggest } from "./suggest.ts";

export interface Flag {
  readonly option: OptionName;
  readonly name: string;
  readonly text: string;
  /** True where `text` is the path of a file that holds the value. */
  readonly file: boolean;
}

interface Known {
  readonly option: OptionName;
  readonly takes: "value" | "switch" | "off" | "secret" | "secret file";
}

/** Reads setting flags (`--name value`, `--name=value`, `--switch`, `--no-switch`); reports everything else. */
export function readFlags(args: readonly string[], report: Report): readonly Flag[] {
  const known = knownFlags();
  const found = new Map<string, Flag>();
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (!arg.startsWith("--") || arg === "--") {
      report.usage(
        "arguments",
        "The command line holds an argument that is no flag",
        "Write settings as --name value",
      );
      continue;
    }
    const cut = arg.indexOf("=");
    const name = cut < 0 ? arg : arg.slice(0, cut);
    const flag = known.get(name);
    if (flag === undefined) {
      if (cut < 0 && !isFlag(args[index + 1])) index++;
      reportUnknown(name, known, report);
      continue;
    }
    let text = cut < 0 ? null : arg.slice(cut + 1);
    if (text === null && !["switch", "off"].includes(flag.takes)) {
      text = isFlag(args[index + 1]) ? "" : args[++index] ?? "";
    }
    if (flag.takes === "secret") {
      report.problem(
        name,
        `${name} is refused: every local user can read a secret on the command line`,
        `Use ${name}-file with the path of a file that holds it, or the variable SILVERBRIDGE_${flag.option}`,
      );
      continue;
    }
    const read = readText(flag.takes, text);
    if (read === null || read.trim() === "") {
      report.usage(name, `${name} needs a value`, valueForm(name, flag.takes));
    } else if (found.has(name)) report.usage(name, `${name} is given twice`, "Give it once");
    else found.set(name, { option: flag.option, name, text: read, file: flag.takes === "secret file" });
  }
  return [...found.values()];
}

function readText(takes: Known["takes"], text: string | null): string | null {
  if (takes === "switch") return text ?? "on";
  if (takes === "off") return text === null ? "off" : null;
  return text;
}

function valueForm(name: string, takes: Known["takes"]): string {
  return takes === "off" ? `Write ${name} alone` : `Write ${name}=VALUE`;
}

function isFlag(arg: string | undefined): boolean {
  return arg === undefined || arg.startsWith("--");
}

function knownFlags(): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  for (const option of optionNames()) {
    const { kind, old, secret } = options[option];
    if (old) continue;
    const words = keyOf(option).replaceAll("_", "-");
    if (secret) known.set(`--${words}`, { option, takes: "secret" });
    if (kind.isSwitch) {
      known.set(`--${words}`, { option, takes: "switch" });
      known.set(`--no-${words}`, { option, takes: "off" });
    } else known.set(flagOf(option), { option, takes: secret ? "secret file" : "value" });
  }
  return known;
}

function reportUnknown(name: string, known: ReadonlyMap<string, Known>, report: Report): void {
  const shown = /^--[A-Za-z0-9-]{1,60}$/.test(name) ? name : "A flag on the command line";
  const close = suggest(name, [...known.keys()]).map((flag) => {
    return known.get(flag)?.takes === "secret" ? `${flag}-file` : flag;
  });
  const mend = close.length > 0
    ? `Did you mean ${[...new Set(close)].join(" or ")}?`
    : "silverbridge help lists every flag";
  report.usage(shown, `${shown} is no setting`, mend);
}
