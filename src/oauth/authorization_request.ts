/**
 * Reads and judges what a client sends the browser to `/authorize` with.
 *
 * First the client and its redirect address, then everything else: a fault before that is shown to the person, a fault
 * after it is sent back to the client.
 */

import type { Client } from "./client.ts";
import type { Clients } from "./clients.ts";
import type { Currency } from "./documents.ts";
import { Parameters } from "./parameters.ts";
import { isChallenge } from "./pkce.ts";
import type { ReturnedReason, ShownReason } from "./reasons.ts";
import { meansThisServer } from "./resource.ts";
import { requestedScope, type Scope } from "./scopes.ts";
import { VerifiedRedirect } from "./verified_redirect.ts";

/** A request that can be put to the owner. */
export interface AuthorizationRequest {
  readonly client: Client;
  readonly currency: Currency;
  readonly redirect: VerifiedRedirect;
  readonly challenge: string;
  readonly asked: Scope;
}

export type JudgedRequest =
  | { readonly kind: "request"; readonly request: AuthorizationRequest }
  | { readonly kind: "shown"; readonly reason: ShownReason }
  | {
    readonly kind: "returned";
    readonly reason: ReturnedReason;
    readonly redirect: VerifiedRedirect;
    readonly client: Client;
  };

export interface JudgeOptions {
  readonly clients: Clients;
  /** Origin of this server, which is its issuer. */
  readonly origin: string;
  /** What is done about redirect hosts that nobody knows. */
  readonly unknownRedirects: "warn" | "refuse" | "allow";
  /** Where the request came from, for limits. */
  readonly source: string;
}

const names = [
  ...["response_type", "response_mode", "scope", "state", "code_challenge", "code_challenge_method"],
  ...["resource", "prompt", "request", "request_uri"],
];

/** `query` as sent, without the question mark. */
export async function judgeRequest(query: string, options: JudgeOptions): Promise<JudgedRequest> {
  const parameters = new Parameters(query);
  const addressed = await findAddress(parameters, options);
  if (addressed.kind === "shown") return addressed;
  const { client, currency, redirect } = addressed;
  const reason = findFault(parameters, options.origin);
  if (reason !== null) return { kind: "returned", reason, redirect, client };
  const asked = requestedScope(parameters.one("scope"));
  const challenge = parameters.one("code_challenge") ?? "";
  return { kind: "request", request: { client, currency, redirect, challenge, asked } };
}

type Addressed =
  | { readonly kind: "shown"; readonly reason: ShownReason }
  | {
    readonly kind: "addressed";
    readonly client: Client;
    readonly currency: Currency;
    readonly redirect: VerifiedRedirect;
  };

async function findAddress(parameters: Parameters, options: JudgeOptions): Promise<Addressed> {
  const [id, uri] = [parameters.one("client_id"), parameters.one("redirect_uri")];
  if (parameters.repeats("client_id")) return shown("client_repeated");
  if (parameters.repeats("redirect_uri")) return shown("redirect_repeated");
  if (parameters.fault(["client_id", "redirect_uri"]) !== null) return shown("request_malformed");
  if (id === null) return shown("client_missing");
  if (uri === null) return shown("redirect_missing");
  const found = await options.clients.find(id, options.source);
  if (found.kind === "refused") return shown(found.reason);
  const state = parameters.fault(["state"]) === null ? parameters.one("state") : null;
  const redirect = VerifiedRedirect.verify(found.client, uri, { state, issuer: options.origin });
  if (redirect === null) return shown("redirect_mismatch");
  const unknown = redirect.place.kind === "site" && redirect.known === null;
  if (unknown && options.unknownRedirects === "refuse" && found.client.standing !== "configured") {
    return shown("redirect_host_unknown");
  }
  return { kind: "addressed", client: found.client, currency: found.currency, redirect };
}

function findFault(parameters: Parameters, origin: string): ReturnedReason | null {
  const fault = parameters.fault(names);
  if (fault !== null) return fault;
  if (parameters.one("request") !== null || parameters.one("request_uri") !== null) {
    return "request_object_unsupported";
  }
  const type = parameters.one("response_type");
  if (type === null) return "response_type_missing";
  if (type !== "code") return "response_type_unsupported";
  if (!["query", null].includes(parameters.one("response_mode"))) return "response_mode_unsupported";
  const challenge = parameters.one("code_challenge");
  if (challenge === null) return "challenge_missing";
  // RFC 7636 §4.3: no method means `plain`.
  if (parameters.one("code_challenge_method") !== "S256") return "challenge_method_unsupported";
  if (!isChallenge(challenge)) return "challenge_malformed";
  if (!meansThisServer(parameters.all("resource"), origin)) return "resource_foreign";
  const prompts = (parameters.one("prompt") ?? "").split(" ");
  return prompts.includes("none") ? "silent_sign_in" : null;
}

function shown(reason: ShownReason): { readonly kind: "shown"; readonly reason: ShownReason } {
  return { kind: "shown", reason };
}
