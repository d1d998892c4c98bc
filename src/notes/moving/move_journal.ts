/**
 * Moves of files as they are kept on the disk: what each is about to do, step by step, until it has come to its end.
 *
 * Written before the first step. A process that dies half-way leaves a move open; the next one finds every text here
 * that it needs to finish or undo it (move_settle.ts). Nothing here talks to SilverBullet.
 */

import type { Clock } from "../../core/clock.ts";
import { randomId } from "../../core/ids.ts";
import { type PagePath, parseListedPath } from "../../core/page_name.ts";
import type { ContentHash } from "../../core/page_store.ts";
import { stateFailure } from "../../state/failure.ts";
import { numberColumn, type Row, textColumn, textColumnOrNull } from "../../state/rows.ts";
import type { State } from "../../state/state.ts";
import type { ChangeSide, History } from "../past/history.ts";
import type { PackedText } from "../reading/texts.ts";

/**
 * `running`: steps are being made. `undoing`: they are being taken back. `done` and `undone` are ends; a move that was
 * undone in the middle never counts as made.
 */
export type MoveState = "running" | "undoing" | "done" | "undone";

export interface MoveRecord {
  readonly id: string;
  /** Order among all moves. */
  readonly seq: number;
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  readonly from: PagePath;
  readonly to: PagePath;
  readonly state: MoveState;
  /** The move that it takes back. */
  readonly undoes: string | null;
  readonly principal: string;
  readonly client: string | null;
  readonly tool: string;
  readonly request: string;
}

/** What one page shall become: `null` before for the new place, `null` after for the old one. */
export interface MoveStep {
  readonly path: PagePath;
  readonly before: ContentHash | null;
  readonly after: ContentHash | null;
}

export interface IntendedStep {
  readonly path: PagePath;
  readonly before: ChangeSide | null;
  readonly after: ChangeSide | null;
}

export interface IntendedMove {
  readonly from: PagePath;
  readonly to: PagePath;
  readonly steps: readonly IntendedStep[];
  readonly undoes: string | null;
  readonly principal: string;
  readonly client: string | null;
  readonly tool: string;
  readonly requestId: string;
}

/** So many texts are compressed in one go, in a few milliseconds. */
const atOnce = 16;

export class MoveJournal {
  readonly #state: State;
  readonly #history: History;
  readonly #clock: Clock;
  /** Tells the moves that this process runs from those that another one has taken over. */
  readonly #runner = randomId();
  readonly #statements;

  constructor({ state, history, clock }: { state: State; history: History; clock: Clock }) {
    this.#state = state;
    this.#history = history;
    this.#clock = clock;
    this.#statements = prepare(state);
  }

  /** Writes the whole plan to the disk; answers the move's id. Throws when it cannot. */
  async begin(move: IntendedMove): Promise<string> {
    try {
      const packed = await this.#pack(move.steps.flatMap(({ before, after }) => [before, after]));
      const id = `m${randomId(12)}`;
      this.#state.durably(() => {
        for (const text of packed) this.#history.texts.keep(text);
        this.#insert(id, move);
      });
      return id;
    } catch (error) {
      throw stateFailure(error);
    }
  }

  /** Others get their turn between a few texts and the next. */
  async #pack(sides: readonly (ChangeSide | null)[]): Promise<PackedText[]> {
    const packed: PackedText[] = [];
    for (const [index, side] of sides.entries()) {
      if (side === null || side.bytes === null) continue;
      if (index % atOnce === atOnce - 1) await this.#clock.sleep(0);
      const text = await this.#history.texts.pack(side.hash, side.bytes);
      if (text !== null) packed.push(text);
    }
    return packed;
  }

  #insert(id: string, move: IntendedMove): void {
    this.#statements.insert.run({
      id,
      time: this.#clock.now(),
      from: move.from,
      to: move.to,
      undoes: move.undoes,
      runner: this.#runner,
      principal: move.principal,
      client: move.client,
      tool: move.tool,
      request: move.requestId,
    });
    for (const { path, before, after } of move.steps) {
      this.#statements.insertStep.run(id, path, before?.hash ?? null, after?.hash ?? null);
    }
  }

  /** False once another process has taken the move over, as after a long suspension of this one. */
  isOurs(id: string): boolean {
    return this.#statements.runner.get(id)?.["runner"] === this.#runner;
  }

  takeOver(id: string): void {
    this.#statements.takeOver.run(this.#runner, id);
  }

  /** From now on the steps are taken back. */
  turnBack(id: string): void {
    this.#state.durably(() => this.#statements.state.run("undoing", id));
  }

  /** The move has come to its end. `mended`: after an interruption, so that somebody is to be told. */
  end(id: string, state: "done" | "undone", { mended }: { readonly mended: boolean }): void {
    this.#state.transaction(() => {
      this.#statements.end.run(state, mended ? "untold" : null, id);
      const gone = this.#statements.dropSteps.all(id);
      this.#history.texts.drop(
        gone.flatMap(({ before_hash, after_hash }) =>
          [before_hash, after_hash].map((hash) => typeof hash === "string" ? hash : null)
        ),
      );
    });
  }

  /** Moves that have not come to their end, oldest first. */
  open(): MoveRecord[] {
    return records(this.#statements.open.all());
  }

  find(id: string): MoveRecord | null {
    return records(this.#statements.byId.all(id))[0] ?? null;
  }

  /** The steps of a move that is open. */
  steps(id: string): MoveStep[] {
    return this.#statements.steps.all(id).flatMap((row) => {
      const path = parseListedPath(textColumn(row, "path"));
      if (path === null) return [];
      return [{
        path,
        before: textColumnOrNull(row, "before_hash"),
        after: textColumnOrNull(row, "after_hash"),
      }];
    });
  }

  /** True when a later move took this one back. */
  isUndone(id: string): boolean {
    return this.#statements.undone.get(id) !== undefined;
  }

  /** The newest move that was made from there. */
  lastFrom(path: PagePath): MoveRecord | null {
    return records(this.#statements.lastFrom.all(path))[0] ?? null;
  }

  /** Moves that came to their end after an interruption, of which nobody was told yet. */
  untold(): MoveRecord[] {
    return records(this.#statements.untold.all());
  }

  told(id: string): void {
    this.#statements.told.run(id);
  }
}

function records(rows: readonly Row[]): MoveRecord[] {
  return rows.flatMap((row) => {
    const from = parseListedPath(textColumn(row, "from_path"));
    const to = parseListedPath(textColumn(row, "to_path"));
    if (from === null || to === null) return [];
    return [{
      id: textColumn(row, "id"),
      seq: numberColumn(row, "seq"),
      time: numberColumn(row, "time"),
      from,
      to,
      state: stateOf(textColumn(row, "state")),
      undoes: textColumnOrNull(row, "undoes"),
      principal: textColumn(row, "principal"),
      client: textColumnOrNull(row, "client"),
      tool: textColumn(row, "tool"),
      request: textColumn(row, "request"),
    }];
  });
}

const states: readonly MoveState[] = ["running", "undoing", "done", "undone"];

function stateOf(value: string): MoveState {
  const found = states.find((state) => state === value);
  if (found === undefined) throw new TypeError("Unknown state of a move");
  return found;
}

function prepare({ db }: State) {
  return {
    insert: db.prepare(`
      INSERT INTO moves (id, time, from_path, to_path, state, undoes, runner, principal, client, tool, request)
      VALUES (:id, :time, :from, :to, 'running', :undoes, :runner, :principal, :client, :tool, :request)`),
    insertStep: db.prepare(
      "INSERT INTO move_steps (move, path, before_hash, after_hash) VALUES (?, ?, ?, ?)",
    ),
    runner: db.prepare("SELECT runner FROM moves WHERE id = ?"),
    takeOver: db.prepare("UPDATE moves SET runner = ? WHERE id = ?"),
    state: db.prepare("UPDATE moves SET state = ? WHERE id = ?"),
    end: db.prepare("UPDATE moves SET state = ?, mended = ? WHERE id = ?"),
    dropSteps: db.prepare("DELETE FROM move_steps WHERE move = ? RETURNING before_hash, after_hash"),
    open: db.prepare("SELECT * FROM moves WHERE state IN ('running', 'undoing') ORDER BY seq"),
    byId: db.prepare("SELECT * FROM moves WHERE id = ?"),
    steps: db.prepare("SELECT path, before_hash, after_hash FROM move_steps WHERE move = ? ORDER BY path"),
    undone: db.prepare("SELECT 1 AS found FROM moves WHERE undoes = ? AND state = 'done'"),
    lastFrom: db.prepare(
      "SELECT * FROM moves WHERE from_path = ? AND state = 'done' ORDER BY seq DESC LIMIT 1",
    ),
    untold: db.prepare("SELECT * FROM moves WHERE mended = 'untold' ORDER BY seq LIMIT 100"),
    told: db.prepare("UPDATE moves SET mended = 'told' WHERE id = ?"),
  };
}
