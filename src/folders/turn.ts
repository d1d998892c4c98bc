/**
 * One call's way to the disk: every step is waited for only as long as the call may take, and only so many steps of one root
 * are under way at once.
 *
 * A mount that never answers keeps the threads that asked it. With a bound for each root it keeps a few, and everything
 * else goes on.
 */

import type { Clock } from "../core/clock.ts";
import { type Disk, type DiskEntry, type DiskFacts, DiskFault, type DiskFile } from "./disk.ts";
import type { Pace } from "./pace.ts";

/** Deno has 32 threads for files and names: roots that do not answer must not take them all. */
const maxSteps = 24;
const maxStepsOfOne = 6;

/** How many steps on each of so many roots may be under way. */
export function stepsOfOne(roots: number): number {
  return Math.max(1, Math.min(maxStepsOfOne, Math.floor(maxSteps / Math.max(1, roots))));
}

/** Hands out so many places at once, in the order that they are asked for. */
export class DiskSlots {
  readonly #size: number;
  readonly #waiting: Array<() => void> = [];
  #taken = 0;

  constructor(size: number) {
    this.#size = size;
  }

  /** Calls `start` once there is room; what it answers calls off the waiting. */
  enter(start: () => void): () => void {
    if (this.#taken < this.#size) {
      this.#taken++;
      start();
      return () => {};
    }
    this.#waiting.push(start);
    return () => {
      const at = this.#waiting.indexOf(start);
      if (at >= 0) this.#waiting.splice(at, 1);
    };
  }

  /** Resolves once there is room; rejects with the signal's reason when it aborts before. Leave in the end. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const onAbort = () => {
        callOff();
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const callOff = this.enter(() => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      });
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken--;
    else next();
  }
}

export interface TurnOptions {
  readonly disk: Disk;
  readonly slots: DiskSlots;
  readonly clock: Clock;
  /** The caller's; aborting it ends every step at once. */
  readonly signal: AbortSignal;
  /** Milliseconds after which nothing is waited for any more. */
  readonly limitMs: number;
}

/** The disk for one call. Close it when the call is over. */
export class Turn {
  readonly #options: TurnOptions;
  readonly #over = new AbortController();
  readonly #waiting = new Set<(reason: unknown) => void>();
  #ended: { readonly reason: unknown } | null = null;

  constructor(options: TurnOptions) {
    this.#options = options;
    const { signal } = options;
    if (signal.aborted) this.#end(signal.reason);
    signal.addEventListener("abort", this.#onAbort, { once: true });
    options.clock.sleep(options.limitMs, this.#over.signal).then(
      () => this.#end(new DiskFault("not-answering")),
      () => {},
    );
  }

  readonly #onAbort = () => this.#end(this.#options.signal.reason);

  close(): void {
    this.#over.abort();
    this.#options.signal.removeEventListener("abort", this.#onAbort);
  }

  get ended(): boolean {
    return this.#ended !== null;
  }

  realPath(path: string): Promise<string> {
    return this.#step(() => this.#options.disk.realPath(path));
  }

  look(path: string): Promise<DiskFacts> {
    return this.#step(() => this.#options.disk.look(path));
  }

  list(path: string, see: (entry: DiskEntry) => boolean): Promise<void> {
    return this.#step(() => this.#options.disk.list(path, (entry) => !this.ended && see(entry)));
  }

  async open(path: string): Promise<DiskFile> {
    const file = await this.#step(() => this.#options.disk.open(path), (late) => this.#leaveOpen(late));
    return {
      facts: () => this.#step(() => file.facts()),
      read: (into, position) => this.#step(() => file.read(into, position)),
      close: () => this.#leaveOpen(file),
    };
  }

  /** Resolves when the next piece of long work may begin; rejects once the call is over. */
  async nextPiece(pace: Pace): Promise<void> {
    await pace.next(() => this.ended);
    if (this.#ended !== null) throw this.#ended.reason;
  }

  pause(ms: number): Promise<void> {
    return this.#options.clock.sleep(ms, this.#options.signal);
  }

  /** Closing is nobody's to wait for: on a mount that hangs it never ends. */
  #leaveOpen(file: DiskFile): Promise<void> {
    const { slots } = this.#options;
    return new Promise((resolve) => {
      slots.enter(() => {
        file.close().catch(() => {}).finally(() => {
          slots.leave();
          resolve();
        });
      });
      if (this.ended) resolve();
    });
  }

  #end(reason: unknown): void {
    if (this.#ended !== null) return;
    this.#ended = { reason };
    for (const reject of this.#waiting) reject(reason);
    this.#waiting.clear();
  }

  /** `abandon` takes care of what comes after nobody waits for it any more. */
  #step<T>(work: () => Promise<T>, abandon?: (late: T) => void): Promise<T> {
    if (this.#ended !== null) return Promise.reject(this.#ended.reason);
    const { slots } = this.#options;
    return new Promise<T>((resolve, reject) => {
      const stop = (reason: unknown) => {
        callOff();
        reject(reason);
      };
      this.#waiting.add(stop);
      const callOff = slots.enter(() => {
        work().finally(() => slots.leave()).then((value) => {
          if (this.#waiting.delete(stop)) resolve(value);
          else abandon?.(value);
        }, (error) => {
          if (this.#waiting.delete(stop)) reject(error);
        });
      });
    });
  }
}
