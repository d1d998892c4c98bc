/**
 * Static tokens: several, named, each with its own narrowing. Only hashes are kept in memory.
 *
 * Every stored hash is compared on every call, in constant time, so that neither the answer's timing nor the order
 * of the list says how close a guess was.
 */

import type { Principal, Profile } from "../core/principal.ts";
import type { VerbGlobs } from "../core/rights.ts";
import { equalHashes, sha256Hex } from "../core/secrets.ts";
import type { Admit } from "./ceiling.ts";
import type { Verifier } from "./verifier.ts";

export interface StaticToken {
  readonly name: string;
  /** SHA-256 of the token, lower-case hex. */
  readonly hash: string;
  readonly rights: VerbGlobs | null;
  readonly roots: readonly string[] | "all";
  readonly profile: Profile | null;
}

export function createStaticTokens(tokens: readonly StaticToken[], admit: Admit): Verifier {
  const known = tokens.map((token) => ({
    hash: token.hash,
    principal: admit({
      id: `token:${token.name}`,
      kind: "token",
      name: token.name,
      rights: token.rights,
      roots: token.roots,
      profile: token.profile,
    }),
  }));
  return {
    verify(token) {
      const presented = sha256Hex(token);
      let found: Principal | null = null;
      for (const { hash, principal } of known) {
        if (equalHashes(hash, presented)) found = principal;
      }
      return found;
    },
  };
}
