/**
 * From an HTTP request to the one JSON-RPC message in it, or to the refusal.
 *
 * One message a request: JSON arrays are refused in every revision. What is let through is a well-formed request
 * or notification whose strings can be stored as UTF-8; whether its method exists is not asked here.
 */

import { joinChunks } from "../web/exchange.ts";
import { codes, refuse, type RequestId } from "./rpc.ts";

const relatedTask = "io.modelcontextprotocol/related-task";

export type Params = Readonly<Record<string, unknown>>;

/** A request when it has an `id`, else a notification. */
export interface RpcMessage {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly id?: RequestId;
  readonly params?: Params;
}

export async function readMessage(request: Request, maxBytes: number): Promise<RpcMessage | Response> {
  if (!isJson(request.headers.get("content-type"))) {
    return refuse({
      status: 415,
      code: codes.server,
      message: "Content-Type must be application/json",
      word: "unsupported-media-type",
    });
  }
  const bytes = await readBytes(request, maxBytes);
  if (bytes === null) {
    return refuse({
      status: 413,
      code: codes.server,
      message: `The body must not exceed ${maxBytes} bytes`,
      word: "request-body-too-large",
    });
  }
  return messageIn(bytes);
}

/** The one message in those bytes, or the refusal. */
export function messageIn(bytes: Uint8Array): RpcMessage | Response {
  const value = parseBody(bytes);
  if (value === undefined) {
    return refuse({
      status: 400,
      code: codes.parse,
      message: "The body is not valid JSON",
      word: "invalid-json",
    });
  }
  return checkMessage(value);
}

/** Any parameter of `application/json` will do, as long as it names no other charset than UTF-8. */
function isJson(header: string | null): boolean {
  if (header === "application/json") return true;
  const [type, ...parameters] = (header ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (type !== "application/json") return false;
  return parameters.every((parameter) =>
    !parameter.startsWith("charset=") || /^charset="?utf-?8"?$/.test(parameter)
  );
}

/**
 * `null` for a body over the limit. Without a declared length, reading stops there; with one, the HTTP layer has
 * held the body to it.
 */
async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    if (!(Number(declared) <= maxBytes)) return null;
    const bytes = await request.bytes();
    return bytes.byteLength <= maxBytes ? bytes : null;
  }
  if (request.body === null) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  return joinChunks(chunks, size);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** `undefined` for what is no JSON, is no UTF-8, or holds half a surrogate pair, which no page could keep. */
function parseBody(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    const value: unknown = JSON.parse(text);
    return /\\u[dD][89a-fA-F]/.test(text) && holdsHalfPair(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** `JSON.stringify` writes half a surrogate pair as an escape, and whole pairs as they are. */
function holdsHalfPair(value: unknown): boolean {
  return /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value));
}

function checkMessage(value: unknown): RpcMessage | Response {
  if (!isRecord(value)) return invalid("The body must be one JSON object", "json-object-required", null);
  const { jsonrpc, method, id } = value;
  const params = withoutNulls(value["params"] ?? undefined, 0);
  const known = isId(id) ? id : null;
  if (typeof method !== "string") {
    return Object.hasOwn(value, "result") || Object.hasOwn(value, "error")
      ? invalid("This server asks nothing, so it takes no responses", "unexpected-json-rpc-response", null)
      : invalid("A message needs a method", "invalid-request", known);
  }
  if (jsonrpc !== "2.0") return invalid('`jsonrpc` must be "2.0"', "invalid-request", known);
  if (Object.hasOwn(value, "id") && known === null) {
    return invalid("`id` must be a string or an integer", "invalid-request", null);
  }
  if (params !== undefined && !isRecord(params)) {
    return invalid("`params` must be an object", "invalid-request", known);
  }
  if (known !== null && method.startsWith("notifications/")) {
    return invalid("A notification has no `id`", "invalid-request", known);
  }
  const problem = metaProblem(params?.["_meta"]);
  if (problem !== null) return invalid(problem, "invalid-request", known);
  return {
    jsonrpc,
    method,
    ...(known === null ? {} : { id: known }),
    ...(params === undefined ? {} : { params }),
  };
}

/** Larger integers are not the ones that were sent any more, so no answer could be told apart by them. */
function isId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Members deeper than this are left as they came. */
const maxDepth = 4;

/** Serializers write `null` for what is not there. What a tool is given stays as it is: the tool judges that. */
function withoutNulls(value: unknown, depth: number): unknown {
  if (!isRecord(value) || depth === maxDepth) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => each !== null)
      .map(([name, each]) => [name, name === "arguments" ? each : withoutNulls(each, depth + 1)]),
  );
}

/** Why the library would take the message for none, and never answer it. */
function metaProblem(meta: unknown): string | null {
  if (meta === undefined) return null;
  if (!isRecord(meta)) return "`_meta` must be an object";
  const { progressToken, [relatedTask]: task } = meta;
  if (progressToken !== undefined && !isId(progressToken)) {
    return "`progressToken` must be a string or an integer";
  }
  if (task === undefined || isRecord(task) && typeof task["taskId"] === "string") return null;
  return `\`${relatedTask}\` must name a task`;
}

function invalid(message: string, word: string, id: RequestId | null): Response {
  return refuse({ status: 400, code: codes.invalidRequest, message, word, id });
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
