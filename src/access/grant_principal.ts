/** What an approved client may do, as a principal: ceiling, the operator's rule, the owner's consent, what its token is for. */

import type { Principal } from "../core/principal.ts";
import { type Verb, type VerbGlobs, verbs } from "../core/rights.ts";
import type { Approval, ApprovedClient } from "../oauth/approval.ts";
import { consentRights } from "../oauth/consent.ts";
import { redirectPlace } from "../oauth/redirect_uri.ts";
import type { Admit, CallerRule } from "./ceiling.ts";
import type { FindRule } from "./client_rules.ts";

export interface GrantPrincipalOptions {
  readonly admit: Admit;
  readonly findRule: FindRule;
}

export interface GrantedAccess {
  readonly grantId: string;
  readonly approval: Approval;
  /** The token is for changing pages too. */
  readonly write: boolean;
}

export type GrantPrincipal = (access: GrantedAccess) => Principal;

const changing: readonly Verb[] = verbs.filter((verb) => verb !== "read");
const readAlone: VerbGlobs = { read: ["**"] };

export function createGrantPrincipal({ admit, findRule }: GrantPrincipalOptions): GrantPrincipal {
  return ({ grantId, approval, write }) => {
    const { client, consent, asked, redirectUri } = approval;
    const rule = findRule({ id: client.id, redirectHost: redirectPlace(redirectUri).host });
    const caller: CallerRule = {
      id: `grant:${grantId}`,
      kind: "oauth",
      name: nameOf(client, rule?.name ?? null),
      rights: rule?.rights ?? null,
      roots: commonRoots(rule?.roots ?? "all", consent.roots),
      profile: consent.profile ?? rule?.profile ?? null,
    };
    const layers = [consentRights(consent), ...(write ? [] : [readAlone])];
    const profiles = rule === null || rule.profile === null ? [] : [rule.profile];
    return {
      ...admit({ ...caller, narrowing: { layers, profiles } }),
      clientId: client.id,
      ...(rule === null ? {} : { rule: rule.name }),
      // Whom the owner gave less than it asked for is not sent back to ask again.
      mayAskForWrite: !asked.write && changing.some((verb) => admit(caller).rights.allowsSomewhere(verb)),
    };
  };
}

function nameOf(client: ApprovedClient, rule: string | null): string {
  return rule ?? (client.name === "" ? client.host ?? "a client without a name" : client.name);
}

function commonRoots(rule: readonly string[] | "all", consent: readonly string[]): readonly string[] {
  return rule === "all" ? consent : consent.filter((alias) => rule.includes(alias));
}
