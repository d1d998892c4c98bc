/** What `demo` prints once its server answers: the address, the token, and commands that work as they stand. */

import { connectSteps } from "../http/pages/connect_steps.ts";

export interface DemoFacts {
  /** Ends in `/mcp`. */
  readonly address: string;
  readonly token: string;
  readonly pages: number;
  /** The usual port, where another program has it. */
  readonly takenPort: number | null;
}

/** The clients that are shown, and where their block goes. */
const places: ReadonlyMap<string, string> = new Map([
  ["Claude Code", "in a terminal"],
  ["Codex", "in ~/.codex/config.toml, and the variable where you start it"],
  ["Cursor", "in ~/.cursor/mcp.json"],
  ["VS Code", "in the file that MCP: Open User Configuration opens"],
]);

export function demoText(facts: DemoFacts): string {
  const { address, token, pages, takenPort } = facts;
  return [
    "",
    `A sample space of ${pages} pages, on an embedded server that speaks SilverBullet's API. All of it is in memory:`,
    "change what you like, it is gone when you stop. Beside it lies a sample folder, `workshop`, to read.",
    "",
    ...(takenPort === null ? [] : [
      `Port ${takenPort} is in use, perhaps by another demonstration; this one has a port of its own.`,
      "",
    ]),
    `URL:   ${address}`,
    `Token: ${token}`,
    "",
    "Read the first page:",
    "",
    demoCurl(facts),
    "",
    ...clientBlocks(facts),
    "Then ask: What is still open on the skiff? What did the larch cost? Add the crane to my inbox.",
    "",
    "Stop with Ctrl+C.",
    "",
  ].join("\n");
}

/** One line for a POSIX shell. */
export function demoCurl({ address, token }: Pick<DemoFacts, "address" | "token">): string {
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "read_page", arguments: { page: "index" } },
  };
  const headers = [
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
  ];
  return [
    "curl",
    "-sS",
    address,
    ...headers.map((header) => `-H '${header}'`),
    `-d '${JSON.stringify(call)}'`,
  ]
    .join(" ");
}

/** A block for each of the most used clients, with where it goes. */
export function clientBlocks({ address, token }: Pick<DemoFacts, "address" | "token">): string[] {
  return connectSteps({ address, signIn: false, token: true }).flatMap(({ name, block }) => {
    const place = places.get(name);
    if (place === undefined || block === null) return [];
    const text = block.text.replaceAll("YOUR_TOKEN", token);
    const variable = text.includes("SILVERBRIDGE_TOKEN") ? ["", `export SILVERBRIDGE_TOKEN=${token}`] : [];
    return [`${name}, ${place}:`, "", text, ...variable, ""];
  });
}
