/**
 * Who is calling: reads the presented token, asks the verifier, and words the 401.
 *
 * Without any way to sign in configured the caller must be on this machine, directly and not through a proxy; a
 * forwarding header of any kind, even an empty one, ends that.
 */

import type { Verifier } from "../access/verifier.ts";
import type { Principal } from "../core/principal.ts";
import type { Exchange } from "../web/exchange.ts";
import { isLocalCaller } from "../web/peer.ts";
import { refuse } from "./refusals.ts";

export type Identity =
  | { readonly kind: "known"; readonly principal: Principal }
  /** No credentials came. */
  | { readonly kind: "none" }
  /** Credentials came that open nothing. */
  | { readonly kind: "bad" };

export interface BearerOptions {
  /** `null`: no way to sign in is configured. */
  readonly verifier: Verifier | null;
  /** Whoever is on this machine, where no way to sign in is configured. */
  readonly local: Principal | null;
  /** Tokens of an identity provider that come in a header of their own; that header decides wherever it is. */
  readonly assertion: { readonly header: string; readonly verifier: Verifier } | null;
  /** Parameters of the challenge after the realm, such as `resource_metadata="…"`. */
  readonly challenge: readonly string[];
}

export interface Bearer {
  identify(exchange: Exchange, queryToken: string | null): Promise<Identity>;
  /** The answer to a caller who must be known and is not. */
  refusal(identity: Identity): Response;
}

export function createBearer(options: BearerOptions): Bearer {
  const { verifier, local, assertion } = options;
  const nobody: Identity = { kind: "none" };

  async function identityOf(verifier: Verifier, token: string): Promise<Identity> {
    const principal = await verifier.verify(token);
    return principal === null ? { kind: "bad" } : { kind: "known", principal };
  }

  return {
    async identify(exchange, queryToken) {
      if (verifier === null) {
        return local !== null && isLocalCaller(exchange) ? { kind: "known", principal: local } : nobody;
      }
      const asserted = assertion === null ? null : exchange.header(assertion.header);
      if (assertion !== null && asserted !== null) {
        return identityOf(assertion.verifier, presentedToken(asserted) ?? asserted.trim());
      }
      const presented = presentedToken(exchange.header("authorization")) ?? queryToken;
      return presented === null ? nobody : identityOf(verifier, presented);
    },
    refusal(identity) {
      if (verifier === null) return refuse("remote-without-token");
      const error = identity.kind === "bad" ? ['error="invalid_token"'] : [];
      const parameters = ['realm="silverbridge"', ...error, ...options.challenge];
      return refuse("invalid-token", { headers: { "www-authenticate": `Bearer ${parameters.join(", ")}` } });
    },
  };
}

/**
 * The token of an `Authorization` header; the scheme in any case (RFC 9110 §11.1), spaces around the token dropped.
 *
 * `null` where no bearer token was sent at all. A malformed one comes back as it is: no verifier knows it.
 */
export function presentedToken(header: string | null): string | null {
  const match = /^bearer(?: +(.*))?$/is.exec(header?.trim() ?? "");
  return match === null ? null : (match[1] ?? "").trim();
}
