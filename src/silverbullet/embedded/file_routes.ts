/** `/.fs` and `/.fs/<path>` of the embedded server: list, read, metadata, write, delete. */

import { failedPrecondition } from "./conditions.ts";
import type { Exchange, Interposer } from "./interposer.ts";
import { bareReply, jsonReply, type Reply, textReply } from "./reply.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { fileHeaders, findFile, listRows, revisionHeaders, type Space } from "./space.ts";

export interface FileRequest {
  readonly exchange: Exchange;
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly prefix: string;
}

/** Where the space is said to lie; servers tell everyone, so the client must keep it to itself. */
export const spacePath = "/srv/embedded/space";

export function listReply(space: Space, request: FileRequest): Reply {
  const { family } = space.traits;
  if (request.exchange.method !== "GET" && request.exchange.method !== "HEAD") {
    if (family !== "go") return bareReply(405, "", { Allow: "GET,HEAD" });
    const changes = ["PUT", "DELETE"].includes(request.exchange.method);
    return changes ? textReply(500, "Write failed\n") : bareReply(405, "", { Allow: "GET" });
  }
  if (request.exchange.method === "HEAD" && family === "go") return textReply(405, "");
  if (family !== "rust" && !request.headers["x-sync-mode"]) {
    return family === "go"
      ? { status: 307, headers: { Location: "/" }, body: "" }
      : { status: 302, headers: { Location: `${request.prefix}/` }, body: "" };
  }
  return jsonReply(200, listRows(space), { "X-Space-Path": spacePath, "Cache-Control": "no-cache" });
}

export function readReply(space: Space, request: FileRequest): Reply {
  const { path, headers, exchange } = request;
  const { family } = space.traits;
  const refused = unreadable(space, path);
  if (refused !== null) return refused;
  const found = findFile(space, path);
  if (found === null) {
    if (!space.files.isFolder(path)) return missing(family);
    if (exchange.meta) return folderMeta(family);
    return family === "go"
      ? textReply(500, `failed to read file ${path}: read ${spacePath}/${path}: is a directory\n`)
      : missing(family);
  }
  const meta = fileHeaders(space, path, found);
  const cheap = space.traits.conditionalGet && headers["x-get-meta"]?.toLowerCase() === "cheap";
  const revision = revisionHeaders(space, cheap || found.readOnly ? null : space.files.cachedHash(path));
  const bundledRevision = found.readOnly && !cheap ? revisionHeaders(space, sha256Hex(found.file.bytes)) : {};
  const all = { ...meta, ...revision, ...bundledRevision };
  if (exchange.meta) {
    return {
      status: 200,
      headers: family === "rust" ? { ...all, "Cache-Control": "no-store" } : all,
      body: "",
    };
  }
  if (space.traits.conditionalGet && matchesNone(headers["if-none-match"], all["ETag"])) {
    return { status: 304, headers: all, body: "" };
  }
  const type = meta["Content-Type"] ?? "application/octet-stream";
  const extra: Record<string, string> = family === "deno"
    ? { "Last-Modified": new Date(found.file.modified).toUTCString() }
    : { "X-Content-Type": type };
  return { status: 200, headers: { ...all, ...extra }, body: found.file.bytes };
}

/** Stores the body. With an interposer, that decides how the bytes get there. */
export async function writeReply(space: Space, request: FileRequest, between?: Interposer): Promise<Reply> {
  const { path, headers, body, exchange } = request;
  const condition = failedPrecondition(space, { method: "PUT", path, ...preconditions(headers) });
  if (condition !== null) return condition;
  const refused = unwritable(space, path);
  if (refused !== null) return refused;
  const modified = requestedTime(space, headers["x-last-modified"]);
  const store = (bytes: Uint8Array<ArrayBuffer>) => {
    space.files.put(path, bytes, modified === null ? {} : { modified });
  };
  const other = between === undefined ? store(body) ?? null : await between.storing(exchange, body, store);
  if (other !== null) return other;
  const found = findFile(space, path);
  if (found === null) return textReply(500, "Write failed\n");
  const hash = sha256Hex(body);
  space.files.recordHash(path, hash);
  const answer = fileHeaders(space, path, found);
  return {
    status: 200,
    headers: {
      ...answer,
      ...revisionHeaders(space, hash),
      ...(space.traits.family === "rust" ? { "Cache-Control": "no-store" } : {}),
    },
    body: "OK",
  };
}

export function deleteReply(space: Space, request: FileRequest): Reply {
  const { path, headers } = request;
  const { family } = space.traits;
  const condition = failedPrecondition(space, { method: "DELETE", path, ...preconditions(headers) });
  if (condition !== null) return condition;
  if (family === "deno" && space.bundled.has(path)) return textReply(200, "OK");
  if (family === "go" && space.readOnly) return textReply(500, "Not allowed\n");
  const refused = unwritable(space, path);
  if (refused !== null) return refused;
  if (!space.files.remove(path)) return family === "deno" ? textReply(500, "Delete failed") : missing(family);
  return family === "rust" ? bareReply(200, "OK") : textReply(200, "OK");
}

function preconditions(headers: Readonly<Record<string, string>>) {
  return { ifMatch: headers["if-match"], ifNoneMatch: headers["if-none-match"] };
}

function missing(family: "deno" | "go" | "rust"): Reply {
  if (family === "rust") return bareReply(404, "404 page not found\n");
  return textReply(404, family === "go" ? "404 page not found\n" : "404 Not Found");
}

function folderMeta(family: "deno" | "go" | "rust"): Reply {
  const headers = {
    "Content-Type": "application/octet-stream",
    "X-Last-Modified": "1700000000000",
    "X-Created": "1700000000000",
    "X-Content-Length": "4096",
    "X-Permission": "rw",
    "Cache-Control": family === "rust" ? "no-store" : "no-cache",
  };
  return { status: 200, headers, body: "" };
}

/** Paths that leave the space or cannot be files. */
function unreadable(space: Space, path: string): Reply | null {
  const { family } = space.traits;
  if (!path.split("/").includes("..") && !path.includes("\0") && !tooLong(path)) return null;
  return family === "go" ? textReply(500, "Path not in space\n") : missing(family);
}

function unwritable(space: Space, path: string): Reply | null {
  const { family } = space.traits;
  if (space.readOnly) {
    if (family === "deno") return textReply(405, "Read only mode");
    return family === "go"
      ? textReply(500, "Write failed\n")
      : bareReply(403, `Read-only: Cannot write file ${path}: read-only mode`);
  }
  if (path.split("/").includes("..")) {
    return family === "rust" ? bareReply(403, "Path not in space") : textReply(500, "Write failed\n");
  }
  if (tooLong(path) || path.includes("\0") || space.files.isFolder(path) || path.endsWith("/")) {
    return family === "rust"
      ? bareReply(500, `Could not write file: ${path}: Is a directory (os error 21)`)
      : textReply(500, "Write failed\n");
  }
  if (family === "deno" && path.startsWith(".")) return textReply(500, "Write failed");
  if (!space.bundled.has(path)) return null;
  if (family === "deno") return droppedWrite(space, path);
  if (family === "go") return textReply(500, "Write failed\n");
  return space.files.get(path) === null ? bareReply(403, "Read-only: bundled file") : null;
}

/** Deno servers answer as if they had written a bundled file. */
function droppedWrite(space: Space, path: string): Reply | null {
  const found = findFile(space, path);
  return found === null ? null : { status: 200, headers: fileHeaders(space, path, found), body: "OK" };
}

function tooLong(path: string): boolean {
  return path.split("/").some((segment) => new TextEncoder().encode(segment).length > 255);
}

function requestedTime(space: Space, value: string | undefined): number | null {
  const time = Number(value ?? "");
  if (space.traits.family === "deno" || !Number.isInteger(time) || time <= 0) return null;
  return space.traits.seconds ? time * 1000 : time;
}

function matchesNone(value: string | undefined, etag: string | undefined): boolean {
  if (value === undefined || etag === undefined) return false;
  return value.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}
