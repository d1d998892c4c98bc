/**
 * `/revoke` (RFC 7009): a client gives its access back. A refresh token ends the whole grant; an access token ends by
 * itself, since some clients give back each one that they have replaced.
 */

import { authenticateClient } from "./client_authentication.ts";
import type { Clients } from "./clients.ts";
import type { Grants } from "./grants.ts";
import { formParameters } from "./parameters.ts";
import type { WireReason } from "./reasons.ts";
import type { SignInAudit } from "./sign_in_audit.ts";
import { isStateFailure } from "./state_failure.ts";
import type { WireCall } from "./token_endpoint.ts";
import type { Tokens } from "./tokens.ts";
import { refusalResponse, wireResponse } from "./wire_response.ts";

export interface RevokeEndpointOptions {
  readonly clients: Clients;
  readonly grants: Grants;
  readonly tokens: Tokens;
  readonly audit: SignInAudit;
}

interface Outcome {
  readonly reason: WireReason | null;
  readonly clientId?: string | null;
  readonly grantId?: string;
}

export class RevokeEndpoint {
  readonly #options: RevokeEndpointOptions;

  constructor(options: RevokeEndpointOptions) {
    this.#options = options;
  }

  /** A token that is unknown, or was given back already, is a success: it opens nothing. */
  answer(call: WireCall): Response {
    const { reason, clientId = null, grantId = null } = this.#revoke(call);
    const { address: source, requestId } = call;
    this.#options.audit({ action: "revoke", outcome: reason ?? "ok", clientId, grantId, source, requestId });
    return reason === null ? wireResponse(200, {}) : refusalResponse(reason, call.authorization);
  }

  #revoke(call: WireCall): Outcome {
    const { grants, tokens, clients } = this.#options;
    const parameters = formParameters(call.body, call.contentType);
    if (parameters === null) return { reason: "body_not_form" };
    const fault = parameters.fault(["token", "token_type_hint", "client_id", "client_secret"]);
    if (fault !== null) return { reason: fault };
    const token = parameters.one("token");
    if (token === null) return { reason: "token_missing" };
    const authenticated = authenticateClient(parameters, { clients, authorization: call.authorization });
    // Who holds the token of a public client has all that there is to show.
    const anonymous = authenticated.kind === "refused" && authenticated.reason === "client_missing";
    if (authenticated.kind === "refused" && !anonymous) return { reason: authenticated.reason };
    const clientId = authenticated.kind === "client" ? authenticated.client.id : null;
    const found = tokens.find(token);
    if (found === null) return { reason: null, clientId };
    const { id: grantId, approval } = found.grant;
    const needsSecret = clients.credentials(approval.client.id)?.secretHash ?? null;
    const foreign = anonymous ? needsSecret !== null : clientId !== approval.client.id;
    if (foreign) return { reason: "token_of_other_client", clientId, grantId };
    try {
      if (found.kind === "refresh") grants.end(grantId, "client");
      else tokens.dropAccess(token);
      return { reason: null, clientId, grantId };
    } catch (error) {
      if (!isStateFailure(error)) throw error;
      return { reason: "state_unwritable", clientId, grantId };
    }
  }
}
