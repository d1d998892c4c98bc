/**
 * `silverbridge token`: makes a static token for one client, and the line of the configuration file that accepts it.
 *
 * The token alone goes to standard output, so that it can be redirected into a file; the line, which holds nothing but
 * its hash, goes to standard error. Nothing is kept or changed anywhere. With `--existing` the token is one that a
 * client has already, read from standard input, and the line is what is printed.
 */

import { parseArgs } from "node:util";
import { isStrongToken } from "../config/token_strength.ts";
import { randomSecret } from "../core/secrets.ts";
import { type Command, type CommandIo, exitCode } from "./command.ts";
import { readHidden } from "./hidden_line.ts";
import { type EntryFault, entryLine, type TokenEntry, tokenEntry, type TokenLimits } from "./token_entry.ts";

const usage = "usage: silverbridge token NAME [FLAG ...]; all of them: silverbridge help token\n";

const several = { type: "string", multiple: true } as const;
const flags = {
  ...{ read: several, append: several, create: several, write: several, delete: several },
  ...{ roots: several, profile: several },
  ...{ existing: { type: "boolean" } as const, json: { type: "boolean" } as const },
} as const;

interface Asked {
  readonly name: string;
  readonly limits: TokenLimits;
  readonly existing: boolean;
  readonly json: boolean;
}

export const token: Command = {
  name: "token",
  summary: "Make a token for one client, and the line of the configuration file that accepts it",
  async run(args, io) {
    const asked = readArguments(args);
    if (asked === null) {
      io.stderr(usage);
      return exitCode.usage;
    }
    const text = asked.existing ? await readExisting(io) : randomSecret();
    if (text === null) return exitCode.usage;
    const entry = tokenEntry({ ...asked, token: text });
    if ("fault" in entry) return refuse(entry, io);
    if (asked.json) printJson(entry, asked.existing ? null : text, io);
    else if (asked.existing) printExisting(entry, io);
    else printNew(entry, text, io);
    return exitCode.ok;
  },
};

/** `null` where the arguments are not understood: no word of them is repeated, one may be a token. */
function readArguments(args: readonly string[]): Asked | null {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options: flags, allowPositionals: true });
    const { existing = false, json = false, ...limits } = values;
    const [name, ...rest] = positionals;
    return name === undefined || rest.length > 0 ? null : { name, limits, existing, json };
  } catch {
    return null;
  }
}

/** A token that a hash stands for cannot be judged by the server any more, so it is judged here. */
async function readExisting(io: CommandIo): Promise<string | null> {
  const text = (await readHidden("Token: ", io))?.trim() ?? "";
  if (/^[\x21-\x7e]{1,4096}$/.test(text) && isStrongToken(text)) return text;
  io.stderr(
    "The token must be one word of at least 32 ASCII letters, digits and signs, 10 of them different; " +
      "without --existing a good one is made\n",
  );
  return null;
}

function refuse({ fault }: EntryFault, io: CommandIo): number {
  io.stderr(`${fault}\n`);
  return exitCode.usage;
}

function printNew(entry: TokenEntry, text: string, io: CommandIo): void {
  io.stdout(`${text}\n`);
  io.stderr(
    `This token is for "${entry.name}" and is shown only this once. Add to the configuration file, and restart:\n\n` +
      `tokens:\n${entryLine(entry)}\n\n${limitsText(entry)}\n`,
  );
}

function printExisting(entry: TokenEntry, io: CommandIo): void {
  io.stdout(`${entryLine(entry)}\n`);
  io.stderr(`The line belongs below "tokens:" in the configuration file. ${limitsText(entry)}\n`);
}

function printJson(entry: TokenEntry, text: string | null, io: CommandIo): void {
  io.stdout(`${JSON.stringify({ ...(text === null ? {} : { token: text }), entry })}\n`);
}

function limitsText({ rights, profile }: TokenEntry): string {
  if (rights !== undefined) return "Verbs and roots that are not named are not granted.";
  const limit = "it with --read, --append, --create, --write and --delete";
  return profile === undefined
    ? `It may do whatever the server's own limits leave; narrow ${limit}.`
    : `It may do what its profile and the server's own limits leave; narrow ${limit}.`;
}
