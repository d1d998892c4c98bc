/**
 * Access and refresh tokens: random texts that are kept as hashes and mean nothing by themselves.
 *
 * A refresh token is exchanged once. Its successor is computed from the token that was presented and a random salt that
 * is kept, so that a client whose answer got lost, or whose parts refresh at the same time, is given the very same
 * successor for five minutes, although no token is kept anywhere. Later than that the same token can only be a copy
 * that somebody took, and the whole grant ends (RFC 9700 §4.14.2).
 */

import { type Clock, toleratedStep } from "../core/clock.ts";
import { hmacBase64Url, randomSecret, sha256Hex } from "../core/secrets.ts";
import { numberColumn, type Row, textColumn, textColumnOrNull } from "../state/rows.ts";
import type { State } from "../state/state.ts";
import { grantedScope } from "./approval.ts";
import type { Grant, Grants } from "./grants.ts";
import type { WireReason } from "./reasons.ts";
import { type Scope, scopeText } from "./scopes.ts";

export interface TokenLifetimes {
  readonly accessMs: number;
  readonly refreshMs: number;
  readonly grantMs: number;
}

/** What `/token` hands out. */
export interface TokenPair {
  readonly grantId: string;
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** Seconds, whole. */
  readonly expiresIn: number;
  readonly scope: string;
}

export interface TokensOptions {
  readonly state: State;
  readonly clock: Clock;
  readonly grants: Grants;
  readonly lifetimes: TokenLifetimes;
}

/** A repeated refresh is answered for so long. */
export const graceMs = 5 * 60_000;
const maxAccessPerGrant = 64;
const maxRotatedPerGrant = 256;
const placeMs = 1000;

/** What is known of an access token that is good, as little as a call needs. */
export interface AccessFacts {
  readonly grantId: string;
  /** For `parseApproval()`, which is worth doing only when it is another one than before. */
  readonly approval: string;
  readonly write: boolean;
}

export class Tokens {
  readonly #clock: Clock;
  readonly #grants: Grants;
  readonly #lifetimes: TokenLifetimes;
  readonly #state: State;
  readonly #statements;
  #looked = -Infinity;
  #inPlace = true;

  constructor({ state, clock, grants, lifetimes }: TokensOptions) {
    this.#clock = clock;
    this.#grants = grants;
    this.#lifetimes = lifetimes;
    this.#state = state;
    this.#statements = prepare(state);
  }

  /** The first tokens of a grant. Inside a transaction of the caller. */
  issue(grant: Grant): TokenPair {
    const scope = grantedScope(grant.approval);
    const texts = {
      accessToken: randomSecret(),
      refreshToken: grant.approval.refreshes ? randomSecret() : null,
    };
    return this.#keep(grant, scope, texts);
  }

  /** Exchanges a refresh token, in one transaction. `wanted`: narrower than approved, or `null` for all of it. */
  refresh(presented: string, { clientId, wanted }: RefreshRequest): TokenPair | RefreshRefusal {
    return this.#state.durably(() => {
      const found = this.#findRefresh(sha256Hex(presented));
      if (found === null) return { reason: "refresh_token_unknown", grantId: null };
      const { grant, row } = found;
      const refuse = (reason: WireReason): RefreshRefusal => ({ reason, grantId: grant.id });
      if (grant.approval.client.id !== clientId) return refuse("refresh_token_of_other_client");
      const now = this.#clock.now();
      if (grant.ended !== null || now >= grant.ends) return refuse("grant_ended");
      const rotated = row["rotated"] === null ? null : numberColumn(row, "rotated");
      // A clock that was set back must not make the grace last; nobody is accused for it.
      if (rotated !== null && rotated > now + toleratedStep) return refuse("refresh_token_expired");
      if (rotated !== null && now - rotated > graceMs) {
        this.#grants.endWithin(grant.id, "refresh_reused");
        return refuse("refresh_token_reused");
      }
      if (rotated === null && now >= numberColumn(row, "expires")) return refuse("refresh_token_expired");
      const scope = grantedScope(grant.approval);
      if (wanted?.write === true && !scope.write) return refuse("scope_widened");
      const salt = textColumnOrNull(row, "salt") ?? randomSecret(16);
      const texts = {
        accessToken: hmacBase64Url(presented, `access ${salt}`),
        refreshToken: hmacBase64Url(presented, `refresh ${salt}`),
      };
      if (rotated !== null) return this.#repeat(grant, texts);
      this.#statements.rotate.run(now, salt, sha256Hex(presented));
      return this.#keep(grant, wanted === null ? scope : { ...scope, write: wanted.write }, texts);
    });
  }

  /**
   * `null` for every text that is no access token in force. Changes nothing.
   *
   * A state file that is gone from its place knows nothing of what is ended since, so then nobody has a token.
   */
  findAccess(text: string): AccessFacts | null {
    if (!this.#isInPlace()) return null;
    const now = this.#clock.now();
    const row = this.#statements.findAccess.get(sha256Hex(text), now, now + toleratedStep);
    if (row === undefined) return null;
    return {
      grantId: textColumn(row, "id"),
      approval: textColumn(row, "approval"),
      write: numberColumn(row, "write") === 1,
    };
  }

  /** Any token, expired or not. */
  find(text: string): { readonly grant: Grant; readonly kind: "access" | "refresh" } | null {
    const row = this.#statements.find.get(sha256Hex(text));
    if (row === undefined) return null;
    const grant = this.#grants.find(textColumn(row, "grant_id"));
    return grant === null ? null : { grant, kind: row["kind"] === "refresh" ? "refresh" : "access" };
  }

  dropAccess(text: string): void {
    this.#state.durably(() => this.#statements.drop.run(sha256Hex(text)));
  }

  /** Looked at once a second at most. */
  #isInPlace(): boolean {
    const now = this.#clock.elapsed();
    if (now - this.#looked < placeMs) return this.#inPlace;
    this.#looked = now;
    try {
      this.#state.assertInPlace();
      this.#inPlace = true;
    } catch {
      this.#inPlace = false;
    }
    return this.#inPlace;
  }

  #findRefresh(hash: string): { readonly grant: Grant; readonly row: Row } | null {
    const row = this.#statements.find.get(hash);
    if (row === undefined || row["kind"] !== "refresh") return null;
    const grant = this.#grants.find(textColumn(row, "grant_id"));
    return grant === null ? null : { grant, row };
  }

  #keep(grant: Grant, scope: Scope, texts: TokenTexts): TokenPair {
    const now = this.#clock.now();
    const { accessMs, refreshMs } = this.#lifetimes;
    const accessExpires = Math.min(now + accessMs, grant.ends);
    const refreshExpires = Math.min(now + refreshMs, grant.ends);
    const { id: grantId } = grant;
    const write = scope.write ? 1 : 0;
    const add = (text: string, kind: string, expires: number) =>
      this.#statements.add.run({ hash: sha256Hex(text), grantId, kind, write, now, expires });
    add(texts.accessToken, "access", accessExpires);
    if (texts.refreshToken !== null) add(texts.refreshToken, "refresh", refreshExpires);
    this.#grants.extend(grantId, texts.refreshToken === null ? accessExpires : refreshExpires);
    this.#statements.limit.run({ grantId, kind: "access", now, kept: maxAccessPerGrant });
    this.#statements.limit.run({ grantId, kind: "refresh", now, kept: maxRotatedPerGrant });
    return { ...texts, grantId, expiresIn: seconds(accessExpires - now), scope: scopeText(scope) };
  }

  /** The tokens that the first exchange gave, with what is left of their time. */
  #repeat(grant: Grant, texts: TokenTexts): TokenPair | RefreshRefusal {
    const row = this.#statements.find.get(sha256Hex(texts.accessToken));
    if (row === undefined) return { reason: "grant_ended", grantId: grant.id };
    const scope = { ...grantedScope(grant.approval), write: numberColumn(row, "write") === 1 };
    const left = numberColumn(row, "expires") - this.#clock.now();
    return { ...texts, grantId: grant.id, expiresIn: seconds(left), scope: scopeText(scope) };
  }
}

export interface RefreshRequest {
  readonly clientId: string;
  readonly wanted: Scope | null;
}

export interface RefreshRefusal {
  readonly reason: WireReason;
  readonly grantId: string | null;
}

interface TokenTexts {
  readonly accessToken: string;
  readonly refreshToken: string | null;
}

function seconds(ms: number): number {
  return Math.max(0, Math.floor(ms / 1000));
}

function prepare({ db }: State) {
  return {
    add: db.prepare(`
      INSERT INTO tokens (hash, grant_id, kind, write, made, expires)
      VALUES (:hash, :grantId, :kind, :write, :now, :expires)`),
    find: db.prepare("SELECT * FROM tokens WHERE hash = ?"),
    findAccess: db.prepare(`
      SELECT grants.id, grants.approval, tokens.write FROM tokens JOIN grants ON grants.id = tokens.grant_id
      WHERE tokens.hash = ?1 AND tokens.kind = 'access' AND tokens.expires > ?2 AND tokens.made <= ?3
        AND grants.ended IS NULL AND grants.ends > ?2`),
    rotate: db.prepare("UPDATE tokens SET rotated = ?, salt = ? WHERE hash = ?"),
    drop: db.prepare("DELETE FROM tokens WHERE hash = ?"),
    // Those from the future are left from before the clock was set back, so they are the oldest.
    limit: db.prepare(`
      DELETE FROM tokens WHERE grant_id = :grantId AND kind = :kind AND hash IN (
        SELECT hash FROM tokens WHERE grant_id = :grantId AND kind = :kind
        ORDER BY made <= :now DESC, made DESC, rotated IS NOT NULL LIMIT -1 OFFSET :kept)`),
  };
}
