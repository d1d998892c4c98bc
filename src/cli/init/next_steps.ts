/** What to do once the configuration is written: for each client, what to paste where. Without any secret. */

import { clientBlocks } from "../demo_text.ts";

export interface WrittenFacts {
  /** How this program is called: desktop clients do not have the search path of a terminal. */
  readonly program: string;
  /** Absolute path of the configuration file. */
  readonly path: string;
  /** Where the server will listen. */
  readonly address: string;
  /** The public origin, where clients sign in; `null` without. */
  readonly publicUrl: string | null;
}

export function nextSteps({ program, path, address, publicUrl }: WrittenFacts): string {
  const shellPath = quoted(path);
  const called = quoted(program);
  const desktop = {
    mcpServers: { silverbridge: { command: program, args: ["stdio", "--config", path] } },
  };
  return [
    "",
    `Written: ${path}`,
    "",
    "A client on this machine can start silverbridge itself; then there is no server to run and no token to paste.",
    "",
    "Claude Code, in a terminal:",
    "",
    `claude mcp add silverbridge -- ${called} stdio --config ${shellPath}`,
    "",
    "Claude Desktop (claude_desktop_config.json), Cursor (~/.cursor/mcp.json) and others:",
    "",
    JSON.stringify(desktop, null, 2),
    "",
    "Or run it as a server, for several clients or other machines:",
    "",
    `${called} serve --config ${shellPath}`,
    `${called} doctor --config ${shellPath}`,
    "",
    "YOUR_TOKEN below is what stands after `token:` in the file that was written.",
    "",
    ...clientBlocks({ address, token: "YOUR_TOKEN" }),
    ...(publicUrl === null ? [] : [
      "Claude (web, desktop, mobile), ChatGPT, Grok: add a custom connector with this address, and approve it with the",
      "owner's secret:",
      "",
      `${publicUrl}/mcp`,
      "",
    ]),
  ].join("\n");
}

/** For a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
