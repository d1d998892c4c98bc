/** What the owner's page needs of signing in: the way in, who is connected with which rights, and what was refused. */

import type { Principal } from "../core/principal.ts";
import type { ConsentBounds } from "../oauth/consent_form.ts";
import type { Grant, Grants } from "../oauth/grants.ts";
import type { OwnerDoor } from "../oauth/owner_door.ts";
import { redirectPlace } from "../oauth/redirect_uri.ts";
import type { SignInAudit } from "../oauth/sign_in_audit.ts";
import type { AuthorizationServer } from "../oauth/authorization_server.ts";
import type { Admit } from "./ceiling.ts";
import type { MatchedClient } from "./client_rules.ts";
import { createGrantPrincipal, type GrantPrincipalOptions } from "./grant_principal.ts";
import type { RefusedAttempts } from "./refused_attempts.ts";

export interface OwnerSide {
  readonly door: OwnerDoor;
  readonly grants: Grants;
  readonly refused: RefusedAttempts;
  readonly audit: SignInAudit;
  /** As whom the owner undoes and restores: everything within the operator's ceiling, and no budget of changes. */
  readonly principal: Principal;
  /** What the client may do in all, by a token for everything that it was given. */
  principalOf(grant: Grant): Principal;
  /** What the operator's settings leave that client at most. */
  boundsOf(grant: Grant): ConsentBounds;
}

export interface OwnerSideOptions extends GrantPrincipalOptions {
  readonly server: AuthorizationServer;
  readonly refused: RefusedAttempts;
  readonly bounds: (client: MatchedClient) => ConsentBounds;
}

export function createOwnerSide(options: OwnerSideOptions): OwnerSide {
  const { server: { door, grants, audit }, refused, bounds, admit } = options;
  const admitGrant = createGrantPrincipal(options);
  return {
    ...{ door, grants, refused, audit },
    principal: ownerOf(admit),
    principalOf: ({ id, approval }) => admitGrant({ grantId: id, approval, write: approval.asked.write }),
    boundsOf: ({ approval: { client, redirectUri } }) =>
      bounds({ id: client.id, redirectHost: redirectPlace(redirectUri).host }),
  };
}

function ownerOf(admit: Admit): Principal {
  return admit({ id: "owner", kind: "stdio", name: "owner", rights: null, roots: "all", profile: null });
}
