/**
 * The official MCP clients behind one small face: the first generation (old era), and the second one in each of
 * its three ways to agree on an era. They reach the server through any `fetch`, over a network or through none, or start it
 * themselves and talk to it through a pipe.
 */

import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as SecondPipe } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstPipe } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

export const clientKinds = ["v1", "v2 legacy", "v2 auto", "v2 modern"] as const;
export type ClientKind = typeof clientKinds[number];

export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text?: string; readonly data?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

export interface CallChoices {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { readonly progress: number; readonly message?: string }) => void;
}

export interface McpClient {
  readonly kind: ClientKind;
  readonly instructions: string | undefined;
  readonly revision: string | undefined;
  listTools(): Promise<readonly ListedTool[]>;
  callTool(name: string, given?: Record<string, unknown>, choices?: CallChoices): Promise<ToolAnswer>;
  /** The texts of the answer's blocks. */
  texts(name: string, given?: Record<string, unknown>): Promise<string[]>;
  listResources(): Promise<readonly { readonly uri: string; readonly name: string }[]>;
  listTemplates(): Promise<readonly { readonly uriTemplate: string }[]>;
  readResource(uri: string): Promise<readonly { readonly mimeType?: string; readonly text?: string }[]>;
  complete(
    uri: string,
    argument: { readonly name: string; readonly value: string },
  ): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface ClientOptions {
  readonly url: string;
  readonly fetch?: (input: string | URL, init?: RequestInit) => Promise<Response>;
  readonly token?: string;
  readonly name?: string;
}

/** The program that a client starts; what it writes to standard error goes nowhere. */
export interface PipedProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Who hears of changes in the old era, which tells them without being asked for each. */
export interface PipedOptions {
  readonly name?: string;
  readonly onNotification?: (notification: { readonly method: string; readonly params?: unknown }) => void;
}

/** The client with a server of its own, which ends with it. */
export async function connectPiped(
  kind: ClientKind,
  program: PipedProgram,
  options: PipedOptions = {},
): Promise<McpClient & { readonly pid: number | null; readonly raw: unknown }> {
  const info = { name: options.name ?? "silverbridge-tests", version: "1.0.0" };
  const server = { ...program, args: [...program.args], env: { ...program.env }, stderr: "ignore" as const };
  const heard = async (notification: { readonly method: string; readonly params?: unknown }) =>
    options.onNotification?.(notification);
  if (kind === "v1") {
    const transport = new FirstPipe(server);
    const client = new FirstClient(info);
    client.fallbackNotificationHandler = heard;
    let revision: string | undefined;
    await client.connect(
      Object.assign(transport, { setProtocolVersion: (value: string) => void (revision = value) }),
    );
    const { pid } = transport;
    return Object.assign(face(kind, client as unknown as AnyClient, () => revision), { pid, raw: client });
  }
  const client = new SecondClient(info, { versionNegotiation: { mode: modeOf(kind) } });
  client.fallbackNotificationHandler = heard;
  const transport = new SecondPipe(server);
  await client.connect(transport);
  const { pid } = transport;
  const negotiated = () => client.getNegotiatedProtocolVersion();
  return Object.assign(face(kind, client as unknown as AnyClient, negotiated), { pid, raw: client });
}

function modeOf(kind: ClientKind) {
  return kind === "v2 legacy" ? "legacy" : kind === "v2 auto" ? "auto" : { pin: "2026-07-28" };
}

export async function connectClient(kind: ClientKind, options: ClientOptions): Promise<McpClient> {
  const info = { name: options.name ?? "silverbridge-tests", version: "1.0.0" };
  const requestInit = options.token === undefined
    ? {}
    : { headers: { authorization: `Bearer ${options.token}` } };
  const transportOptions = { requestInit, ...(options.fetch === undefined ? {} : { fetch: options.fetch }) };
  if (kind === "v1") {
    const transport = new FirstTransport(new URL(options.url), transportOptions);
    const client = new FirstClient(info);
    let revision: string | undefined;
    await client.connect(
      Object.assign(transport, {
        setProtocolVersion: rememberRevision(transport, (value) => revision = value),
      }),
    );
    return face(kind, client as unknown as AnyClient, () => revision);
  }
  const client = new SecondClient(info, { versionNegotiation: { mode: modeOf(kind) } });
  await client.connect(new SecondTransport(new URL(options.url), transportOptions));
  return face(kind, client as unknown as AnyClient, () => client.getNegotiatedProtocolVersion());
}

/** The first generation tells its transport the revision, and nobody else. */
function rememberRevision(transport: FirstTransport, note: (revision: string) => void) {
  const inner = transport.setProtocolVersion.bind(transport);
  return (revision: string) => {
    note(revision);
    inner(revision);
  };
}

/** What both generations have in common, as far as the tests use it. */
interface AnyClient {
  getInstructions(): string | undefined;
  listTools(): Promise<{ tools: ListedTool[] }>;
  // deno-lint-ignore no-explicit-any
  callTool(params: { name: string; arguments: Record<string, unknown> }, ...rest: any[]): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string; name: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: { mimeType?: string; text?: string }[] }>;
  complete(params: unknown): Promise<{ completion: { values: string[] } }>;
  close(): Promise<void>;
}

function face(kind: ClientKind, client: AnyClient, revision: () => string | undefined): McpClient {
  async function callTool(name: string, given: Record<string, unknown> = {}, choices: CallChoices = {}) {
    const params = { name, arguments: given };
    const answer = kind === "v1"
      ? await client.callTool(params, undefined, choices)
      : await client.callTool(params, choices);
    return answer as ToolAnswer;
  }
  return {
    kind,
    get instructions() {
      return client.getInstructions();
    },
    get revision() {
      return revision();
    },
    listTools: async () => (await client.listTools()).tools,
    callTool,
    texts: async (name, given) => (await callTool(name, given)).content.map((block) => block.text ?? ""),
    listResources: async () => (await client.listResources()).resources,
    listTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    complete: async (uri, argument) =>
      (await client.complete({ ref: { type: "ref/resource", uri }, argument })).completion.values,
    close: () => client.close(),
  };
}
