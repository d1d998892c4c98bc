/**
 * The tokens that our own authorization server issued, as principals: the ceiling, narrowed by the operator's rule for
 * that client, by what the owner approved, and by what the token itself is for.
 *
 * Every call looks the token up, so what is ended or narrowed anywhere counts at once. Only the compiled rights are
 * kept between calls, for as long as nothing that they were made from has changed.
 */

import type { Principal } from "../core/principal.ts";
import { type Verb, type VerbGlobs, verbs } from "../core/rights.ts";
import { type ApprovedClient, parseApproval } from "../oauth/approval.ts";
import { consentRights } from "../oauth/consent.ts";
import type { Grants } from "../oauth/grants.ts";
import { redirectPlace } from "../oauth/redirect_uri.ts";
import type { AccessFacts, Tokens } from "../oauth/tokens.ts";
import type { Admit, CallerRule } from "./ceiling.ts";
import type { FindRule } from "./client_rules.ts";
import type { Verifier } from "./verifier.ts";

export interface IssuedTokensOptions {
  readonly tokens: Tokens;
  readonly grants: Grants;
  readonly admit: Admit;
  readonly findRule: FindRule;
  /** The resource that tokens must be for. */
  readonly resource: string;
}

const maxKept = 10_000;
const changing: readonly Verb[] = verbs.filter((verb) => verb !== "read");
const readAlone: VerbGlobs = { read: ["**"] };

/** What was made of one grant, and of which approval. */
interface Kept {
  readonly approval: string;
  readonly principal: Principal | null;
}

export function createIssuedTokens(options: IssuedTokensOptions): Verifier {
  const { tokens, grants } = options;
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
        known = { approval, principal: principalOf(facts, options) };
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
  { admit, findRule, resource }: IssuedTokensOptions,
): Principal | null {
  const approval = parseApproval(facts.approval);
  if (approval.resource !== resource) return null;
  const { client, consent, asked, redirectUri } = approval;
  const rule = findRule({ id: client.id, redirectHost: redirectPlace(redirectUri).host });
  const caller: CallerRule = {
    id: `grant:${facts.grantId}`,
    kind: "oauth",
    name: nameOf(client, rule?.name ?? null),
    rights: rule?.rights ?? null,
    roots: commonRoots(rule?.roots ?? "all", consent.roots),
    profile: consent.profile ?? rule?.profile ?? null,
  };
  const layers = [consentRights(consent), ...(facts.write ? [] : [readAlone])];
  const profiles = rule === null || rule.profile === null ? [] : [rule.profile];
  return {
    ...admit({ ...caller, narrowing: { layers, profiles } }),
    ...(rule === null ? {} : { rule: rule.name }),
    // Whom the owner gave less than it asked for is not sent back to ask again.
    mayAskForWrite: !asked.write && changing.some((verb) => admit(caller).rights.allowsSomewhere(verb)),
  };
}

function nameOf(client: ApprovedClient, rule: string | null): string {
  return rule ?? (client.name === "" ? client.host ?? "a client without a name" : client.name);
}

function commonRoots(rule: readonly string[] | "all", consent: readonly string[]): readonly string[] {
  return rule === "all" ? consent : consent.filter((alias) => rule.includes(alias));
}
