/**
 * What was refused lately, counted by the hour, for the owner to look at: tools that a client may not use or used too
 * much, wrong secrets, tokens that were copied. Never a reason to refuse anything, and never in the way of an answer.
 */

import type { Audit } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { ErrorCode } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { SignInAudit } from "../oauth/sign_in_audit.ts";
import { numberColumn, type Row, textColumn } from "../state/rows.ts";
import type { State } from "../state/state.ts";

export interface Refused {
  /** The tool, or `sign-in`. */
  readonly what: string;
  /** Identifier of the principal; empty where nobody was known. */
  readonly who: string;
  /** The error code, or the internal reason. */
  readonly code: string;
  /** Milliseconds since the Unix epoch. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** The page that the last one was about, or the address that it came from; may be empty. */
  readonly detail: string;
}

export interface RefusedQuestion {
  readonly limit: number;
  /** Only of that principal; left out: of everybody. */
  readonly who?: string;
  /** Only where the last one was about a page whose name holds this, in any case. */
  readonly about?: string;
}

export interface RefusedAttemptsOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly logger: Logger;
  /** True for pages of which nothing may stay at rest. */
  readonly hides: (page: string) => boolean;
}

/** Refusals that say something about a caller rather than about a page that was edited meanwhile. */
const tellingCodes: ReadonlySet<string> = new Set<ErrorCode>([
  "forbidden_path",
  "permission-denied",
  "protected",
  "rate_limited",
  "read_only",
]);
const hourMs = 3_600_000;
const keptMs = 30 * 24 * hourMs;
const maxRows = 1000;
/** Many at once become one write. */
const gatherMs = 1000;
const maxGathered = 200;
const maxDetail = 600;

/** What strangers are refused. */
const signIn = "sign-in";

type Key = Pick<Refused, "what" | "who" | "code"> & { readonly hour: number };

export class RefusedAttempts {
  readonly #options: RefusedAttemptsOptions;
  readonly #statements;
  readonly #gathered = new Map<string, Key & Refused>();
  #written = -Infinity;

  constructor(options: RefusedAttemptsOptions) {
    this.#options = options;
    this.#statements = prepare(options.state);
  }

  /** For `AuthorizationServerOptions.noted`. */
  readonly noteSignIn: SignInAudit = ({ outcome, source = "" }) => {
    if (outcome !== "ok") this.#note({ what: signIn, who: "", code: outcome, detail: source });
  };

  /** The same audit, which is listened to. */
  watching(audit: Audit): Audit {
    return (event) => {
      audit(event);
      const { tool, principal, outcome, page = "" } = event;
      if (!tellingCodes.has(outcome)) return;
      const detail = plain(page);
      this.#note({
        what: tool,
        who: principal,
        code: outcome,
        detail: this.#isHidden({ what: tool, detail }) ? "" : detail,
      });
    };
  }

  /** The newest first. Pages that are hidden by now are not named, whenever that was. */
  list({ limit, who = "", about = "" }: RefusedQuestion): readonly Refused[] {
    this.keep();
    const sought = about.trim().toLowerCase();
    return this.#statements.list.all({ who: who === "" ? null : who }).map(refusedOf)
      .map((row) => this.#isHidden(row) ? { ...row, detail: "" } : row)
      .filter(({ what, detail }) => sought === "" || what !== signIn && detail.toLowerCase().includes(sought))
      .slice(0, limit);
  }

  #isHidden({ what, detail }: Pick<Refused, "what" | "detail">): boolean {
    return what !== signIn && detail !== "" && this.#options.hides(detail);
  }

  #note({ what, who, code, detail }: Pick<Refused, "what" | "who" | "code" | "detail">): void {
    const now = this.#options.clock.now();
    const hour = Math.floor(now / hourMs);
    const key = JSON.stringify([hour, what, who, code]);
    const known = this.#gathered.get(key);
    if (known === undefined && this.#gathered.size >= maxGathered) this.keep();
    this.#gathered.set(key, {
      ...{ hour, what, who, code, last: now, detail: plain(detail) },
      first: known?.first ?? now,
      count: (known?.count ?? 0) + 1,
    });
    if (this.#options.clock.elapsed() - this.#written >= gatherMs) this.keep();
  }

  /** Writes what was gathered. A state that cannot be written now loses a count, and that is all. */
  keep(): void {
    const { state, clock, logger } = this.#options;
    this.#written = clock.elapsed();
    if (this.#gathered.size === 0) return;
    const rows = [...this.#gathered.values()];
    this.#gathered.clear();
    try {
      state.transaction(() => {
        for (const { hour, what, who, code, first, last, count, detail } of rows) {
          this.#statements.add.run({ hour, what, who, code, first, last, count, detail });
        }
        this.#statements.forget.run(clock.now() - keptMs);
        this.#statements.limit.run(maxRows);
      });
    } catch (error) {
      logger.incident("refusals_not_kept", error);
    }
  }
}

/** A part of a name could not be told from that of a hidden page, so that what is too long is left out. */
function plain(text: string): string {
  return text.length > maxDetail ? "" : text.toWellFormed();
}

function refusedOf(row: Row): Refused {
  return {
    what: textColumn(row, "what"),
    who: textColumn(row, "who"),
    code: textColumn(row, "code"),
    first: numberColumn(row, "first"),
    last: numberColumn(row, "last"),
    count: numberColumn(row, "count"),
    detail: textColumn(row, "detail"),
  };
}

function prepare({ db }: State) {
  return {
    add: db.prepare(`
      INSERT INTO refusals (hour, what, who, code, first, last, count, detail)
      VALUES (:hour, :what, :who, :code, :first, :last, :count, :detail)
      ON CONFLICT (hour, what, who, code)
      DO UPDATE SET last = :last, count = count + :count, detail = :detail`),
    list: db.prepare(`
      SELECT * FROM refusals WHERE :who IS NULL OR who = :who ORDER BY last DESC, what, who, code`),
    forget: db.prepare("DELETE FROM refusals WHERE last < ?"),
    limit: db.prepare(`
      DELETE FROM refusals WHERE (hour, what, who, code) IN (
        SELECT hour, what, who, code FROM refusals ORDER BY last DESC LIMIT -1 OFFSET ?)`),
  };
}
