/** Work that was begun and must not be cut off: closing waits for it. */

/** Changes that are being made. */
export class InFlight {
  readonly #running = new Set<Promise<unknown>>();

  async add<T>(work: () => Promise<T>): Promise<T> {
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async land(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
  }
}
