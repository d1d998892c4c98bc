/**
 * One piece of work that several callers wait for. It is given up when the last of them has gone, so that nothing
 * goes on for nobody; a caller who goes disturbs no other.
 */

export class SharedWork<T> {
  readonly #control = new AbortController();
  readonly #work: Promise<T>;
  #waiting = 0;

  /** Begins at once. The signal aborts when nobody waits any more. */
  constructor(start: (signal: AbortSignal) => Promise<T>) {
    this.#work = start(this.#control.signal);
    this.#work.catch(() => {});
  }

  /** True once it was given up: then nobody may join any more. */
  get abandoned(): boolean {
    return this.#control.signal.aborted;
  }

  /** What the work comes to; rejects with the caller's own reason when that caller goes. */
  join(signal: AbortSignal): Promise<T> {
    if (signal.aborted) return Promise.reject(signal.reason);
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener("abort", onAbort);
        this.#waiting -= 1;
      };
      const onAbort = () => {
        leave();
        if (this.#waiting === 0) this.#control.abort(signal.reason);
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#work.then((value) => {
        leave();
        resolve(value);
      }, (error) => {
        leave();
        reject(error);
      });
    });
  }
}
