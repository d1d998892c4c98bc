/**
 * How many pages one client may change in an hour, so that one that runs wild does limited harm (product §8).
 *
 * Counts distinct pages: many edits of one page are one. Counted in the history where there is one, so that it
 * holds across processes and restarts; else in memory.
 */

import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { PagePath } from "../core/page_name.ts";
import type { Principal } from "../core/principal.ts";
import type { History } from "./past/history.ts";

export interface BudgetLimits {
  readonly changed: number;
  readonly deleted: number;
  /** Set by the operator: then it binds everybody but the local command; else only clients that signed in. */
  readonly explicit: boolean;
}

export interface BudgetOptions {
  readonly limits: BudgetLimits | null;
  readonly history: History | null;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Several pages at once, as in a move. */
export interface BroadSpending {
  /** One of them. */
  readonly path: PagePath;
  /** How many more. */
  readonly others: number;
  readonly deletes: boolean;
}

export interface Spending {
  readonly path: PagePath;
  readonly deletes: boolean;
}

const hour = 3_600_000;
const maxRemembered = 10_000;

export class Budget {
  readonly #options: BudgetOptions;
  /** Only without a history. */
  #spent: { readonly principal: string; readonly time: number; readonly spending: Spending }[] = [];

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Throws `rate_limited` when this change would be one page too many. */
  demand(principal: Principal, spending: Spending): void {
    const limits = this.#limitsOf(principal);
    if (limits === null) return;
    const others = this.#othersSince(principal.id, spending.path);
    const changedOver = others.changed >= limits.changed;
    if (!changedOver && !(spending.deletes && others.deleted >= limits.deleted)) return;
    this.#options.log.log("warn", "change_budget_spent", { principal: principal.id, ...others });
    const what = changedOver ? `${limits.changed} pages changed` : `${limits.deleted} pages deleted or moved`;
    throw new AppError({
      code: "rate_limited",
      message: `Cannot change more pages now: ${what} within an hour is this client's limit`,
      remedy: "Stop and tell the user what is left to do; the owner can raise `CHANGES_PER_HOUR`.",
      details: { changed: others.changed, deleted: others.deleted },
    });
  }

  /** The same before work on several pages is begun, so that it need not stop in the middle. */
  demandRoom(principal: Principal, { path, others, deletes }: BroadSpending): void {
    this.demand(principal, { path, deletes });
    const limits = this.#limitsOf(principal);
    if (limits === null) return;
    const { changed } = this.#othersSince(principal.id, path);
    if (changed + others < limits.changed) return;
    throw new AppError({
      code: "rate_limited",
      retryable: false,
      message:
        `Cannot change ${others + 1} pages at once now: ${limits.changed} pages changed within an hour ` +
        "is this client's limit; nothing was changed",
      remedy: "Tell the user; the owner can raise `CHANGES_PER_HOUR`.",
      details: { changed, wanted: others + 1 },
    });
  }

  /** A change is about to be made. The answer takes that back, where it was not made after all. */
  spend(principal: Principal, spending: Spending): () => void {
    if (this.#options.history !== null || this.#limitsOf(principal) === null) return () => {};
    const spent = { principal: principal.id, time: this.#options.clock.elapsed(), spending };
    this.#spent.push(spent);
    if (this.#spent.length > maxRemembered) this.#spent.shift();
    return () => {
      this.#spent = this.#spent.filter((item) => item !== spent);
    };
  }

  #limitsOf(principal: Principal): BudgetLimits | null {
    const { limits } = this.#options;
    if (limits === null || principal.kind === "stdio") return null;
    return limits.explicit || principal.kind === "oauth" ? limits : null;
  }

  /** Distinct pages but `path`, within the last hour. */
  #othersSince(principal: string, path: PagePath): { readonly changed: number; readonly deleted: number } {
    const { history, clock } = this.#options;
    if (history !== null) return history.changedSince(principal, clock.now() - hour, path);
    const since = clock.elapsed() - hour;
    this.#spent = this.#spent.filter((item) => item.time > since);
    const own = this.#spent.filter((item) => item.principal === principal && item.spending.path !== path);
    const pages = (items: typeof own) => new Set(items.map((item) => item.spending.path)).size;
    return { changed: pages(own), deleted: pages(own.filter((item) => item.spending.deletes)) };
  }
}
