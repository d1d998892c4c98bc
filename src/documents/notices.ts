/** Counts what a text does not show. */

import type { Notice, NoticeCode } from "./outcome.ts";

export class Notices {
  readonly #counts = new Map<NoticeCode, number>();

  add(code: NoticeCode, count = 1): void {
    if (count > 0) this.#counts.set(code, (this.#counts.get(code) ?? 0) + count);
  }

  list(): Notice[] {
    return [...this.#counts].map(([code, count]) => ({ code, count }));
  }
}
