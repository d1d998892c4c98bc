/** Keeps the history within its bounds in the background: at start, every hour, and after many changes. */

import type { State } from "../../state/state.ts";
import type { History } from "./history.ts";
import { hidesFiles } from "../hidden_names.ts";
import type { NotesParts } from "../parts.ts";
import { Retention } from "./retention.ts";

export interface UpkeepOptions {
  readonly parts: NotesParts;
  readonly state: State;
  readonly history: History;
}

const hour = 3_600_000;
const changesBetween = 100;
/** Between two slices others get their turn. */
const pauseMs = 20;

export class Upkeep {
  readonly #parts: NotesParts;
  readonly #retention: Retention;
  readonly #stop = new AbortController();
  #loop: Promise<void> | null = null;
  #changes = 0;
  #pruning = false;

  constructor({ parts, state, history }: UpkeepOptions) {
    this.#parts = parts;
    const { historyDays, trashDays, historyBytes } = parts.settings;
    this.#retention = new Retention({
      state,
      history,
      clock: parts.clock,
      historyDays,
      trashDays,
      historyBytes,
      hidden: hidesFiles(parts.settings.hiddenPaths),
    });
  }

  start(): void {
    this.#loop ??= this.#everyHour();
  }

  changed(): void {
    if (++this.#changes < changesBetween) return;
    this.#changes = 0;
    void this.#prune();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #everyHour(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#forgetHidden();
      await this.#prune();
      await this.#parts.clock.sleep(hour, this.#stop.signal).catch(() => {});
    }
  }

  /** Again and again: what an unfinished move of such a page needs goes only once it has come to its end. */
  #forgetHidden(): void {
    try {
      this.#retention.forgetHidden();
    } catch (error) {
      this.#parts.log.incident("history_upkeep_failed", error);
    }
  }

  async #prune(): Promise<void> {
    if (this.#pruning) return;
    this.#pruning = true;
    try {
      while (!this.#stop.signal.aborted && this.#retention.prune()) {
        await this.#parts.clock.sleep(pauseMs, this.#stop.signal).catch(() => {});
      }
    } catch (error) {
      this.#parts.log.incident("history_upkeep_failed", error);
    } finally {
      this.#pruning = false;
    }
  }
}
