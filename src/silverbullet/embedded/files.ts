/**
 * The files of the embedded space, in memory: what a folder on disk is to SilverBullet.
 *
 * `put`, `touch` and `remove` are the hand on the disk: no precondition and no route. Times are milliseconds. Content
 * hashes are cached by path, size and modification time, as SilverBullet caches them, with the same blind spot: a
 * change that keeps both goes unnoticed.
 */

import type { Clock } from "../../core/clock.ts";
import { sha256Hex } from "../../core/secrets.ts";

export interface StoredFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly modified: number;
  /** Birth time. */
  readonly created: number;
  /** Time of the last change of any kind; what Go reports as `created`. */
  readonly changed: number;
}

export interface FileChange {
  readonly path: string;
  readonly action: "change" | "delete";
  readonly file: StoredFile | null;
}

export interface PutOptions {
  /** Modification time to set; default: now. */
  readonly modified?: number;
}

export class EmbeddedFiles {
  readonly #files = new Map<string, StoredFile>();
  readonly #hashes = new Map<string, { size: number; modified: number; hash: string }>();
  readonly #listeners = new Set<(change: FileChange) => void>();
  readonly #clock: Clock;
  #lastTime = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  put(path: string, content: string | Uint8Array, options: PutOptions = {}): StoredFile {
    const now = this.#tick();
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
    const file: StoredFile = {
      bytes: new Uint8Array(bytes),
      modified: options.modified ?? now,
      created: this.#files.get(path)?.created ?? now,
      changed: now,
    };
    this.#files.set(path, file);
    this.#tell({ path, action: "change", file });
    return file;
  }

  remove(path: string): boolean {
    const existed = this.#files.delete(path);
    this.#hashes.delete(path);
    if (existed) this.#tell({ path, action: "delete", file: null });
    return existed;
  }

  get(path: string): StoredFile | null {
    return this.#files.get(path) ?? null;
  }

  /** The content as text, or `null`; for tests and demonstrations. */
  text(path: string): string | null {
    const file = this.#files.get(path);
    return file === undefined ? null : new TextDecoder("utf-8", { ignoreBOM: true }).decode(file.bytes);
  }

  paths(): string[] {
    return [...this.#files.keys()];
  }

  /** True when `path` is a folder that holds something. */
  isFolder(path: string): boolean {
    const prefix = `${path}/`;
    return this.paths().some((name) => name.startsWith(prefix));
  }

  /** The hash that the server believes: cached by size and modification time. */
  cachedHash(path: string): string | null {
    const file = this.#files.get(path);
    if (file === undefined) return null;
    const known = this.#hashes.get(path);
    if (known?.size === file.bytes.length && known.modified === file.modified) return known.hash;
    const hash = sha256Hex(file.bytes);
    this.#hashes.set(path, { size: file.bytes.length, modified: file.modified, hash });
    return hash;
  }

  /** Notes a hash for the file as it is now, as SilverBullet does after a write through its API. */
  recordHash(path: string, hash: string): void {
    const file = this.#files.get(path);
    if (file === undefined) return;
    this.#hashes.set(path, { size: file.bytes.length, modified: file.modified, hash });
  }

  watch(listener: (change: FileChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The present, never before a time already given out. */
  #tick(): number {
    this.#lastTime = Math.max(this.#lastTime, Math.floor(this.#clock.now()));
    return this.#lastTime;
  }

  #tell(change: FileChange): void {
    for (const listener of this.#listeners) listener(change);
  }
}
