/**
 * Why a request to the authorization server fails, as this program knows it, and the one place that says what the
 * other side is told: a public code of the standards, a status, a sentence. Nothing a caller sent is repeated.
 *
 * The three unions are apart on purpose. A `ShownReason` comes up before client and redirect address are verified, so
 * it can only be shown to the person; a `ReturnedReason` goes to a verified redirect address; a `WireReason` is
 * answered to a program as JSON.
 */

/** Before the client and its redirect address are verified: shown, never sent anywhere. */
export type ShownReason =
  | "request_malformed"
  | "client_missing"
  | "client_repeated"
  | "client_unknown"
  | "client_documents_off"
  | "document_unreachable"
  | "document_refused"
  | "document_busy"
  | "redirect_missing"
  | "redirect_repeated"
  | "redirect_mismatch"
  | "redirect_host_unknown";

/** Once both are verified: sent back to the client, with `state` and `iss`. */
export type ReturnedReason =
  | "parameter_repeated"
  | "parameter_malformed"
  | "response_type_missing"
  | "response_type_unsupported"
  | "response_mode_unsupported"
  | "request_object_unsupported"
  | "challenge_missing"
  | "challenge_malformed"
  | "challenge_method_unsupported"
  | "resource_foreign"
  | "silent_sign_in"
  | "owner_refused"
  | "state_unwritable";

/** Answered to a program by `/token`, `/revoke` and `/register`. */
export type WireReason =
  | "body_not_form"
  | "parameter_repeated"
  | "parameter_malformed"
  | "grant_type_missing"
  | "grant_type_unsupported"
  | "client_missing"
  | "client_unknown"
  | "client_not_authenticated"
  | "client_authenticated_twice"
  | "code_missing"
  | "code_unknown"
  | "code_expired"
  | "code_replayed"
  | "code_of_other_client"
  | "redirect_differs"
  | "verifier_missing"
  | "verifier_malformed"
  | "verifier_wrong"
  | "resource_foreign"
  | "refresh_token_missing"
  | "refresh_token_unknown"
  | "refresh_token_expired"
  | "refresh_token_reused"
  | "refresh_token_of_other_client"
  | "grant_ended"
  | "scope_widened"
  | "token_missing"
  | "token_of_other_client"
  | "registration_off"
  | "registration_busy"
  | "registration_not_json"
  | "registration_malformed"
  | "registration_too_large"
  | "registration_without_redirect"
  | "state_unwritable";

export interface PublicError {
  readonly error: string;
  readonly status: number;
  readonly description: string;
}

/** RFC 6749 §4.1.2.1, RFC 8707 §2, RFC 9101 §6.3 and OpenID Connect Core §3.1.2.6. */
export function returnedError(reason: ReturnedReason): Omit<PublicError, "status"> {
  switch (reason) {
    case "parameter_repeated":
      return { error: "invalid_request", description: "A parameter came more than once" };
    case "parameter_malformed":
      return { error: "invalid_request", description: "A parameter is too long or holds control characters" };
    case "response_type_missing":
      return { error: "invalid_request", description: "The parameter response_type is missing" };
    case "response_type_unsupported":
      return { error: "unsupported_response_type", description: "Only response_type=code is supported" };
    case "response_mode_unsupported":
      return { error: "invalid_request", description: "Only response_mode=query is supported" };
    case "request_object_unsupported":
      return { error: "request_not_supported", description: "Request objects are not supported" };
    case "challenge_missing":
      return { error: "invalid_request", description: "PKCE is required: code_challenge is missing" };
    case "challenge_malformed":
      return { error: "invalid_request", description: "The code_challenge is not 43 base64url characters" };
    case "challenge_method_unsupported":
      return { error: "invalid_request", description: "PKCE is required with code_challenge_method=S256" };
    case "resource_foreign":
      return { error: "invalid_target", description: "The resource is not one of this server" };
    case "silent_sign_in":
      return { error: "interaction_required", description: "The owner has to approve on a page" };
    case "owner_refused":
      return { error: "access_denied", description: "The owner did not approve" };
    case "state_unwritable":
      return { error: "temporarily_unavailable", description: "The server cannot record sign-ins now" };
  }
}

/** RFC 6749 §5.2, RFC 7009 §2.2.1, RFC 7591 §3.2.2, RFC 8707 §2. */
export function wireError(reason: WireReason): PublicError {
  switch (reason) {
    case "body_not_form":
      return invalid("invalid_request", "Send the parameters as application/x-www-form-urlencoded");
    case "parameter_repeated":
      return invalid("invalid_request", "A parameter came more than once");
    case "parameter_malformed":
      return invalid("invalid_request", "A parameter is too long or holds control characters");
    case "grant_type_missing":
      return invalid("invalid_request", "The parameter grant_type is missing");
    case "grant_type_unsupported":
      return invalid("unsupported_grant_type", "Supported are authorization_code and refresh_token");
    case "client_missing":
      return invalid("invalid_request", "The parameter client_id is missing");
    case "client_unknown":
      return unauthorized("This client is not known here; register it again");
    case "client_not_authenticated":
      return unauthorized("The client's secret is missing or wrong");
    case "client_authenticated_twice":
      return invalid("invalid_request", "Send the client's secret in one way only");
    case "code_missing":
      return invalid("invalid_request", "The parameter code is missing");
    case "code_unknown":
    case "code_expired":
    case "code_replayed":
    case "code_of_other_client":
      return invalid("invalid_grant", "The code is not valid; begin the sign-in again");
    case "redirect_differs":
      return invalid("invalid_grant", "The redirect_uri is not the one that the code was made for");
    case "verifier_missing":
      return invalid("invalid_request", "The parameter code_verifier is missing");
    case "verifier_malformed":
      return invalid("invalid_request", "The code_verifier is not 43 to 128 unreserved characters");
    case "verifier_wrong":
      return invalid("invalid_grant", "The code_verifier does not belong to the code");
    case "resource_foreign":
      return invalid("invalid_target", "The resource is not one of this server");
    case "refresh_token_missing":
      return invalid("invalid_request", "The parameter refresh_token is missing");
    case "refresh_token_unknown":
    case "refresh_token_expired":
    case "refresh_token_reused":
    case "refresh_token_of_other_client":
    case "grant_ended":
      return invalid("invalid_grant", "The refresh token is not valid any more; sign in again");
    case "scope_widened":
      return invalid("invalid_scope", "A refresh cannot widen what was approved");
    case "token_missing":
      return invalid("invalid_request", "The parameter token is missing");
    case "token_of_other_client":
      return invalid("invalid_request", "The token was given to another client");
    case "registration_off":
      return {
        error: "access_denied",
        status: 403,
        description: "This server does not let clients register themselves",
      };
    case "registration_busy":
      return {
        error: "temporarily_unavailable",
        status: 429,
        description: "Too many registrations; wait a minute",
      };
    case "registration_not_json":
      return invalid("invalid_client_metadata", "Send the client's metadata as one JSON object");
    case "registration_malformed":
      return invalid("invalid_client_metadata", "A member of the client's metadata has the wrong type");
    case "registration_too_large":
      return invalid("invalid_client_metadata", "The client's metadata is too large");
    case "registration_without_redirect":
      return invalid(
        "invalid_redirect_uri",
        "Register at least one redirect address that is https, or http on this computer",
      );
    case "state_unwritable":
      return {
        error: "temporarily_unavailable",
        status: 503,
        description: "The server cannot record sign-ins now",
      };
  }
}

function invalid(error: string, description: string): PublicError {
  return { error, status: 400, description };
}

function unauthorized(description: string): PublicError {
  return { error: "invalid_client", status: 401, description };
}
