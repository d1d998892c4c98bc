/** `docs/reference/configuration.md`: every setting, how settings are given, and what the configuration file looks like. */

import { describeOptions, type OptionDescription } from "../../src/config/describe.ts";
import { sections } from "../../src/config/option.ts";
import { referencePage, table } from "../repo/reference_page.ts";

export function configurationReference(): string {
  const options = describeOptions();
  return referencePage({
    title: "Configuration",
    sources: ["src/config/options.ts", "src/config/sections.ts", "src/config/load.ts"],
    intro: "Every setting has one name. On the command line `PORT` is `--port 9000`, in the environment " +
      "`SILVERBRIDGE_PORT=9000`, in the configuration file `port: 9000`. `silverbridge config` shows how all of them " +
      "come out and where each came from; `silverbridge help port` shows one. From " +
      "source, `deno task silverbridge` stands for `silverbridge`.",
  }, [
    ...precedence,
    ...sections.flatMap((section) => ["", `## ${section}`, "", ...sectionTable(section, options)]),
    "",
    ...file,
    "",
    ...refusals,
  ]);
}

function sectionTable(section: string, options: readonly OptionDescription[]): readonly string[] {
  return table(
    ["setting", "values", "default", "what it does", "older names"],
    options.filter((option) => option.section === section).map((option) => [
      `\`${option.name}\`${option.secret ? " (secret)" : ""}`,
      option.secret ? "" : option.type,
      option.fallback,
      option.help,
      option.aliases.map((alias) => `\`${alias}\``).join(", "),
    ]),
  );
}

const precedence = [
  "## Where settings come from",
  "",
  "The first that gives a setting counts:",
  "",
  "1. a flag on the command line (`--read-only` and `--no-read-only` for switches);",
  "2. the variable, such as `SILVERBRIDGE_PORT`; for secrets also `SILVERBRIDGE_TOKEN_FILE` with the path of a file; and a",
  "   file of the setting's name in lower case in `$CREDENTIALS_DIRECTORY`;",
  "3. an older name of one of the three programs that silverbridge replaces, secrets with `_FILE` too;",
  "4. the configuration file, named by `--config` or `SILVERBRIDGE_CONFIG`;",
  "5. the default.",
  "",
  "A variable, its older names and a credential that contradict each other are refused, since nobody can tell which was meant.",
  "Secrets never stand on the command line, where every local user can read them: their flags end in `-file`. An empty",
  "variable counts as not set. Relative paths start from the working directory, those in the configuration file from its own",
  "folder; `~/` is the home folder. An unknown `SILVERBRIDGE_*` name is an error, an unknown `BRIDGE_*` or",
  "`MCP_SILVERBULLET_*` name a warning. All problems are reported at once, with exit code 78; where only the command line is",
  "not understood, 64.",
];

const file = [
  "## The configuration file",
  "",
  "YAML, at most 256 KiB: settings by their names in lower case, lists as YAML lists or separated by commas, and four",
  "sections that only the file has. Values are taken as they are written; anchors, aliases and tags are refused. For secrets,",
  "`token_file: path` stands in for `token: value`.",
  "",
  "```yaml",
  "silverbullet_url: https://notes.example.com",
  "silverbullet_token_file: silverbullet.token",
  "public_url: https://mcp.example.com",
  "owner_secret_file: owner.secret",
  'hidden_paths: ["Private/**"]',
  "roots:",
  '  - { alias: docs, path: /srv/docs, index: true, exclude: ["*.tmp"] }',
  "clients:",
  "  - name: Claude",
  '    match: { client: "https://claude.ai/*", redirect_host: claude.ai }',
  '    rights: { read: ["**"], append: ["Inbox/**", "Journal/**"], create: ["Inbox/**"] }',
  "    roots: [docs]",
  "    profile: standard",
  "    silverbullet_token_file: claude.token",
  "tokens:",
  "  - name: laptop",
  '    hash: "sha256:0000000000000000000000000000000000000000000000000000000000000000"',
  '    rights: { read: ["**"], write: ["Projects/**"] }',
  "claims:",
  "  - when: { groups: editors }",
  '    rights: { read: ["**"], write: ["**"] }',
  "```",
  "",
  "In `rights`, verbs that are not named are not granted; without `rights` a client or token has everything within the",
  "ceiling. Folders go the same way: a rule with `rights` reads no folder unless it names `roots` (or `roots: all`). A token is",
  "given by its `hash` or by `token_file`. Of `match`, whatever is given must fit.",
];

const refusals = [
  "## What refuses to start",
  "",
  "- Public mode (on by itself when the server is bound or published beyond loopback) without authentication, with a static",
  "  token under 32 characters or 10 different ones, with `RATE_LIMIT_PER_MINUTE=0`, or with `ALLOW_QUERY_TOKEN_AUTH`.",
  "- `PUBLIC_MODE=off` while listening beyond loopback.",
  "- A `PUBLIC_URL` that is not https (loopback excepted) or has a path.",
  "- An `OWNER_SECRET` under 12 characters.",
  "- A root that is missing, unreadable, `/`, in `/proc`, `/sys` or `/dev`; that is `/etc` or a home folder as a whole, unless",
  "  `ALLOW_BROAD_ROOT` is on; that holds or lies in `STATE_DIR`, holds the configuration file or a secret's file; or that",
  "  overlaps `SPACE_PATH` while page globs are set.",
  "- SilverBullet configured and no authentication chosen; `AUTH=none` beyond loopback.",
  "- Neither SilverBullet nor a root.",
  "- The same token for clients and for SilverBullet (mcp-silverbullet's own variable excepted).",
  "",
  "Listening beyond loopback without `PUBLIC_URL` is a server for the local network: static tokens only, OAuth and JWT off.",
];
