/** What is refused outside of any method, beyond what is wrong with any message. */

import { protocolRevisions } from "../core/revisions.ts";
import { initializeProblem } from "./head.ts";
import { isRecord, type RpcMessage } from "./message.ts";
import { legacyRevisions } from "./revisions.ts";
import { codes, refuse, type RequestId } from "./rpc.ts";

/** `null` for a message of the old era that can be served. */
export function refuseLegacy(request: Request, message: RpcMessage): Response | null {
  const id = message.id ?? null;
  if (message.method === "initialize") {
    const problem = initializeProblem(message.params);
    if (problem === null) return null;
    return refuse({ status: 400, code: codes.invalidParams, message: problem, word: "invalid-params", id });
  }
  const revision = request.headers.get("mcp-protocol-version")?.trim() ?? null;
  if (revision === null || legacyRevisions.includes(revision)) return refuseParams(message);
  return refuse({
    status: 400,
    code: codes.server,
    message: `Unsupported protocol version; supported are ${protocolRevisions.join(", ")}`,
    word: "unsupported-protocol-version",
    id,
  });
}

/**
 * `null` where the parameters are what the method takes. Said here in plain words, because the library would tell how
 * its own schema failed.
 */
export function refuseParams({ id, method, params }: RpcMessage): Response | null {
  const problem = paramsProblem(method, params ?? {});
  if (problem === null || id === undefined) return null;
  return refuse({ status: 200, code: codes.invalidParams, message: problem, word: "invalid-params", id });
}

function paramsProblem(method: string, params: Readonly<Record<string, unknown>>): string | null {
  switch (method) {
    case "tools/call": {
      const given = params["arguments"];
      if (typeof params["name"] !== "string") return "`name` must be a string";
      return given === undefined || isRecord(given) ? null : "`arguments` must be an object";
    }
    case "resources/read":
      return typeof params["uri"] === "string" ? null : "`uri` must be a string";
    case "completion/complete": {
      const { ref, argument } = params;
      if (!isRecord(ref) || !isRecord(argument)) return "`ref` and `argument` must be objects";
      const { name, value } = argument;
      if (typeof name !== "string" || typeof value !== "string") {
        return "`argument` needs `name` and `value`";
      }
      return isReference(ref) ? null : "`ref` must name a prompt or the address of a resource";
    }
    case "tools/list":
    case "prompts/list":
    case "resources/list":
    case "resources/templates/list": {
      const cursor = params["cursor"];
      return cursor === undefined || typeof cursor === "string" ? null : "`cursor` must be a string";
    }
    default:
      return null;
  }
}

function isReference({ type, name, uri }: Readonly<Record<string, unknown>>): boolean {
  return type === "ref/prompt"
    ? typeof name === "string"
    : type === "ref/resource" && typeof uri === "string";
}

/**
 * The message without what a client may say about itself and the call that changes nothing here, so that the library
 * has nothing to refuse in it.
 */
export function withoutUnused(message: RpcMessage): RpcMessage {
  const { method, params } = message;
  if (params === undefined) return message;
  switch (method) {
    case "tools/call": {
      if (!Object.hasOwn(params, "task")) return message;
      const { task: _, ...left } = params;
      return { ...message, params: left };
    }
    case "completion/complete": {
      const { context, ...left } = params;
      // Only the parts of the address that are chosen already count, each a text.
      const chosen = isRecord(context) && isRecord(context["arguments"]) ? context["arguments"] : {};
      const texts = Object.entries(chosen).filter(([, value]) => typeof value === "string");
      if (texts.length === 0) return { ...message, params: left };
      return { ...message, params: { ...left, context: { arguments: Object.fromEntries(texts) } } };
    }
    case "initialize": {
      const { clientInfo, capabilities } = params;
      const { name, version } = isRecord(clientInfo) ? clientInfo : {};
      // What clients can do is not used here; whether they say it as they should is looked at later.
      const said = isRecord(capabilities) ? {} : capabilities;
      return { ...message, params: { ...params, capabilities: said, clientInfo: { name, version } } };
    }
    default:
      return message;
  }
}

export function methodNotAllowed(): Response {
  return refuse({
    status: 405,
    code: codes.server,
    message: "Only POST: there are no sessions and no stream to open",
    word: "method-not-allowed",
    headers: { allow: "POST" },
  });
}

export function stopping(): Response {
  return refuse({
    status: 503,
    code: codes.server,
    message: "The server is stopping; try again in a few seconds",
    word: "stopping",
    headers: { "retry-after": "5" },
  });
}

/** What nobody expected: the log has it under `incident`, and nothing else is told. */
export function failed(incident: string, id: RequestId | null): Response {
  const message = `Internal error, incident ${incident}`;
  return refuse({ status: 500, code: codes.internal, message, word: "internal", id });
}
