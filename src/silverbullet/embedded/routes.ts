/** From one request to one reply: the routes of the embedded server below its prefix. */

import type { Credentials } from "./access.ts";
import { refuseAccess } from "./access.ts";
import { deleteReply, type FileRequest, listReply, readReply, spacePath, writeReply } from "./file_routes.ts";
import type { Exchange, Interposer } from "./interposer.ts";
import { bareReply, jsonReply, type Reply, textReply } from "./reply.ts";
import type { Space } from "./space.ts";
import { outsidePrefix, webApp } from "./web_app.ts";

export interface RouteContext {
  readonly space: Space;
  readonly prefix: string;
  readonly credentials: Credentials;
  readonly instance: string;
  readonly interposer: Interposer | undefined;
}

export interface IncomingRequest {
  readonly method: string;
  /** The request target as it came over the wire. */
  readonly target: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What a request is about, before anybody judges it. `null`: outside the prefix. */
export function readExchange(context: RouteContext, request: IncomingRequest): Exchange | null {
  const path = request.target.split("?")[0] ?? "";
  if (context.prefix !== "" && path !== context.prefix && !path.startsWith(`${context.prefix}/`)) return null;
  const route = request.target.slice(context.prefix.length) || "/";
  const { traits } = context.space;
  const metaHeader = request.headers["x-get-meta"];
  const meta = request.method === "GET" &&
    (traits.family === "rust" ? metaHeader !== undefined : Boolean(metaHeader));
  return { method: request.method, route, path: filePath(context.space, route), meta };
}

/** The reply to a request inside the prefix; `events` is told apart by the server, which streams it. */
export async function route(
  context: RouteContext,
  request: IncomingRequest,
  exchange: Exchange | null,
): Promise<Reply> {
  if (exchange === null) return outsidePrefix(context.space, request.target);
  const { space, prefix, credentials } = context;
  const refused = refuseAccess(space.traits, credentials, {
    route: exchange.route,
    authorization: request.headers["authorization"],
    cookie: request.headers["cookie"],
    prefix,
  });
  if (refused !== null) return refused;
  if (exchange.path === null) return otherRoute(context, exchange);
  const fileRequest: FileRequest = {
    exchange,
    path: exchange.path,
    headers: request.headers,
    body: request.body,
    prefix,
  };
  if (exchange.path === "") return listReply(space, fileRequest);
  if (malformed.has(exchange.path)) return textReply(space.traits.decodesTwice ? 500 : 400, "Bad path\n");
  switch (request.method) {
    case "GET":
      return readReply(space, fileRequest);
    case "HEAD":
      return space.traits.family === "go" ? textReply(405, "") : readReply(space, fileRequest);
    case "PUT":
      return await writeReply(space, fileRequest, context.interposer);
    case "DELETE":
      return deleteReply(space, fileRequest);
    default:
      return bareReply(405, "");
  }
}

/** Marks a path that no decoding makes sense of; never the name of a file. */
const unreadablePath = "\uffff";
const malformed: ReadonlySet<string> = new Set([unreadablePath]);

/** `null`: not a file route; `""`: the list. */
function filePath(space: Space, route: string): string | null {
  const path = route.split("?")[0] ?? "";
  if (path === "/.fs" || path === "/.fs/") return "";
  if (!path.startsWith("/.fs/")) return null;
  const raw = path.slice("/.fs/".length);
  const once = decode(raw, space.traits.family === "rust");
  if (once === null) return unreadablePath;
  if (!space.traits.decodesTwice) return once;
  const routed = goEscape(once) === raw ? once : raw;
  return decode(routed.replaceAll("+", " "), false) ?? unreadablePath;
}

/** Go's own escaping of a path: where a request uses it, Go routes by the decoded path, and else by the raw one. */
function goEscape(path: string): string {
  return encodeURI(path).replace(/[!'()*?#]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decode(text: string, lenient: boolean): string | null {
  try {
    return decodeURIComponent(lenient ? text.replace(/%(?![0-9a-fA-F]{2})/g, "%25") : text);
  } catch {
    return null;
  }
}

function otherRoute(context: RouteContext, exchange: Exchange): Reply {
  const { space } = context;
  const { traits } = space;
  const path = exchange.route.split("?")[0] ?? "";
  if (path === "/.ping" && exchange.method === "GET") {
    const headers: Record<string, string> = {};
    if (traits.family !== "deno") headers["X-Space-Path"] = spacePath;
    if (traits.version !== null) headers["X-Server-Version"] = traits.version;
    return textReply(200, "OK", headers);
  }
  if (path === "/.config" && exchange.method === "GET") return jsonReply(200, configuration(space));
  if (path === "/.instance" && context.prefix === "" && traits.family === "rust") {
    return jsonReply(200, { instance: context.instance, version: traits.version });
  }
  if (traits.conditional && path.startsWith("/.revisions")) {
    return jsonReply(404, { error: "revisions disabled" });
  }
  return webApp(space, exchange.method, context.credentials.user === null);
}

function configuration(space: Space): Record<string, unknown> {
  const { traits } = space;
  const base = { readOnly: space.readOnly, spaceFolderPath: spacePath, indexPage: space.indexPage };
  if (traits.family === "deno") return base;
  const go = { ...base, logPush: false, enableClientEncryption: false };
  if (traits.family === "go") return go;
  const rust = {
    ...go,
    disableServiceWorker: false,
    spaceName: space.spaceName,
    accountManaged: false,
    shellBackend: "off",
  };
  return traits.conditional ? { ...rust, syncProtocolVersion: 2, revisions: "disabled" } : rust;
}
