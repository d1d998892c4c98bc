/** One event of the sign-in audit for what the owner did with a grant on this page. */

import type { Grant } from "../../oauth/grants.ts";
import type { SignInAction, SignInAudit } from "../../oauth/sign_in_audit.ts";
import type { OwnerVisit } from "./owner_part.ts";

export function noteGrant(
  audit: SignInAudit,
  { call: { address, requestId } }: OwnerVisit,
  { action, grant }: { readonly action: SignInAction; readonly grant: Grant },
): void {
  const { id, approval: { client } } = grant;
  audit({
    ...{ action, outcome: "ok", client: client.name, clientId: client.id },
    ...{ grantId: id, source: address, requestId },
  });
}
