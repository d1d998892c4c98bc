/** What a request says about itself before its method is looked at: era, caller, and how it wants its answer. */

import type { CallerInfo } from "../tools/tool.ts";
import { isRecord, type Params, type RpcMessage } from "./message.ts";
import { isModernRevision } from "./revisions.ts";

const versionKey = "io.modelcontextprotocol/protocolVersion";
const clientKey = "io.modelcontextprotocol/clientInfo";

/** True when the request is to be answered by the rules of 2026-07-28, if only with a refusal. */
export function isModern(request: Request, message: RpcMessage): boolean {
  if (Object.hasOwn(metaOf(message), versionKey)) return true;
  const header = request.headers.get("mcp-protocol-version")?.trim();
  return header !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(header) && isModernRevision(header);
}

/** The revision that a message itself names; `null` in the old era. */
export function revisionOf(message: RpcMessage): string | null {
  const revision = metaOf(message)[versionKey];
  return typeof revision === "string" ? revision : null;
}

/** More of a name than anybody reads; it is kept with every change. */
const longestName = 100;

/** The client by its own name where it says so with the request, and its user agent. */
export function callerInfo(agent: string | null, message: RpcMessage): CallerInfo {
  const userAgent = agent?.slice(0, longestName) ?? null;
  const info = message.method === "initialize" ? message.params?.["clientInfo"] : metaOf(message)[clientKey];
  const name = isRecord(info) && typeof info["name"] === "string" ? info["name"].slice(0, longestName) : null;
  return { client: name ?? userAgent, userAgent };
}

export function progressTokenOf(message: RpcMessage): string | number | null {
  const token = metaOf(message)["progressToken"];
  return typeof token === "string" || typeof token === "number" ? token : null;
}

/** True for a client that can take a stream and has a use for one, or takes nothing else. */
export function wantsStream(request: Request, message: RpcMessage): boolean {
  const accept = request.headers.get("accept") ?? "";
  if (!accept.includes("text/event-stream")) return false;
  return progressTokenOf(message) !== null || !/application\/(?:json|\*)|\*\/\*/.test(accept);
}

/** Why the parameters of `initialize` will not do, or `null`. */
export function initializeProblem(params: Params | undefined): string | null {
  if (params === undefined) return "initialize needs parameters";
  const { protocolVersion, capabilities, clientInfo } = params;
  if (!isWord(protocolVersion)) return "`protocolVersion` must be a string";
  if (!isRecord(capabilities)) return "`capabilities` must be an object";
  if (!isRecord(clientInfo) || !isWord(clientInfo["name"]) || !isWord(clientInfo["version"])) {
    return "`clientInfo` must name the client and its version";
  }
  return null;
}

function metaOf(message: RpcMessage): Params {
  const meta = message.params?.["_meta"];
  return isRecord(meta) ? meta : {};
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
