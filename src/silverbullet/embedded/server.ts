/**
 * A small SilverBullet-compatible server on 127.0.0.1: the `/.fs` API over files in memory, for the demonstration and for
 * tests. It plays one server generation; it is no place to keep notes in.
 */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Clock, systemClock } from "../../core/clock.ts";
import { randomId } from "../../core/ids.ts";
import { DeviceFlow } from "./device_flow.ts";
import { createEventStream, type EventStream } from "./event_stream.ts";
import { Faults } from "./faults.ts";
import { EmbeddedFiles } from "./files.ts";
import { type Generation, traitsOf } from "./generations.ts";
import { EmbeddedRevisions, type RevisionsMode } from "./revisions.ts";
import type { Exchange } from "./interposer.ts";
import type { Reply } from "./reply.ts";
import { RequestLog } from "./request_log.ts";
import { type IncomingRequest, readExchange, route, type RouteContext } from "./routes.ts";
import type { Space } from "./space.ts";

export interface EmbeddedOptions {
  /** Default: `2.12`. */
  readonly generation?: Generation;
  /** Path → content. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Bundled read-only files; default: two small ones, as every SilverBullet has. */
  readonly bundled?: Readonly<Record<string, string>>;
  /** Path prefix such as `/notes`. */
  readonly prefix?: string;
  readonly readOnly?: boolean;
  /** Counts only together with `user`; alone it leaves the server open, as in every SilverBullet. */
  readonly token?: string;
  /** `name:password`; turns authentication on. */
  readonly user?: string;
  /** Default: switched off. Only generations from 2.11 on have them. */
  readonly revisions?: RevisionsMode;
  /** What a proxy in front does to `ETag`. */
  readonly proxy?: "none" | "weak-etags" | "no-etags";
  readonly spaceName?: string;
  readonly indexPage?: string;
  readonly clock?: Clock;
  /** Seconds between two questions of the device flow; default 5, as every server. */
  readonly deviceInterval?: number;
  /** Default: any free one. */
  readonly port?: number;
}

export interface EmbeddedServer {
  /** Base address with the prefix and without a trailing slash. */
  readonly url: string;
  readonly files: EmbeddedFiles;
  /** `null` where they are switched off. */
  readonly revisions: EmbeddedRevisions | null;
  readonly faults: Faults;
  readonly requests: RequestLog;
  /** `null` where the generation has no device flow, or nobody signs in. */
  readonly devices: DeviceFlow | null;
  close(): Promise<void>;
}

const defaultBundle = {
  "Library/Std.md": "This page comes with the server and cannot be changed.\n",
  "Repositories/Std.md": "#meta/repository\n",
};

/** Starts the server and resolves once it accepts connections. */
export async function startEmbedded(options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const clock = options.clock ?? systemClock;
  const files = new EmbeddedFiles(clock);
  for (const [path, content] of Object.entries(options.files ?? {})) files.put(path, content);
  const faults = new Faults(files, clock);
  const space = createSpace(options, files, clock);
  let base = "";
  const devices = space.traits.conditional && options.user !== undefined
    ? new DeviceFlow({
      ...{ clock, base: () => base, interval: options.deviceInterval ?? 5 },
      username: options.user.split(":")[0] ?? "",
    })
    : null;
  const context: RouteContext = {
    ...{ space, devices },
    prefix: normalizePrefix(options.prefix ?? ""),
    credentials: { user: options.user ?? null, token: options.token ?? null },
    instance: randomId(),
    interposer: faults,
  };
  const requests = new RequestLog();
  const events = space.traits.events ? createEventStream(space) : null;
  const exchange = { context, requests, events, proxy: options.proxy ?? "none" };
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    answer(exchange, request, response).catch(() => response.destroy());
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}${context.prefix}`;
  return {
    url: base,
    ...{ files, devices },
    revisions: space.revisions,
    faults,
    requests,
    close() {
      events?.close();
      faults.clear();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

interface Serving {
  readonly context: RouteContext;
  readonly requests: RequestLog;
  readonly events: EventStream | null;
  readonly proxy: "none" | "weak-etags" | "no-etags";
}

async function answer(serving: Serving, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { context, requests } = serving;
  const incoming: IncomingRequest = {
    method: request.method ?? "GET",
    target: request.url ?? "/",
    headers: singleHeaders(request),
    body: await readBody(request),
  };
  const exchange = readExchange(context, incoming);
  const { reply, cut } = await produce(serving, incoming, exchange);
  const { authorization, ...shown } = incoming.headers;
  requests.add({
    method: incoming.method,
    target: incoming.target,
    headers: shown,
    authorized: authorization !== undefined,
    status: reply?.status ?? 0,
  });
  if (cut) request.socket.destroy();
  else if (reply === null) serving.events?.open(response);
  else if (exchange === null || !(await context.interposer?.sending(exchange, reply, response))) {
    send(reply, response, {
      head: incoming.method === "HEAD",
      chunked: context.space.traits.family === "go",
    });
  }
}

/** A reply; or `null` for the event stream; or a connection to cut. */
async function produce(
  serving: Serving,
  incoming: IncomingRequest,
  exchange: Exchange | null,
): Promise<{ reply: Reply | null; cut: boolean }> {
  const { context } = serving;
  const between = exchange === null ? undefined : context.interposer;
  const early = exchange === null ? null : await between?.arriving(exchange) ?? null;
  if (early === "cut") return { reply: null, cut: true };
  if (early !== null) return { reply: early, cut: false };
  if (exchange !== null && exchange.path !== null && incoming.method !== "GET") {
    const clientId = incoming.headers["x-client-id"];
    serving.events?.attribute(exchange.path, { clientId, source: incoming.headers["x-source"] });
  }
  const reply = throughProxy(await route(context, incoming, exchange), serving.proxy);
  if (exchange === null) return { reply, cut: false };
  const isStream = serving.events !== null && exchange.route.split("?")[0] === "/.events" &&
    reply.status === 200;
  const late = await between?.answering(exchange, reply) ?? reply;
  if (late === "cut") return { reply: null, cut: true };
  return { reply: isStream && late === reply ? null : late, cut: false };
}

function throughProxy(reply: Reply, proxy: Serving["proxy"]): Reply {
  const etag = reply.headers["ETag"];
  if (proxy === "none" || etag === undefined) return reply;
  const { ETag: _dropped, ...rest } = reply.headers;
  return { ...reply, headers: proxy === "no-etags" ? rest : { ...rest, ETag: `W/${etag}` } };
}

function send(reply: Reply, response: ServerResponse, how: { head: boolean; chunked: boolean }): void {
  const body = typeof reply.body === "string" ? new TextEncoder().encode(reply.body) : reply.body;
  const chunked = how.chunked && body.length > 2048;
  response.writeHead(reply.status, {
    ...reply.headers,
    ...(chunked ? {} : { "Content-Length": String(body.length) }),
  });
  response.end(how.head ? undefined : body);
}

async function readBody(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

function singleHeaders(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}

function normalizePrefix(prefix: string): string {
  const inner = prefix.replace(/^\/+|\/+$/g, "");
  return inner === "" ? "" : `/${inner}`;
}

function createSpace(options: EmbeddedOptions, files: EmbeddedFiles, clock: Clock): Space {
  const birth = Math.floor(clock.now());
  const bundled = Object.entries(options.bundled ?? defaultBundle).map(([path, text]) => {
    const bytes = new TextEncoder().encode(text);
    return [path, { bytes, modified: birth, created: birth, changed: birth }] as const;
  });
  return {
    traits: traitsOf(options.generation ?? "2.12"),
    files,
    bundled: new Map(bundled),
    readOnly: options.readOnly ?? false,
    spaceName: options.spaceName ?? "Embedded",
    indexPage: options.indexPage ?? "index",
    revisions: options.revisions === undefined
      ? null
      : new EmbeddedRevisions(options.revisions, files, clock),
  };
}
