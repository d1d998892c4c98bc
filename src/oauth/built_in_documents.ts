/**
 * Copies of the metadata documents of assistants in wide use, for the hours in which their hosts do not answer.
 *
 * Used only when the document cannot be fetched and no earlier copy is there; the page says so.
 */

import type { Client } from "./client.ts";

interface Copy {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

const loopbackCallback = ["http://localhost/callback", "http://127.0.0.1/callback"];

const copies: Readonly<Record<string, Copy>> = {
  "https://claude.ai/oauth/mcp-oauth-client-metadata": {
    name: "Claude",
    redirectUris: ["https://claude.ai/api/mcp/auth_callback", "https://claude.com/api/mcp/auth_callback"],
  },
  "https://claude.ai/oauth/claude-code-client-metadata": {
    name: "Claude Code",
    redirectUris: loopbackCallback,
  },
  "https://chatgpt.com/oauth/client.json": {
    name: "ChatGPT",
    redirectUris: ["https://chatgpt.com/connector_platform_oauth_redirect"],
  },
  "https://chatgpt.com/oauth/codex/client.json": { name: "Codex", redirectUris: loopbackCallback },
  "https://cursor.com/oauth/mcp-client.json": {
    name: "Cursor",
    redirectUris: [
      "https://www.cursor.com/agents/mcp/oauth/callback",
      "http://localhost:8787/callback",
      "cursor://anysphere.cursor-mcp/oauth/callback",
    ],
  },
  "https://vscode.dev/oauth/client-metadata.json": {
    name: "Visual Studio Code",
    redirectUris: [
      "https://vscode.dev/redirect",
      "https://insiders.vscode.dev/redirect",
      "http://127.0.0.1/",
    ],
  },
};

/** The copy of the document at `id`, or `null`. ChatGPT gives each connector a document of its own. */
export function builtInClient(id: string): Client | null {
  const copy = Object.hasOwn(copies, id) ? copies[id] ?? null : connectorCopy(id);
  if (copy === null) return null;
  const { hostname } = new URL(id);
  return { id, standing: "document", host: hostname, secretHash: null, refreshes: true, ...copy };
}

function connectorCopy(id: string): Copy | null {
  const connector = /^https:\/\/chatgpt\.com\/oauth\/([A-Za-z0-9_-]{1,64})\/client\.json$/.exec(id)?.[1];
  if (connector === undefined) return null;
  return { name: "ChatGPT", redirectUris: [`https://chatgpt.com/connector/oauth/${connector}`] };
}
