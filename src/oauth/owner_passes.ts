/**
 * Passes that give a browser a count of its own in `owner_tries.ts`. They open nothing without the owner's secret.
 *
 * One kind is set as a cookie after the secret was right. The other is printed by `silverbridge owner unlock`, for an
 * owner whose address is also that of whoever keeps guessing: behind a proxy that is not listed, everybody's is.
 */

import type { Clock } from "../core/clock.ts";
import { randomId } from "../core/ids.ts";
import { randomSecret, sha256Hex } from "../core/secrets.ts";
import { numberColumn } from "../state/rows.ts";
import type { State } from "../state/state.ts";

const browserLifeMs = 400 * 86_400_000;
const unlockLifeMs = 15 * 60_000;
const maxBrowsers = 50;

export class OwnerPasses {
  readonly #state: State;
  readonly #clock: Clock;
  readonly #statements;

  constructor({ state, clock }: { readonly state: State; readonly clock: Clock }) {
    this.#state = state;
    this.#clock = clock;
    this.#statements = prepare(state);
  }

  /** A new pass for a browser whose owner just got in; the oldest of too many goes. */
  giveBrowser(): string {
    return this.#add(randomSecret(), { kind: "browser", lifeMs: browserLifeMs });
  }

  /** A new code to type, good for a quarter of an hour; earlier ones are void. */
  giveUnlock(): string {
    this.#statements.dropKind.run("unlock");
    const [left, right] = [randomId(5), randomId(5)];
    this.#add(`${left}${right}`, { kind: "unlock", lifeMs: unlockLifeMs });
    return `${left}-${right}`;
  }

  /** The name under which tries with this pass are counted; `null` for every other text. */
  sourceOf(pass: string): string | null {
    const hash = sha256Hex(pass);
    const row = this.#statements.find.get(hash);
    if (row === undefined || numberColumn(row, "expires") <= this.#clock.now()) return null;
    return `pass:${hash.slice(0, 16)}`;
  }

  /** The same for a code as a person types it. */
  sourceOfUnlock(typed: string): string | null {
    return this.sourceOf(typed.toLowerCase().replace(/[\s-]/g, ""));
  }

  #add(pass: string, { kind, lifeMs }: { readonly kind: string; readonly lifeMs: number }): string {
    const now = this.#clock.now();
    this.#state.transaction(() => {
      this.#statements.dropExpired.run(now);
      this.#statements.add.run({ hash: sha256Hex(pass), kind, now, expires: now + lifeMs });
      this.#statements.limit.run(kind, now, maxBrowsers);
    });
    return pass;
  }
}

function prepare({ db }: State) {
  return {
    add: db.prepare(
      "INSERT INTO owner_passes (hash, kind, made, expires) VALUES (:hash, :kind, :now, :expires)",
    ),
    find: db.prepare("SELECT expires FROM owner_passes WHERE hash = ?"),
    dropKind: db.prepare("DELETE FROM owner_passes WHERE kind = ?"),
    dropExpired: db.prepare("DELETE FROM owner_passes WHERE expires <= ?"),
    limit: db.prepare(`
      DELETE FROM owner_passes WHERE hash IN (
        SELECT hash FROM owner_passes WHERE kind = ? ORDER BY made <= ? DESC, made DESC LIMIT -1 OFFSET ?)`),
  };
}
