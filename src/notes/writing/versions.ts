/**
 * Which versions were handed out together with their whole text, to whom, and with which time.
 *
 * Older clients give a time in milliseconds as their version (product §4.2). It counts only if it stands here, and
 * even then only as the name of a content. Kept in the state file where there is one, so that it is shared and
 * survives a restart; in memory, bounded, where there is none.
 */

import type { Clock } from "../../core/clock.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { ContentHash } from "../../core/page_store.ts";
import { textColumn } from "../../state/rows.ts";
import type { State } from "../../state/state.ts";

export interface HandedOut {
  readonly path: PagePath;
  /** Milliseconds since the Unix epoch. */
  readonly modified: number;
  readonly hash: ContentHash;
  readonly principal: string;
}

/** Enough for the pages a person works on; a version is written again at most once a process. */
const remembered = 5000;

export class Versions {
  readonly #memory = new Map<string, HandedOut>();
  readonly #clock: Clock;
  readonly #statements;

  constructor(state: State | null, clock: Clock) {
    this.#clock = clock;
    this.#statements = state === null ? null : prepare(state);
  }

  /** Never fails: a version that cannot be remembered only means that its time will not be accepted. */
  note(version: HandedOut): void {
    const key = `${version.principal}\n${version.modified}\n${version.hash}\n${version.path}`;
    if (this.#memory.has(key)) return;
    this.#memory.set(key, version);
    const oldest = this.#memory.size > remembered ? this.#memory.keys().next() : null;
    if (oldest !== null && !oldest.done) this.#memory.delete(oldest.value);
    try {
      this.#statements?.note.run(
        version.path,
        version.modified,
        version.principal,
        version.hash,
        this.#clock.now(),
      );
    } catch {
      this.#memory.delete(key);
    }
  }

  /** The contents that were handed out to that caller whole, with that time. */
  at(version: Omit<HandedOut, "hash">): ContentHash[] {
    const found = this.#inMemory(version.path)
      .filter((known) => known.modified === version.modified && known.principal === version.principal)
      .map((known) => known.hash);
    const stored = this.#statements?.at.all(version.path, version.modified, version.principal) ?? [];
    return [...new Set([...found, ...stored.map((row) => textColumn(row, "hash"))])];
  }

  /** Every content of that page that anyone was shown whole, newest first, as far as it is remembered. */
  of(path: PagePath): ContentHash[] {
    const found = this.#inMemory(path).map((known) => known.hash).reverse();
    const stored = this.#statements?.of.all(path) ?? [];
    return [...new Set([...found, ...stored.map((row) => textColumn(row, "hash"))])];
  }

  forget(path: PagePath): void {
    for (const [key, version] of this.#memory) if (version.path === path) this.#memory.delete(key);
    this.#statements?.forget.run(path);
  }

  #inMemory(path: PagePath): HandedOut[] {
    return [...this.#memory.values()].filter((version) => version.path === path);
  }
}

function prepare({ db }: State) {
  return {
    note: db.prepare(`
      INSERT INTO versions (path, modified, principal, hash, seen) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET seen = excluded.seen`),
    at: db.prepare("SELECT hash FROM versions WHERE path = ? AND modified = ? AND principal = ?"),
    of: db.prepare("SELECT hash FROM versions WHERE path = ? ORDER BY seen DESC LIMIT 500"),
    forget: db.prepare("DELETE FROM versions WHERE path = ?"),
  };
}
