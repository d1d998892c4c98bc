/** The first so many names after one, in order, without holding all of them. */

import { compareCodePoints } from "../text/code_points.ts";
import type { DiskEntry } from "./disk.ts";

export class SmallestNames {
  readonly #limit: number;
  readonly #after: string | null;
  #kept: DiskEntry[] = [];
  #bound: string | null = null;

  constructor(limit: number, after: string | null) {
    this.#limit = limit;
    this.#after = after;
  }

  clear(): void {
    this.#kept = [];
    this.#bound = null;
  }

  add(entry: DiskEntry): void {
    if (this.#after !== null && compareCodePoints(entry.name, this.#after) <= 0) return;
    if (this.#bound !== null && compareCodePoints(entry.name, this.#bound) >= 0) return;
    this.#kept.push(entry);
    if (this.#kept.length >= 2 * this.#limit + 64) this.#shrink();
  }

  sorted(): readonly DiskEntry[] {
    this.#shrink();
    return this.#kept;
  }

  #shrink(): void {
    this.#kept.sort((a, b) => compareCodePoints(a.name, b.name));
    if (this.#kept.length <= this.#limit) return;
    this.#kept.length = this.#limit;
    this.#bound = this.#kept.at(-1)?.name ?? null;
  }
}
