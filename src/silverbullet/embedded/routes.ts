/** From one request to one reply: the routes of the embedded server below its prefix. */

import type { Credentials } from "./access.ts";
import { bearerOf, refuseAccess } from "./access.ts";
import type { DeviceFlow } from "./device_flow.ts";
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
  /** `null` where the generation has none, or nobody signs in. */
  readonly devices: DeviceFlow | null;
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
  const { space, prefix, credentials, devices } = context;
  const signIn = devices?.reply(request.method, exchange.route.split("?")[0] ?? "", request.body) ?? null;
  if (signIn !== null) return signIn;
  const refused = refuseAccess(space.traits, credentials, {
    route: exchange.route,
    authorization: request.headers["authorization"],
    cookie: request.headers["cookie"],
    prefix,
    issued: devices?.accepts(bearerOf(request.headers["authorization"]) ?? "") === true,
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
  if (exchange.path === badEscape) return textReply(space.traits.decodesTwice ? 500 : 400, "400 Bad Request");
  if (exchange.path === badUtf8) {
    return space.traits.family === "rust"
      ? textReply(400, "Invalid URL: Invalid UTF-8 in `path`")
      : textReply(404, "404 page not found\n");
  }
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
      if (space.traits.family !== "go") return bareReply(405, "", { Allow: "GET,HEAD,PUT,DELETE" });
      return bareReply(request.method === "OPTIONS" ? 200 : 405, "", { Allow: fileVerbs });
  }
}

/** Mark paths that no decoding makes sense of; never names of files. */
const badEscape = "\uffff1";
const badUtf8 = "\uffff2";
const fileVerbs = "GET, PUT, DELETE, OPTIONS";

/** `null`: not a file route; `""`: the list. */
function filePath(space: Space, route: string): string | null {
  const path = route.split("?")[0] ?? "";
  if (path === "/.fs" || path === "/.fs/") return "";
  if (!path.startsWith("/.fs/")) return null;
  const raw = path.slice("/.fs/".length);
  const { family, decodesTwice } = space.traits;
  if (family !== "rust" && /%(?![0-9a-fA-F]{2})/.test(raw)) return badEscape;
  const once = decode(raw.replace(/%(?![0-9a-fA-F]{2})/g, "%25"));
  if (once === null) return badUtf8;
  if (!decodesTwice) return family === "go" ? clean(once) : once;
  const routed = goEscape(once) === raw ? once : raw;
  return clean(decode(routed.replaceAll("+", " ")) ?? badEscape);
}

/** The path without `.`, `..` and a slash at the end, as Go cleans it; one that leaves the space stays as it is. */
function clean(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "." || segment === "") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.pop() === undefined) return path;
  }
  return kept.join("/");
}

/** Go's own escaping of a path: where a request uses it, Go routes by the decoded path, and else by the raw one. */
function goEscape(path: string): string {
  return encodeURI(path).replace(/[!'()*?#]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function otherRoute(context: RouteContext, exchange: Exchange): Reply {
  const { space } = context;
  const { traits } = space;
  const path = exchange.route.split("?")[0] ?? "";
  if (path === "/.ping" && exchange.method === "GET") {
    const headers: Record<string, string> = { "Cache-Control": "no-cache" };
    if (traits.family !== "deno") headers["X-Space-Path"] = spacePath;
    if (traits.version !== null) headers["X-Server-Version"] = traits.version;
    return textReply(200, "OK", headers);
  }
  if (path === "/.config" && exchange.method === "GET") {
    return jsonReply(200, configuration(space), { "Cache-Control": "no-cache" });
  }
  if (path === "/.instance" && context.prefix === "" && traits.family === "rust") {
    return jsonReply(200, { instance: context.instance, version: traits.version });
  }
  if (traits.conditional && path.startsWith("/.revisions")) {
    if (space.revisions !== null) return space.revisions.reply(exchange.method, exchange.route);
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
  const revisions = space.revisions?.mode ?? "disabled";
  return traits.conditional ? { ...rust, syncProtocolVersion: 2, revisions } : rust;
}
