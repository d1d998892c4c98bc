/**
 * Keeps the index file in shape between writes, a small step at a time: merges the full-text engine's segments and
 * writes the log back into the file. The engine's own ways of doing either take tens of milliseconds at once.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";

const commitsPerMerge = 8;
const commitsPerCheckpoint = 16;
/** Pages of the file that one merge step writes: about a millisecond. */
const pagesPerStep = 16;

export class Upkeep {
  readonly #merge: StatementSync;
  readonly #changes: StatementSync;
  readonly #checkpoint: StatementSync;
  readonly #shrink: StatementSync;
  readonly #free: StatementSync;
  #toMerge = 0;
  #toCheckpoint = 0;
  #isMerging = false;
  #purging: "merging" | "shrinking" | null = null;

  constructor(db: DatabaseSync) {
    this.#merge = db.prepare("INSERT INTO words (words, rank) VALUES ('merge', ?)");
    this.#changes = db.prepare("SELECT total_changes() AS changes");
    this.#checkpoint = db.prepare("PRAGMA wal_checkpoint(PASSIVE)");
    this.#shrink = db.prepare(`PRAGMA incremental_vacuum(${pagesPerStep})`);
    this.#free = db.prepare("PRAGMA freelist_count");
  }

  committed(): void {
    this.#toMerge++;
    this.#toCheckpoint++;
  }

  /** Rewrites the words into one segment and gives free pages back, so that what was deleted leaves the file. */
  purge(): void {
    this.#purging = "merging";
  }

  /** Does one thing that is due; false where nothing is. May throw "busy". */
  step({ isIdle }: { readonly isIdle: boolean }): boolean {
    if (this.#purging !== null) {
      this.#purging = this.#purgeStep(this.#purging);
      this.#toCheckpoint++;
      return true;
    }
    if (this.#isMerging || this.#toMerge >= commitsPerMerge || (isIdle && this.#toMerge > 0)) {
      this.#toMerge = 0;
      this.#isMerging = this.#mergeStep(pagesPerStep);
      this.#toCheckpoint++;
      return true;
    }
    if (this.#toCheckpoint >= commitsPerCheckpoint || (isIdle && this.#toCheckpoint > 0)) {
      this.#toCheckpoint = 0;
      this.#checkpoint.get();
      return true;
    }
    return false;
  }

  #purgeStep(doing: "merging" | "shrinking"): "merging" | "shrinking" | null {
    if (doing === "merging") return this.#mergeStep(-pagesPerStep) ? "merging" : "shrinking";
    this.#shrink.all();
    return Number(this.#free.get()?.["freelist_count"]) > 0 ? "shrinking" : null;
  }

  /** False when there was nothing to merge (SQLite FTS5 §6.6: fewer than two changes). */
  #mergeStep(pages: number): boolean {
    const before = this.#changes.get()?.["changes"];
    this.#merge.run(pages);
    return Number(this.#changes.get()?.["changes"]) - Number(before) >= 2;
  }
}
