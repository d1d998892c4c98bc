/**
 * A `PageStore` over files in memory: no network, no SilverBullet. For tests of everything above the port.
 *
 * Compares and changes in one step of the event loop, so its guarantee is `atomic`.
 */

import type { Clock } from "../core/clock.ts";
import { systemClock } from "../core/clock.ts";
import { type PagePath, parseListedPath } from "../core/page_name.ts";
import type { Expectation, PageContent, PageEntry, PageStore } from "../core/page_store.ts";
import { sha256Hex } from "../core/secrets.ts";

export interface MemoryStoreOptions {
  /** Path → content. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly clock?: Clock;
}

export interface MemoryStore extends PageStore {
  /** Changes a file as another hand would. */
  put(path: string, content: string | Uint8Array): void;
  /** Removes a file as another hand would. */
  remove(path: string): void;
  /** The content as text, or `null`. */
  text(path: string): string | null;
}

export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const clock = options.clock ?? systemClock;
  const files = new Map<PagePath, PageContent>();

  function put(name: string, content: string | Uint8Array): PageEntry {
    const path = parseListedPath(name);
    if (path === null) throw new TypeError("Not a path of a page");
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    const modified = Math.floor(clock.now());
    const created = files.get(path)?.entry.created ?? modified;
    const contentType = path.endsWith(".md") ? "text/markdown" : "application/octet-stream";
    const entry = { path, size: bytes.length, modified, created, contentType, readOnly: false };
    files.set(path, { entry, bytes: new Uint8Array(bytes), hash: sha256Hex(bytes) });
    return entry;
  }

  function find(path: PagePath): PageContent | null {
    const found = files.get(path);
    return found === undefined ? null : { ...found, bytes: found.bytes.slice() };
  }

  for (const [name, content] of Object.entries(options.files ?? {})) put(name, content);

  return {
    put,
    remove: (name) => void files.delete(name as PagePath),
    text(name) {
      const found = files.get(name as PagePath);
      return found === undefined ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(found.bytes);
    },
    async list(call) {
      call?.signal?.throwIfAborted();
      return [...files.values()].map((file) => file.entry)
        .sort((left, right) => left.path < right.path ? -1 : left.path > right.path ? 1 : 0);
    },
    async meta(path, call) {
      call?.signal?.throwIfAborted();
      return files.get(path)?.entry ?? null;
    },
    async read(path, call) {
      call?.signal?.throwIfAborted();
      return find(path);
    },
    async write(path, bytes, change) {
      change.signal?.throwIfAborted();
      const current = find(path);
      if (!holds(change.expect, current)) return { kind: "changed", current };
      return { kind: "written", entry: put(path, bytes), guarantee: "atomic" };
    },
    async delete(path, change) {
      change.signal?.throwIfAborted();
      const current = find(path);
      if (current === null || !holds(change.expect, current)) return { kind: "changed", current };
      files.delete(path);
      return { kind: "deleted", guarantee: "atomic" };
    },
  };
}

function holds(expect: Expectation, current: PageContent | null): boolean {
  switch (expect.kind) {
    case "any":
      return true;
    case "absent":
      return current === null;
    case "hash":
      return current?.hash === expect.hash;
  }
}
