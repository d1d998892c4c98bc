/**
 * What happened to every page through this program: before and after of each change (product §4, history and undo).
 *
 * A change is recorded before it is sent (`intended`) and confirmed after. What a crash leaves in between is found
 * out later by comparing hashes (settle.ts). Nothing here talks to SilverBullet.
 */

import { type Clock, toleratedStep } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { randomId } from "../../core/ids.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { ContentHash, Guarantee } from "../../core/page_store.ts";
import { stateFailure } from "../../state/failure.ts";
import { numberColumn, textColumn, textColumnOrNull } from "../../state/rows.ts";
import type { State } from "../../state/state.ts";
import { changeRecords, hashesOf, prepareChanges } from "./change_rows.ts";
import { type PackedText, Texts } from "../reading/texts.ts";

export type ChangeAction = "create" | "write" | "append" | "prepend" | "delete" | "restore" | "purge";

/**
 * `intended`: sent or about to be. `applied`: confirmed. `not_applied`: the page was found as before. `unsure`: by the
 * time anyone looked the page held neither text.
 */
export type ChangeOutcome = "intended" | "applied" | "not_applied" | "unsure";

export interface ChangeRecord {
  readonly id: string;
  /** Order among all changes. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly path: PagePath;
  readonly action: ChangeAction;
  readonly outcome: ChangeOutcome;
  readonly before: ContentHash | null;
  readonly after: ContentHash | null;
  readonly trashPath: PagePath | null;
  readonly principal: string;
  readonly client: string | null;
  readonly tool: string;
  /** The move that it is a step of. */
  readonly move: string | null;
  /** The change that it takes back. */
  readonly undoes: string | null;
}

export interface ChangeSide {
  readonly hash: ContentHash;
  /** `null`: only the hash is recorded, since the content stays somewhere else. */
  readonly bytes: Uint8Array | null;
}

export interface IntendedChange {
  readonly path: PagePath;
  readonly action: ChangeAction;
  readonly before: ChangeSide | null;
  readonly after: ChangeSide | null;
  readonly trashPath: PagePath | null;
  readonly principal: string;
  readonly client: string | null;
  readonly tool: string;
  readonly requestId: string;
  readonly move?: string | null;
  readonly undoes?: string | null;
}

/** What is kept of a page under one of its names. */
export interface Past {
  readonly path: PagePath;
  /** The move that took the page away from there, and its place in the order; `null`: all there is. */
  readonly until: { readonly seq: number; readonly move: string } | null;
}

export interface PagesChanged {
  readonly changed: number;
  readonly deleted: number;
}

export interface HistoryOptions {
  readonly state: State;
  readonly clock: Clock;
}

export class History {
  readonly texts: Texts;
  readonly #state: State;
  readonly #clock: Clock;
  readonly #statements;

  constructor({ state, clock }: HistoryOptions) {
    this.#state = state;
    this.#clock = clock;
    this.texts = new Texts(state);
    this.#statements = prepareChanges(state);
  }

  /**
   * Records, on the disk, what is about to be done; answers the change's id. Throws when it cannot. `admit` is asked
   * in the very step that records, so that of several at once none slips by; what it throws is thrown.
   */
  async begin(change: IntendedChange, admit: () => void = () => {}): Promise<string> {
    try {
      const packed = await Promise.all([change.before, change.after].map((side) => this.#pack(side)));
      const id = `c${randomId(12)}`;
      // What a move is about to do is on the disk already, with every text (move_journal.ts).
      const isPlanned = (change.move ?? null) !== null && packed.every((text) => text === null);
      const record = (work: () => void) =>
        isPlanned ? this.#state.transaction(work) : this.#state.durably(work);
      record(() => {
        admit();
        for (const text of packed) if (text !== null) this.texts.keep(text);
        this.#insert(id, change, "intended");
      });
      return id;
    } catch (error) {
      throw error instanceof AppError ? error : stateFailure(error);
    }
  }

  /** The change was made. */
  confirm(id: string, guarantee: Guarantee): void {
    this.#state.transaction(() => this.#statements.confirm.run(guarantee, id));
  }

  /** Nothing was changed: the record and what only it needed go away. */
  withdraw(id: string): void {
    this.#state.transaction(() => {
      const row = this.#statements.withdraw.get(id);
      if (row !== undefined) {
        this.texts.drop([textColumnOrNull(row, "before_hash"), textColumnOrNull(row, "after_hash")]);
      }
    });
  }

  /** What was found out later about an intended change. */
  settle(id: string, outcome: Exclude<ChangeOutcome, "intended">): void {
    this.#state.transaction(() => this.#statements.settle.run(outcome, id));
  }

  /** Changes whose outcome nobody has confirmed, oldest first; of one page, or of all. */
  unsettled(path?: PagePath): ChangeRecord[] {
    const { unsettled, unsettledOf } = this.#statements;
    return changeRecords(path === undefined ? unsettled.all() : unsettledOf.all(path));
  }

  /** The changes of one page, newest first, those that were made or may have been. */
  of(path: PagePath, limit: number): ChangeRecord[] {
    return changeRecords(this.#statements.ofPath.all(path, limit));
  }

  /** The same, those before `seq` alone. */
  before(path: PagePath, seq: number, limit: number): ChangeRecord[] {
    return changeRecords(this.#statements.ofPathBefore.all(path, seq, limit));
  }

  /** The steps of a move, in the order in which they were made. */
  ofMove(move: string): ChangeRecord[] {
    return changeRecords(this.#statements.ofMove.all(move));
  }

  /** A caller's changes that can be taken back and were not, newest first; each is looked for when it is asked for. */
  *undoable(principal: string): Generator<ChangeRecord> {
    for (const row of this.#statements.undoable.iterate(principal)) yield* changeRecords([row]);
  }

  /** True when a later change took this one back. */
  isUndone(id: string): boolean {
    return this.#statements.undone.get(id) !== undefined;
  }

  /** The page whose deletion put that copy into the trash folder. */
  trashedAs(copy: PagePath): PagePath | null {
    return changeRecords(this.#statements.trashed.all(copy))[0]?.path ?? null;
  }

  find(id: string): ChangeRecord | null {
    return changeRecords(this.#statements.byId.all(id))[0] ?? null;
  }

  /** The newest deletion of that page whose text is still kept. */
  lastDeletion(path: PagePath): ChangeRecord | null {
    return changeRecords(this.#statements.lastDeletion.all(path))[0] ?? null;
  }

  /** Pages that got a text since `time`, whoever gave it to them; the newest, when there are very many. */
  pathsMadeSince(time: number): string[] {
    return this.#statements.made.all(time).map((row) => textColumn(row, "path"));
  }

  /**
   * How many pages but `path` a caller changed since `time`, and how many of them it deleted. Changes from the future,
   * as there are after the clock was set back, do not count.
   */
  changedSince(principal: string, time: number, path: PagePath): PagesChanged {
    const row = this.#statements.counts.get(principal, time, this.#clock.now() + toleratedStep, path);
    return row === undefined
      ? { changed: 0, deleted: 0 }
      : { changed: numberColumn(row, "changed"), deleted: numberColumn(row, "deleted") };
  }

  /**
   * Forgets everything that was kept of these pasts and leaves one row that says so, with the hash of what was
   * destroyed. Changes in flight stay.
   */
  purge(pasts: readonly Past[], change: Omit<IntendedChange, "action" | "after" | "trashPath">): string {
    const id = `c${randomId(12)}`;
    const { forgetPath, forgetPast, forgetMove } = this.#statements;
    this.#state.durably(() => {
      const gone = pasts.flatMap(({ path, until }) =>
        until === null ? forgetPath.all(path) : forgetPast.all(path, until.seq, until.move)
      );
      for (const { until } of pasts) if (until !== null) forgetMove.run(until.move);
      this.#insert(id, { ...change, action: "purge", after: null, trashPath: null }, "applied");
      this.texts.drop(gone.flatMap(hashesOf));
    });
    this.#state.db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return id;
  }

  async #pack(side: ChangeSide | null): Promise<PackedText | null> {
    return side === null || side.bytes === null ? null : await this.texts.pack(side.hash, side.bytes);
  }

  #insert(id: string, change: IntendedChange, outcome: ChangeOutcome): void {
    this.#statements.insert.run({
      id,
      time: this.#clock.now(),
      path: change.path,
      action: change.action,
      outcome,
      before: change.before?.hash ?? null,
      after: change.after?.hash ?? null,
      trash: change.trashPath,
      principal: change.principal,
      client: change.client,
      tool: change.tool,
      request: change.requestId,
      move: change.move ?? null,
      undoes: change.undoes ?? null,
    });
  }
}
