/** Remembers why the state could not be written last, and tells of it: once a kind and minute, and when it is over. */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import { faultOf, faultTexts, type StateFault } from "./fault.ts";

export interface FaultTeller {
  readonly logger: Logger;
  readonly clock: Clock;
}

const quietMs = 60_000;

export class FaultWatch {
  readonly #teller: FaultTeller | null;
  readonly #told = new Map<StateFault, number>();
  #fault: StateFault | null = null;

  /** `null`: nobody is told. */
  constructor(teller: FaultTeller | null) {
    this.#teller = teller;
  }

  /** Why the last write failed; `null` once one has succeeded again. */
  get fault(): StateFault | null {
    return this.#fault;
  }

  /** A write threw this. What is no fault of the state is none of our business. */
  failed(error: unknown): void {
    const fault = faultOf(error);
    if (fault === null) return;
    this.#fault = fault;
    if (this.#teller === null) return;
    const { logger, clock } = this.#teller;
    const now = clock.elapsed();
    const told = this.#told.get(fault);
    if (told !== undefined && now - told < quietMs) return;
    this.#told.set(fault, now);
    const { matter, mend } = faultTexts[fault];
    const code = error instanceof Error && "errcode" in error && typeof error.errcode === "number"
      ? { sqlite: error.errcode }
      : {};
    logger.log("error", "state_unwritable", { fault, ...code, text: `${matter}: ${mend}` });
  }

  succeeded(): void {
    if (this.#fault === null) return;
    this.#teller?.logger.log("info", "state_writable", { after: this.#fault });
    this.#fault = null;
  }
}
