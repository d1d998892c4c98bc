/**
 * Everything that writes to the index, one thing after another, in slices of a few milliseconds with pauses between
 * them in which the program answers requests. A slice is one transaction: what it did is there whole or not at all.
 */

import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../core/clock.ts";
import { isBusy, stateFailure } from "../../state/failure.ts";
import type { Change, Steps } from "./file_writer.ts";
import { Rest } from "./rest.ts";
import { Upkeep } from "./upkeep.ts";

export interface WriteQueueOptions {
  readonly db: DatabaseSync;
  readonly clock: Clock;
  /** Lets everything else run; resolves soon. */
  readonly pause: () => Promise<void>;
  /** Takes over what has been committed. */
  readonly committed: (changes: readonly Change[]) => void;
  /** What to do when nothing else is waiting and something was written. */
  readonly tidy: () => Steps;
  /** Told of a failure of the file itself, once for each. */
  readonly broken: (error: unknown) => void;
}

interface Job {
  /** The file that it is about, so that newer work on the same one replaces it; empty for none. */
  readonly key: string;
  readonly begin: () => Steps;
  steps: Steps | null;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

export interface JobOptions {
  readonly key: string;
  /** Goes before all that is not, and replaces what waits or is in work for the same key. */
  readonly isUrgent?: boolean;
  /** May wait a moment where nothing else is to be done, until `hurry()`: whoever writes often writes again soon. */
  readonly mayRest?: boolean;
}

/** Milliseconds after which a slice takes no further step. */
const sliceMs = 1.5;
/** How often in a row another process may have the index for itself before work is given up: some ten seconds. */
const maxBusy = 200;

export class WriteQueue {
  readonly #options: WriteQueueOptions;
  readonly #upkeep: Upkeep;
  readonly #rest: Rest;
  readonly #urgent: Job[] = [];
  readonly #waiting: Job[] = [];
  #current: Job | null = null;
  #busy = 0;
  #needsTidying = true;
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
    this.#upkeep = new Upkeep(options.db);
    this.#rest = new Rest(options.clock);
  }

  /** How many pieces of work are waiting or in work. */
  get length(): number {
    return this.#urgent.length + this.#waiting.length + (this.#current === null ? 0 : 1);
  }

  /** Resolves when the work is committed and can be seen, or when newer work has replaced it. */
  add(begin: () => Steps, { key, isUrgent = false, mayRest = false }: JobOptions): Promise<void> {
    if (this.#isClosed) return Promise.reject(closed());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (!mayRest) this.#rest.end();
    else if (this.#running === null || this.#rest.isOn) this.#rest.prolong();
    if (isUrgent) this.#replace(key);
    (isUrgent ? this.#urgent : this.#waiting).push({
      key,
      begin,
      steps: null,
      done: resolve,
      failed: reject,
    });
    this.#start();
    return promise;
  }

  #replace(key: string): void {
    if (this.#current?.key === key) {
      this.#current.done();
      this.#current = null;
      this.#needsTidying = true;
    }
    for (const jobs of [this.#urgent, this.#waiting]) {
      for (let index = jobs.length - 1; index >= 0; index--) {
        if (jobs[index]?.key === key) jobs.splice(index, 1)[0]?.done();
      }
    }
  }

  /** Somebody waits: what rests is done now. */
  hurry(): void {
    this.#rest.end();
  }

  /** Rewrites the file so that nothing of what was deleted stays in it. Resolves when that is done. */
  async purge(): Promise<void> {
    this.#needsTidying = true;
    this.#start();
    await this.idle();
    this.#upkeep.purge();
    this.#start();
    await this.idle();
    // On the disk before anybody is told.
    this.#options.db.exec(
      "PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA synchronous = OFF",
    );
  }

  /** Resolves when nothing is left to do. */
  async idle(): Promise<void> {
    this.#rest.end();
    while (this.#running !== null) await this.#running;
  }

  /** Lets the slice that runs finish; what is waiting is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.idle();
    const left = [this.#current, ...this.#urgent.splice(0), ...this.#waiting.splice(0)];
    this.#current = null;
    for (const job of left) job?.failed(closed());
  }

  #start(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
      if (!this.#isClosed && this.length > 0) this.#start();
    });
  }

  async #run(): Promise<void> {
    const { pause, clock } = this.#options;
    do {
      await this.#rest.over();
      await pause();
      if (this.#busy > 0) await clock.sleep(Math.min(50, 5 * this.#busy));
    } while (!this.#isClosed && this.#turn());
  }

  /** One transaction, or one step of upkeep; false where nothing is left to do. */
  #turn(): boolean {
    try {
      if (this.#upkeep.step({ isIdle: this.length === 0 })) return true;
      if (this.length === 0 && this.#needsTidying) this.#current = this.#tidying();
      if (this.length === 0) return false;
      this.#slice();
      this.#busy = 0;
    } catch (error) {
      if (!isBusy(error)) this.#options.broken(error);
      else if (++this.#busy > maxBusy) this.#refuse(this.#next());
    }
    return true;
  }

  #tidying(): Job {
    this.#needsTidying = false;
    return { key: "", begin: this.#options.tidy, steps: null, done: nothing, failed: nothing };
  }

  #next(): Job | null {
    const job = this.#urgent.shift() ?? this.#current ?? this.#waiting.shift() ?? null;
    if (job === this.#current) this.#current = null;
    return job;
  }

  #refuse(job: Job | null, error: unknown = new Error("database is locked")): void {
    job?.failed(stateFailure(error));
  }

  /** Throws where the file cannot be written; then nothing of the slice was done. */
  #slice(): void {
    const { db, clock, committed } = this.#options;
    const finished: { job: Job; change: Change | null }[] = [];
    let job: Job | null = null;
    db.exec("BEGIN IMMEDIATE");
    try {
      const start = clock.elapsed();
      while ((job = this.#next()) !== null) {
        const result = this.#step(job);
        if (result === "more") this.#goOnWith(job);
        else if (result !== "failed") finished.push({ job, change: result });
        if (clock.elapsed() - start >= sliceMs) break;
      }
      db.exec("COMMIT");
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      this.#undone(new Set([...finished.map(({ job }) => job), ...(job === null ? [] : [job])]), error);
      throw error;
    }
    this.#upkeep.committed();
    const changes = finished.flatMap(({ change }) => change ?? []);
    if (changes.length > 0) this.#needsTidying = true;
    committed(changes);
    for (const { job } of finished) job.done();
  }

  #goOnWith(job: Job): void {
    if (this.#current !== null) this.#waiting.unshift(this.#current);
    this.#current = job;
  }

  /** Work that was rolled back: begun again where another process was in the way, refused otherwise. */
  #undone(jobs: ReadonlySet<Job>, error: unknown): void {
    if (this.#current !== null && jobs.has(this.#current)) this.#current = null;
    for (const job of [...jobs].reverse()) {
      job.steps = null;
      if (isBusy(error)) this.#urgent.unshift(job);
      else this.#refuse(job, error);
    }
  }

  /** What the job changed when it is finished; "failed" when it was at fault itself. Throws for the file's faults. */
  #step(job: Job): Change | null | "more" | "failed" {
    try {
      job.steps ??= job.begin();
      const result = job.steps.next();
      return result.done === true ? result.value : "more";
    } catch (error) {
      if (isSqlite(error)) throw error;
      // What it wrote so far belongs to no file, and is cleared away later.
      job.failed(error);
      return "failed";
    }
  }
}

function isSqlite(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}

function closed(): Error {
  return new Error("The index is closed");
}

function nothing(): void {}
