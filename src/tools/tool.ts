/**
 * A tool is a value: name, schemas, hints, the right it needs, and a handler of about ten lines.
 *
 * Everything a handler may need comes in with the call; nothing here knows HTTP or the MCP library.
 */

import type { z } from "zod";
import type { Audit } from "../core/audit.ts";
import type { Principal } from "../core/principal.ts";
import type { Verb } from "../core/rights.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { Folders } from "../folders/folders.ts";
import type { Notes } from "../notes/notes.ts";

export interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What this program serves; a part that is not configured is `null`, and its tools do not exist. */
export interface ToolServices {
  readonly notes: Notes | null;
  readonly folders?: Folders | null;
  readonly status: StatusSource;
}

/** Facts for `server_status` that no single room knows. */
export interface StatusSource {
  describe(principal: Principal, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
}

export interface CallerInfo {
  /** `clientInfo.name` of the request, or the user agent; chooses the error style, decides nothing else. */
  readonly client: string | null;
  readonly userAgent?: string | null;
}

/** Told to clients that asked for it; worth calling on work that may take over a second. */
export interface ProgressUpdate {
  /** Only ever grows within one call. */
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}

export type Progress = (update: ProgressUpdate) => void;

export interface ToolCall {
  readonly principal: Principal;
  readonly caller: CallerInfo;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly services: ToolServices;
  readonly audit: Audit;
  /** Names of the tools this caller is shown, so that a remedy names no other. */
  readonly shown: ReadonlySet<string>;
  /** Absent when the client did not ask. */
  readonly progress?: Progress;
}

/** One block of a result, in the caller's reading order. */
export type ResultBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string };

export interface ToolResult {
  readonly blocks: readonly ResultBlock[];
  /** Only tools with an output schema; must fit it exactly. */
  readonly structured?: Readonly<Record<string, unknown>>;
}

export type ToolFamily = "notes" | "folders" | "server";

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly family: ToolFamily;
  readonly input: Input;
  /** Reading tools that answer lists only. */
  readonly output?: z.ZodObject;
  readonly hints: ToolHints;
  /** The tool exists for a caller who holds one of these verbs somewhere. Empty: for everyone. */
  readonly verbs: readonly Verb[];
  /**
   * Quiet synonyms: other argument name → own argument name (product §4). A name that maps to itself is a
   * property of the schema that is accepted and not advertised.
   */
  readonly synonyms: Readonly<Record<string, string>>;
  /** Codes that this tool can answer beside `invalid_argument`, `upstream`, `rate_limited`, `internal`. */
  readonly errors: readonly ErrorCode[];
  /** Milliseconds before the runner gives up on it. */
  readonly deadline: number;
  handle(input: z.output<Input>, call: ToolCall): Promise<ToolResult>;
}

/** Keeps the input type of the schema inside the handler; lists hold the widened `Tool`. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}

/** A result of one block of JSON. */
export function jsonResult(value: Readonly<Record<string, unknown>>): ToolResult {
  return { blocks: [{ type: "text", text: JSON.stringify(value) }] };
}

/** JSON text and the same value as structured content, for list tools. */
export function listResult(value: Readonly<Record<string, unknown>>): ToolResult {
  return { blocks: [{ type: "text", text: JSON.stringify(value) }], structured: value };
}
