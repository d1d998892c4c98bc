/** Authorization codes: a minute to live, used once; the second use of one ends what the first use began. */

import type { Clock } from "../core/clock.ts";
import { randomId } from "../core/ids.ts";
import { randomSecret, sha256Hex } from "../core/secrets.ts";
import { numberColumn, textColumn } from "../state/rows.ts";
import type { State } from "../state/state.ts";
import { type Approval, approvalText, parseApproval } from "./approval.ts";
import type { Grants } from "./grants.ts";
import { provesChallenge } from "./pkce.ts";
import type { WireReason } from "./reasons.ts";
import type { TokenLifetimes, TokenPair, Tokens } from "./tokens.ts";

export interface CodesOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly grants: Grants;
  readonly tokens: Tokens;
  readonly lifetimes: TokenLifetimes;
}

export interface Redemption {
  readonly code: string;
  readonly clientId: string;
  /** `null` where the client sent none, which OAuth 2.1 allows. */
  readonly redirectUri: string | null;
  readonly verifier: string;
}

export interface RedemptionRefusal {
  readonly reason: WireReason;
  readonly grantId: string | null;
}

const lifeMs = 60_000;
/** A code that was used is remembered for so long, to tell its second use from a code that never was. */
const rememberedMs = 86_400_000;

export class Codes {
  readonly #options: CodesOptions;
  readonly #statements;

  constructor(options: CodesOptions) {
    this.#options = options;
    this.#statements = prepare(options.state);
  }

  /** A new code for what the owner approved just now. */
  issue(approval: Approval, challenge: string): { readonly code: string; readonly grantId: string } {
    const { state, clock } = this.#options;
    const [code, grantId, now] = [randomSecret(), randomId(16), clock.now()];
    state.durably(() => {
      this.#statements.forget.run(now - rememberedMs);
      this.#statements.add.run({
        hash: sha256Hex(code),
        grantId,
        approval: approvalText(approval),
        challenge,
        now,
        expires: now + lifeMs,
      });
    });
    return { code, grantId };
  }

  /** Exchanges a code for the first tokens of its grant, in one transaction. */
  redeem({ code, clientId, redirectUri, verifier }: Redemption): TokenPair | RedemptionRefusal {
    const { state, clock, grants, tokens, lifetimes } = this.#options;
    return state.durably(() => {
      const row = this.#statements.find.get(sha256Hex(code));
      if (row === undefined) return { reason: "code_unknown", grantId: null };
      const grantId = textColumn(row, "grant_id");
      const refuse = (reason: WireReason): RedemptionRefusal => ({ reason, grantId });
      const approval = parseApproval(textColumn(row, "approval"));
      if (approval.client.id !== clientId) return refuse("code_of_other_client");
      if (row["redeemed"] !== null) {
        grants.endWithin(grantId, "code_replayed");
        return refuse("code_replayed");
      }
      const now = clock.now();
      this.#statements.redeem.run(now, sha256Hex(code));
      // A clock that was set back must not make codes last.
      const setBack = now < numberColumn(row, "made") - lifeMs;
      if (now >= numberColumn(row, "expires") || setBack) return refuse("code_expired");
      if (redirectUri !== null && redirectUri !== approval.redirectUri) return refuse("redirect_differs");
      if (!provesChallenge(verifier, textColumn(row, "challenge"))) return refuse("verifier_wrong");
      grants.add({ id: grantId, approval, ends: now + lifetimes.grantMs });
      const grant = grants.find(grantId);
      if (grant === null) throw new TypeError("A grant that was just added is not there");
      return tokens.issue(grant);
    });
  }
}

function prepare({ db }: State) {
  return {
    add: db.prepare(`
      INSERT INTO codes (hash, grant_id, approval, challenge, made, expires)
      VALUES (:hash, :grantId, :approval, :challenge, :now, :expires)`),
    find: db.prepare("SELECT * FROM codes WHERE hash = ?"),
    redeem: db.prepare("UPDATE codes SET redeemed = ? WHERE hash = ?"),
    forget: db.prepare("DELETE FROM codes WHERE expires <= ?"),
  };
}
