/** The time source that everything takes as an argument, so that tests move it by hand. */

export interface Clock {
  /** Wall-clock time in milliseconds since the Unix epoch. May jump. */
  now(): number;
  /** Monotonic time in milliseconds; only differences mean anything. */
  elapsed(): number;
  /** Resolves after `ms`, or rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A wall clock is corrected by so many milliseconds without anybody noticing; what is made later than that is from another time. */
export const toleratedStep = 10 * 60_000;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      function onAbort() {
        clearTimeout(timer);
        reject(signal?.reason);
      }
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};
