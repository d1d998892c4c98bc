/**
 * How to connect each client: plain numbered steps, with a block to copy where the client takes one.
 *
 * A step says only what the running configuration can keep: clients that cannot send a token of their own, and come
 * from the internet, are told so where there is no sign-in or no address that they reach, and stand last. No token is
 * ever written here; `YOUR_TOKEN` stands in its place.
 */

import { type Html, html } from "../../web/html.ts";

export interface ConnectFacts {
  /** The address to paste, ending in `/mcp`. */
  readonly address: string;
  /** Clients may sign in with a browser. */
  readonly signIn: boolean;
  /** A token must be sent; false on a server that answers its own machine without one. */
  readonly token: boolean;
}

export interface ClientSteps {
  readonly name: string;
  readonly steps: readonly Html[];
  /** Text to copy, with a label for it. */
  readonly block: { readonly label: string; readonly text: string } | null;
}

/** The clients that can connect come first. */
export function connectSteps(facts: ConnectFacts): readonly ClientSteps[] {
  const others = localClients(facts);
  return obstacle(facts) === null
    ? [...hostedClients(facts), ...others]
    : [...others, ...hostedClients(facts)];
}

function hostedClients(facts: ConnectFacts): readonly ClientSteps[] {
  return [
    hosted("Claude (web, desktop, mobile)", facts, [
      html`Open Settings, then Connectors, and choose <strong>Add custom connector</strong>.`,
      html`Paste the address above and add it.`,
      html`Choose <strong>Connect</strong>; this server asks for your approval in the browser.`,
    ]),
    hosted("ChatGPT", facts, [
      html`In Settings, switch on developer mode for connectors.`,
      html`Create a connector, paste the address above and choose OAuth.`,
      html`Approve it on the page that this server shows.`,
    ]),
    hosted("Grok", facts, [
      html`Under Connectors, choose <strong>New connector</strong>, then <strong>Custom</strong>.`,
      html`Paste the address above, connect, and approve on the page that this server shows.`,
    ]),
  ];
}

function localClients(facts: ConnectFacts): readonly ClientSteps[] {
  return [
    local("Claude Code", facts, {
      steps: [
        html`Run the command in a terminal.`,
        html`Type <code>/mcp</code> to see that it is connected.`,
      ],
      label: "Command",
      text: [
        `claude mcp add --transport http silverbridge ${facts.address}`,
        ...header(facts, "  --header"),
      ].join(" \\\n"),
    }),
    local("Codex", facts, {
      steps: [
        html`Add the block to <code>~/.codex/config.toml</code>.`,
        facts.token
          ? html`Put the token into the environment variable <code>SILVERBRIDGE_TOKEN</code> and restart Codex.`
          : html`Restart Codex.`,
      ],
      label: "Configuration",
      text: [
        "[mcp_servers.silverbridge]",
        `url = ${JSON.stringify(facts.address)}`,
        ...(facts.token ? ['bearer_token_env_var = "SILVERBRIDGE_TOKEN"'] : []),
      ].join("\n"),
    }),
    local("Cursor", facts, {
      steps: [
        html`Add the block to <code>~/.cursor/mcp.json</code>.`,
        html`Switch the server on under Settings, MCP.`,
      ],
      label: "Configuration",
      text: JSON.stringify({ mcpServers: { silverbridge: entry(facts, {}) } }, null, 2),
    }),
    local("VS Code", facts, {
      steps: [
        html`Run <strong>MCP: Open User Configuration</strong> and add the block.`,
        html`Start the server from the line above its name.`,
      ],
      label: "Configuration",
      text: JSON.stringify({ servers: { silverbridge: entry(facts, { type: "http" }) } }, null, 2),
    }),
    local("Claude Desktop and others, through mcp-remote", facts, {
      steps: [
        html`Add the block to the client’s configuration, such as <code>claude_desktop_config.json</code>.`,
        html`Restart the client. It starts <code>mcp-remote</code>, which needs Node.`,
      ],
      label: "Configuration",
      text: JSON.stringify({ mcpServers: { silverbridge: started(facts) } }, null, 2),
    }),
    local("Any MCP client", facts, {
      steps: [
        html`Choose the transport called Streamable HTTP (sometimes only “HTTP”).`,
        facts.token
          ? html`Paste the address above and send the header below with every request.`
          : html`Paste the address above.`,
      ],
      label: "Header",
      text: facts.token ? "Authorization: Bearer YOUR_TOKEN" : null,
    }),
    local("curl", facts, {
      steps: [html`Lists the tools; the answer is one JSON object.`],
      label: "Command",
      text: curlCommand(facts),
    }),
  ];
}

function hosted(name: string, facts: ConnectFacts, steps: readonly Html[]): ClientSteps {
  const step = obstacle(facts);
  return { name, steps: step === null ? steps : [step], block: null };
}

/** Why clients of the internet cannot connect; `null` where they can. */
function obstacle(facts: ConnectFacts): Html | null {
  if (!facts.signIn) {
    return html`This client connects only through a sign-in page, and this server does not offer one.`;
  }
  if (facts.address.startsWith("https:")) return null;
  return html`This client comes from the internet and wants https; the address above is for this machine or its network. The owner
    can give this server a public one with <code>SILVERBRIDGE_PUBLIC_URL</code>.`;
}

function local(
  name: string,
  facts: ConnectFacts,
  how: { readonly steps: readonly Html[]; readonly label: string; readonly text: string | null },
): ClientSteps {
  const note = facts.token && how.text?.includes("YOUR_TOKEN") === true
    ? [html`Write your own token where it says <code>YOUR_TOKEN</code>.`]
    : [];
  const block = how.text === null ? null : { label: how.label, text: how.text };
  return { name, steps: [...note, ...how.steps], block };
}

/** Some clients break arguments at spaces, so the header with its space comes from a variable. */
function started({ address, token }: ConnectFacts): Record<string, unknown> {
  const args = ["-y", "mcp-remote", address];
  if (!token) return { command: "npx", args };
  return {
    command: "npx",
    args: [...args, "--header", "Authorization:${SILVERBRIDGE_AUTH}"],
    env: { SILVERBRIDGE_AUTH: "Bearer YOUR_TOKEN" },
  };
}

function header(facts: ConnectFacts, flag: string): string[] {
  return facts.token ? [`${flag} "Authorization: Bearer YOUR_TOKEN"`] : [];
}

function entry(facts: ConnectFacts, extra: Readonly<Record<string, string>>): Record<string, unknown> {
  const headers = facts.token ? { headers: { Authorization: "Bearer YOUR_TOKEN" } } : {};
  return { ...extra, url: facts.address, ...headers };
}

function curlCommand(facts: ConnectFacts): string {
  const lines = [
    `curl ${facts.address}`,
    ...header(facts, "  -H"),
    `  -H "Content-Type: application/json"`,
    `  -H "Accept: application/json, text/event-stream"`,
    `  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`,
  ];
  return lines.join(" \\\n");
}
