/** The port through which a presented bearer token becomes a principal. Each way of signing in is one verifier. */

import type { Principal } from "../core/principal.ts";

export interface Verifier {
  /** Whose token this is; `null` when this verifier does not know it, or no longer. Never says why. */
  verify(token: string): Principal | null | Promise<Principal | null>;
}

/** Asks each verifier in turn; the first that knows the token decides. */
export function firstOf(verifiers: readonly Verifier[]): Verifier {
  const [only] = verifiers;
  if (only !== undefined && verifiers.length === 1) return only;
  return {
    async verify(token) {
      for (const verifier of verifiers) {
        const principal = await verifier.verify(token);
        if (principal !== null) return principal;
      }
      return null;
    },
  };
}
