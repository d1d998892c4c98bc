/**
 * The tokens that our own authorization server issued, as principals: the ceiling, narrowed by the operator's rule for
 * that client, by what the owner approved, and by what the token itself is for.
 *
 * Every call looks the token up, so what is ended or narrowed anywhere counts at once. Only the compiled rights are
 * kept between calls, for as long as nothing that they were made from has changed.
 */

import type { Principal } from "../core/principal.ts";
import { parseApproval } from "../oauth/approval.ts";
import type { Grants } from "../oauth/grants.ts";
import type { AccessFacts, Tokens } from "../oauth/tokens.ts";
import { createGrantPrincipal, type GrantPrincipal, type GrantPrincipalOptions } from "./grant_principal.ts";
import type { Verifier } from "./verifier.ts";

export interface IssuedTokensOptions extends GrantPrincipalOptions {
  readonly tokens: Tokens;
  readonly grants: Grants;
  /** The resource that tokens must be for. */
  readonly resource: string;
}

const maxKept = 10_000;

/** What was made of one grant, and of which approval. */
interface Kept {
  readonly approval: string;
  readonly principal: Principal | null;
}

export function createIssuedTokens(options: IssuedTokensOptions): Verifier {
  const { tokens, grants, resource } = options;
  const admitGrant = createGrantPrincipal(options);
  const kept = new Map<string, Kept>();
  return {
    verify(token) {
      const facts = tokens.findAccess(token);
      if (facts === null) return null;
      const { grantId, approval, write } = facts;
      const key = write ? grantId : `${grantId} read`;
      let known = kept.get(key);
      if (known?.approval !== approval) {
        if (kept.size >= maxKept) kept.clear();
        known = { approval, principal: principalOf(facts, { resource, admitGrant }) };
        kept.set(key, known);
      }
      if (known.principal !== null) grants.noteUse(grantId);
      return known.principal;
    },
  };
}

/** `null` for a token that is for another resource. */
function principalOf(
  facts: AccessFacts,
  { resource, admitGrant }: { readonly resource: string; readonly admitGrant: GrantPrincipal },
): Principal | null {
  const approval = parseApproval(facts.approval);
  return approval.resource === resource ? admitGrant({ ...facts, approval }) : null;
}
