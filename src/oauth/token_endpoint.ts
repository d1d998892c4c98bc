/** `/token`: exchanges a code or a refresh token for tokens (RFC 6749 §4.1.3 and §6). Always answers JSON. */

import { authenticateClient } from "./client_authentication.ts";
import type { Clients } from "./clients.ts";
import type { Codes } from "./codes.ts";
import type { Grants } from "./grants.ts";
import { formParameters, type Parameters } from "./parameters.ts";
import { isVerifier } from "./pkce.ts";
import type { WireReason } from "./reasons.ts";
import { meansThisServer } from "./resource.ts";
import { requestedScope } from "./scopes.ts";
import type { SignInAudit } from "./sign_in_audit.ts";
import { isStateFailure } from "./state_failure.ts";
import type { TokenPair, Tokens } from "./tokens.ts";
import { refusalResponse, wireResponse } from "./wire_response.ts";

/** A request that a program sent. */
export interface WireCall {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string | null;
  /** The header, for clients that show their secret in it. */
  readonly authorization: string | null;
  readonly address: string;
  readonly requestId: string;
}

export interface TokenEndpointOptions {
  readonly origin: string;
  readonly clients: Clients;
  readonly codes: Codes;
  readonly grants: Grants;
  readonly tokens: Tokens;
  readonly audit: SignInAudit;
}

const names = [
  ...["grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret"],
  ...["refresh_token", "scope", "resource", "client_assertion", "client_assertion_type"],
];

interface Outcome {
  readonly answer: TokenPair | WireReason;
  readonly action: "token" | "refresh";
  readonly clientId: string | null;
  readonly grantId: string | null;
}

export class TokenEndpoint {
  readonly #options: TokenEndpointOptions;

  constructor(options: TokenEndpointOptions) {
    this.#options = options;
  }

  answer(call: WireCall): Response {
    const { answer, action, clientId, grantId } = this.#exchange(call);
    const outcome = typeof answer === "string" ? answer : "ok";
    const { address: source, requestId } = call;
    this.#options.audit({ action, outcome, clientId, grantId, source, requestId });
    return typeof answer === "string" ? refusalResponse(answer, call.authorization) : tokenResponse(answer);
  }

  #exchange(call: WireCall): Outcome {
    const parameters = formParameters(call.body, call.contentType);
    const type = parameters?.one("grant_type") ?? null;
    const action = type === "refresh_token" ? "refresh" : "token";
    const refuse = (answer: WireReason, clientId: string | null = null): Outcome => {
      return { answer, action, clientId, grantId: null };
    };
    if (parameters === null) return refuse("body_not_form");
    const fault = parameters.fault(names);
    if (fault !== null) return refuse(fault);
    if (type === null) return refuse("grant_type_missing");
    if (type !== "authorization_code" && type !== "refresh_token") return refuse("grant_type_unsupported");
    const authenticated = authenticateClient(parameters, { ...this.#options, ...call });
    if (authenticated.kind === "refused") return refuse(authenticated.reason, parameters.one("client_id"));
    const clientId = authenticated.client.id;
    if (!meansThisServer(parameters.all("resource"), this.#options.origin)) {
      return refuse("resource_foreign", clientId);
    }
    try {
      this.#options.grants.pruneWhenDue();
      const answer = action === "token"
        ? this.#redeem(parameters, clientId)
        : this.#refresh(parameters, clientId);
      if (typeof answer === "string") return refuse(answer, clientId);
      const grantId = answer.grantId;
      return { answer: "reason" in answer ? answer.reason : answer, action, clientId, grantId };
    } catch (error) {
      if (!isStateFailure(error)) throw error;
      return refuse("state_unwritable", clientId);
    }
  }

  #redeem(parameters: Parameters, clientId: string) {
    const code = parameters.one("code");
    const verifier = parameters.one("code_verifier");
    if (code === null) return "code_missing";
    if (verifier === null) return "verifier_missing";
    if (!isVerifier(verifier)) return "verifier_malformed";
    return this.#options.codes.redeem({
      code,
      clientId,
      redirectUri: parameters.one("redirect_uri"),
      verifier,
    });
  }

  #refresh(parameters: Parameters, clientId: string) {
    const presented = parameters.one("refresh_token");
    if (presented === null) return "refresh_token_missing";
    const scope = parameters.one("scope");
    const wanted = scope === null ? null : requestedScope(scope);
    return this.#options.tokens.refresh(presented, { clientId, wanted });
  }
}

function tokenResponse({ accessToken, refreshToken, expiresIn, scope }: TokenPair): Response {
  return wireResponse(200, {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: expiresIn,
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
    scope,
  });
}
