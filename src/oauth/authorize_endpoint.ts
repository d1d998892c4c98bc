/**
 * `/authorize`: puts a client's request to the owner, and sends the browser back with what was decided.
 *
 * Answers values; how a page looks is known to `http/pages`. Nothing is kept until the owner approves.
 */

import type { Clock } from "../core/clock.ts";
import { approve } from "./approval.ts";
import { type AuthorizationRequest, judgeRequest } from "./authorization_request.ts";
import type { Client } from "./client.ts";
import type { Clients } from "./clients.ts";
import type { Codes } from "./codes.ts";
import type { Consent } from "./consent.ts";
import {
  type ConsentBounds,
  type ConsentForm,
  type EarlierConsent,
  formOf,
  readConsent,
} from "./consent_form.ts";
import { isFormKey, isTicket, makeTicket, newFormKey } from "./form_ticket.ts";
import type { Grants } from "./grants.ts";
import type { OwnerPasses } from "./owner_passes.ts";
import type { OwnerSecret } from "./owner_secret.ts";
import type { Parameters } from "./parameters.ts";
import type { ShownReason } from "./reasons.ts";
import { resourceOf } from "./resource.ts";
import type { SignInAudit, SignInEvent } from "./sign_in_audit.ts";
import { isStateFailure } from "./state_failure.ts";

/** What is known of a request to `/authorize`, whatever its method. */
export interface AuthorizeCall {
  /** As sent, without the question mark. */
  readonly query: string;
  /** Cookies of this program; `null` where the browser sent none. */
  readonly formKey: string | null;
  readonly browserPass: string | null;
  /** The caller's address or network. */
  readonly address: string;
  readonly requestId: string;
}

/** Why the owner sees the form again. */
export type ConsentProblem =
  | { readonly kind: "wrong"; readonly left: number; readonly seconds: number }
  | { readonly kind: "locked"; readonly seconds: number }
  | { readonly kind: "busy" }
  | { readonly kind: "expired" }
  | { readonly kind: "globs"; readonly field: "sees" | "changes" };

/** Everything that the page shows. */
export interface ConsentView {
  readonly request: AuthorizationRequest;
  readonly bounds: ConsentBounds;
  /** What the owner gave this client the last time; `null` in a browser from which the owner never got in. */
  readonly earlier: EarlierConsent & { readonly at: number } | null;
  readonly form: ConsentForm;
  readonly problem: ConsentProblem | null;
  /** The address that the form is sent to, and the mark that goes with it. */
  readonly action: string;
  readonly ticket: string;
  readonly now: number;
}

export type AuthorizeAnswer =
  | { readonly kind: "consent"; readonly view: ConsentView; readonly cookies: NewCookies }
  | { readonly kind: "shown"; readonly reason: ShownReason }
  | { readonly kind: "redirect"; readonly location: string; readonly cookies: NewCookies };

/** Cookies to set; `null`: leave as it is. */
export interface NewCookies {
  readonly formKey: string | null;
  readonly browserPass: string | null;
}

export interface AuthorizeEndpointOptions {
  readonly origin: string;
  readonly unknownRedirects: "warn" | "refuse" | "allow";
  readonly clients: Clients;
  readonly codes: Codes;
  readonly grants: Grants;
  readonly owner: OwnerSecret;
  readonly passes: OwnerPasses;
  /** What the operator's settings leave that client. */
  readonly bounds: (client: { readonly id: string; readonly redirectHost: string }) => ConsentBounds;
  readonly clock: Clock;
  readonly audit: SignInAudit;
}

const noCookies: NewCookies = { formKey: null, browserPass: null };

export class AuthorizeEndpoint {
  readonly #options: AuthorizeEndpointOptions;

  constructor(options: AuthorizeEndpointOptions) {
    this.#options = options;
  }

  /** `GET`: the page, or why there is none. */
  async ask(call: AuthorizeCall): Promise<AuthorizeAnswer> {
    const judged = await this.#judge(call);
    if (judged.kind !== "request") return judged.answer;
    const { request } = judged;
    const seconds = this.#options.owner.wait({ ...call, unlockCode: "" });
    const problem: ConsentProblem | null = seconds > 0 ? { kind: "locked", seconds } : null;
    this.#audit(call, { action: "ask", outcome: "ok", ...named(request.client) });
    return this.#page(call, { request, problem, form: null });
  }

  /** `POST` of the form: back to the client, or the page again. */
  async decide(call: AuthorizeCall, fields: Parameters): Promise<AuthorizeAnswer> {
    const judged = await this.#judge(call);
    if (judged.kind !== "request") return judged.answer;
    const { request } = judged;
    const who = named(request.client);
    if (fields.one("decision") !== "approve") {
      this.#audit(call, { action: "deny", outcome: "ok", ...who });
      return { kind: "redirect", location: request.redirect.withError("owner_refused"), cookies: noCookies };
    }
    const form = formOf(fields);
    const again = (problem: ConsentProblem) => this.#page(call, { request, problem, form });
    if (!this.#isOurForm(call, fields.one("ticket") ?? "")) return again({ kind: "expired" });
    const bounds = this.#boundsOf(request);
    const consent = readConsent(form, { bounds, asked: request.asked });
    if ("field" in consent) return again({ kind: "globs", field: consent.field });
    try {
      const outcome = await this.#options.owner.try({
        secret: fields.text("secret"),
        unlockCode: fields.text("unlock"),
        address: call.address,
        browserPass: call.browserPass,
      });
      if (outcome.kind === "right") return this.#approve(call, request, consent);
      this.#audit(call, { action: "approve", outcome: `secret_${outcome.kind}`, ...who });
      return again(outcome);
    } catch (error) {
      if (!isStateFailure(error)) throw error;
      this.#audit(call, { action: "approve", outcome: "state_unwritable", ...who });
      return {
        kind: "redirect",
        location: request.redirect.withError("state_unwritable"),
        cookies: noCookies,
      };
    }
  }

  #approve(call: AuthorizeCall, request: AuthorizationRequest, consent: Consent): AuthorizeAnswer {
    const { client, redirect, asked, challenge } = request;
    const { codes, passes, origin } = this.#options;
    const approval = approve({
      client,
      redirectUri: redirect.uri,
      asked,
      consent,
      resource: resourceOf(origin),
    });
    const { code, grantId } = codes.issue(approval, challenge);
    const browserPass = this.#isKnown(call) ? null : passes.giveBrowser();
    this.#audit(call, { action: "approve", outcome: "ok", ...named(client), grantId });
    return { kind: "redirect", location: redirect.withCode(code), cookies: { formKey: null, browserPass } };
  }

  async #judge(
    call: AuthorizeCall,
  ): Promise<
    { readonly kind: "request"; readonly request: AuthorizationRequest } | {
      readonly kind: "answered";
      readonly answer: AuthorizeAnswer;
    }
  > {
    const judged = await judgeRequest(call.query, { ...this.#options, source: call.address });
    switch (judged.kind) {
      case "request":
        return judged;
      case "shown":
        this.#audit(call, { action: "ask", outcome: judged.reason });
        return { kind: "answered", answer: judged };
      case "returned": {
        const { reason, redirect, client } = judged;
        this.#audit(call, { action: "ask", outcome: reason, ...named(client) });
        const location = redirect.withError(reason);
        return { kind: "answered", answer: { kind: "redirect", location, cookies: noCookies } };
      }
    }
  }

  #page(
    call: AuthorizeCall,
    { request, problem, form }: {
      readonly request: AuthorizationRequest;
      readonly problem: ConsentProblem | null;
      readonly form: ConsentForm | null;
    },
  ): AuthorizeAnswer {
    const { grants, clock } = this.#options;
    const now = clock.now();
    const key = isFormKey(call.formKey) ? call.formKey : newFormKey();
    // Identifiers of clients are public: what the owner gave is told to the owner's own browsers alone.
    const latest = this.#isKnown(call) ? grants.latestOf(request.client.id) : null;
    const earlier = latest === null ? null : {
      consent: latest.approval.consent,
      askedWrite: latest.approval.asked.write,
      at: latest.made,
    };
    const bounds = this.#boundsOf(request);
    const view: ConsentView = {
      request,
      bounds,
      earlier,
      form: form ?? formOf(null, earlier),
      problem,
      action: `/authorize?${call.query}`,
      ticket: makeTicket({ key, subject: call.query, now }),
      now,
    };
    return { kind: "consent", view, cookies: { ...noCookies, formKey: key === call.formKey ? null : key } };
  }

  /** True for a browser from which the owner got in before. */
  #isKnown({ browserPass }: AuthorizeCall): boolean {
    return browserPass !== null && this.#options.passes.sourceOf(browserPass) !== null;
  }

  #isOurForm({ formKey, query }: AuthorizeCall, ticket: string): boolean {
    const now = this.#options.clock.now();
    return isFormKey(formKey) && isTicket(ticket, { key: formKey, subject: query, now });
  }

  #boundsOf({ client, redirect }: AuthorizationRequest): ConsentBounds {
    return this.#options.bounds({ id: client.id, redirectHost: redirect.place.host });
  }

  #audit(call: AuthorizeCall, event: SignInEvent): void {
    this.#options.audit({ ...event, source: call.address, requestId: call.requestId });
  }
}

function named(client: Client): Pick<SignInEvent, "client" | "clientId"> {
  return { client: client.name, clientId: client.id };
}
