/**
 * What may follow each command, with a line about each: for `help`, the completions of shells, and the manual page. Settings,
 * which are flags of most commands too, have their own table (config/options.ts).
 */

export interface CommandFlag {
  /** With its dashes. */
  readonly flag: string;
  /** What follows it, such as `FILE`; left out for a switch. */
  readonly value?: string;
  /** Without a full stop. */
  readonly help: string;
}

/** A word that says what to do. */
export interface CommandWord {
  readonly word: string;
  /** What follows it. */
  readonly value?: string;
  readonly help: string;
}

export interface CommandWords {
  readonly flags: readonly CommandFlag[];
  readonly words: readonly CommandWord[];
}

const json: CommandFlag = { flag: "--json", help: "Answer JSON, for scripts" };
const config: CommandFlag = { flag: "--config", value: "FILE", help: "The configuration file to write" };

const byName: Readonly<Record<string, Partial<CommandWords>>> = {
  init: {
    flags: [
      { flag: "--yes", help: "Ask nothing; a configuration file that is there is left alone" },
      { flag: "--device", help: "Get a token by confirming a code in the browser, also with --yes" },
      config,
      { flag: "--silverbullet-url", value: "URL", help: "Address of SilverBullet" },
      {
        flag: "--silverbullet-token-file",
        value: "FILE",
        help: "A file that holds the token for SilverBullet",
      },
      { flag: "--silverbullet-ca-file", value: "FILE", help: "A private certificate authority, as PEM" },
    ],
  },
  demo: { flags: [{ flag: "--port", value: "N", help: "The port to listen on" }] },
  doctor: {
    flags: [
      json,
      { flag: "--no-write", help: "Write nothing to SilverBullet, not even for a moment" },
      { flag: "--stdio", help: "Look as for silverbridge stdio: no port, no way to sign in" },
    ],
  },
  health: { flags: [{ flag: "--live", help: "Only whether it is alive, whatever SilverBullet does" }] },
  token: {
    flags: [
      { flag: "--read", value: "GLOBS", help: "Pages that it may read" },
      { flag: "--append", value: "GLOBS", help: "Pages that it may add to" },
      { flag: "--create", value: "GLOBS", help: "Pages that it may create" },
      { flag: "--write", value: "GLOBS", help: "Pages that it may change" },
      { flag: "--delete", value: "GLOBS", help: "Pages that it may delete" },
      { flag: "--roots", value: "NAMES", help: "Folders that it may read" },
      { flag: "--profile", value: "PROFILE", help: "Tools that it is shown" },
      { flag: "--existing", help: "Take a token that there is already from standard input" },
      json,
    ],
  },
  owner: { words: [{ word: "unlock", help: "Lift the waits after wrong secrets" }] },
  grants: {
    flags: [json, { flag: "--remove", help: "With account: take the account away again" }],
    words: [
      { word: "revoke", value: "GRANT ... | all", help: "End what these clients, or all of them, may do" },
      { word: "account", value: "GRANT", help: "Give the client an account of SilverBullet of its own" },
    ],
  },
  state: {
    flags: [json, { flag: "--index", help: "With prune: remove the search index too" }],
    words: [
      { word: "prune", help: "Take away what is older than the settings say" },
      { word: "backup", value: "FILE", help: "Write a copy while the server runs; FILE may be a folder" },
      {
        word: "restore",
        value: "FILE",
        help: "Put a backup in place of what is there, while no server runs",
      },
    ],
  },
  completions: {
    words: [
      { word: "bash", help: "For bash" },
      { word: "zsh", help: "For zsh" },
      { word: "fish", help: "For fish" },
    ],
  },
};

/** What may follow a command, a row each: how it is written, and the line about it. */
export function rowsOf(command: string): ReadonlyArray<readonly [written: string, help: string]> {
  const { flags, words } = wordsOf(command);
  return [
    ...words.map(({ word, value, help }) => [word, value, help] as const),
    ...flags.map(({ flag, value, help }) => [flag, value, help] as const),
  ].map(([name, value, help]) => [value === undefined ? name : `${name} ${value}`, help]);
}

export function wordsOf(command: string): CommandWords {
  const { flags = [], words = [] } = Object.hasOwn(byName, command) ? byName[command] ?? {} : {};
  return { flags, words };
}
