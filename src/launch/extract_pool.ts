/** A few readings at once, a few more that wait, in the order that they came; everything else is told that it is too much. */

import type { DocumentOutcome } from "../documents/outcome.ts";
import { extractLimits } from "./extract_limits.ts";
import type { ExtractTask, RunExtract } from "./extract_run.ts";

export interface PoolLimits {
  readonly atOnce: number;
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
}

interface Waiting {
  readonly task: ExtractTask;
  readonly begin: () => void;
}

export class ExtractPool {
  readonly #run: RunExtract;
  readonly #limits: PoolLimits;
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(run: RunExtract, limits: PoolLimits = extractLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  async read(task: ExtractTask): Promise<DocumentOutcome> {
    if (this.#running >= this.#limits.atOnce) {
      const bytes = this.#waiting.reduce(
        (sum, each) => sum + each.task.bytes.byteLength,
        task.bytes.byteLength,
      );
      // One that is alone may be as large as it likes: it was read into memory already.
      const isFull = this.#waiting.length >= this.#limits.maxWaiting ||
        (this.#waiting.length > 0 && bytes > this.#limits.maxWaitingBytes);
      if (isFull) return { kind: "unavailable", reason: "busy" };
      if (!await this.#turn(task)) return { kind: "unavailable", reason: "closed" };
    } else this.#running += 1;
    try {
      return await this.#run(task);
    } catch {
      return { kind: "unavailable", reason: "closed" };
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next.begin();
    }
  }

  /** Resolves to true when the task may begin, in the place of one that has ended; to false when nobody wants it any more. */
  #turn(task: ExtractTask): Promise<boolean> {
    return new Promise((resolve) => {
      const onAbort = () => {
        this.#waiting = this.#waiting.filter((each) => each !== entry);
        resolve(false);
      };
      const entry: Waiting = {
        task,
        begin() {
          task.signal.removeEventListener("abort", onAbort);
          resolve(true);
        },
      };
      task.signal.addEventListener("abort", onAbort, { once: true });
      this.#waiting.push(entry);
    });
  }
}
