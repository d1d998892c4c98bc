/** `/.revisions` of the embedded server: versions of its files as SilverBullet keeps them in git, in memory. */

import type { Clock } from "../../core/clock.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { EmbeddedFiles } from "./files.ts";
import { bareReply, jsonReply, type Reply } from "./reply.ts";

export type RevisionsMode = "managed" | "unmanaged";

interface Commit {
  readonly rev: string;
  readonly timestamp: number;
  readonly files: ReadonlyMap<string, Uint8Array<ArrayBuffer> | null>;
}

export class EmbeddedRevisions {
  readonly mode: RevisionsMode;
  readonly #files: EmbeddedFiles;
  readonly #clock: Clock;
  readonly #commits: Commit[] = [];
  readonly #last = new Map<string, Uint8Array<ArrayBuffer>>();

  constructor(mode: RevisionsMode, files: EmbeddedFiles, clock: Clock) {
    this.mode = mode;
    this.#files = files;
    this.#clock = clock;
  }

  /** Keeps every file as it is now; answers whether anything had changed. */
  commit(): boolean {
    const changed = new Map<string, Uint8Array<ArrayBuffer> | null>();
    const paths = new Set(this.#files.paths());
    for (const path of paths) {
      const bytes = this.#files.get(path)?.bytes;
      if (bytes !== undefined && bytes !== this.#last.get(path)) changed.set(path, bytes);
    }
    for (const path of this.#last.keys()) if (!paths.has(path)) changed.set(path, null);
    if (changed.size === 0) return false;
    for (const [path, bytes] of changed) {
      if (bytes === null) this.#last.delete(path);
      else this.#last.set(path, bytes);
    }
    const timestamp = Math.floor(this.#clock.now());
    const rev = sha256Hex(`${this.#commits.length} ${timestamp}`).slice(0, 40);
    this.#commits.push({ rev, timestamp, files: changed });
    return true;
  }

  reply(method: string, route: string): Reply {
    const [path = "", query = ""] = route.slice("/.revisions/".length).split("?");
    const asked = new URLSearchParams(query);
    if (method === "POST" && path === "") {
      if (this.mode !== "managed") return jsonReply(409, { error: "revisions are not managed" });
      return jsonReply(200, { committed: this.commit() });
    }
    if (method !== "GET") return bareReply(405, "");
    const name = decodeURIComponent(path);
    const of = this.#commits.filter(({ files }) => name === "" || files.has(name)).toReversed();
    const rev = asked.get("rev");
    if (rev !== null) {
      const bytes = of.find((commit) => commit.rev === rev)?.files.get(name) ?? null;
      return bytes === null
        ? jsonReply(404, { error: "not found" })
        : { status: 200, headers: { "Content-Type": "application/octet-stream" }, body: bytes };
    }
    const limit = Number(asked.get("limit") ?? 50);
    const rows = of.slice(0, limit).map(({ rev, timestamp }) => ({
      rev,
      timestamp,
      author: "SilverBullet",
      message: "Update",
    }));
    const list = name === "" ? { commits: rows, uncommitted: [] } : { revisions: rows, uncommitted: false };
    return jsonReply(200, { mode: this.mode, ...list, more: of.length > limit });
  }
}
