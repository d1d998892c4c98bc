/** The routes of signing in: discovery, the page where the owner decides, and what programs call. */

import type { AuthorizationServer } from "../oauth/authorization_server.ts";
import type { AuthorizationRequest } from "../oauth/authorization_request.ts";
import type { AuthorizeAnswer, AuthorizeCall, ConsentView, NewCookies } from "../oauth/authorize_endpoint.ts";
import { resourceMetadata } from "../oauth/metadata.ts";
import { formParameters } from "../oauth/parameters.ts";
import type { WireCall } from "../oauth/token_endpoint.ts";
import type { VerifiedRedirect } from "../oauth/verified_redirect.ts";
import { baseHeaders, htmlResponse, jsonResponse } from "../web/respond.ts";
import type { CallerAddress } from "./caller_address.ts";
import { type CookieJar, createCookieJar } from "./cookies.ts";
import { type ConsentPageOptions, renderConsentPage } from "./pages/consent_page.ts";
import { refusalStatus, renderSignInRefusal } from "./pages/sign_in_refusal.ts";
import type { Handler, Passed } from "./pipeline.ts";
import { refuse } from "./refusals.ts";

export interface SignInHandlersOptions extends ConsentPageOptions {
  readonly server: AuthorizationServer;
  /** Origin that clients reach, without a trailing slash. */
  readonly publicUrl: string;
  readonly callerAddress: CallerAddress;
}

export type SignInRoute =
  | "server-metadata"
  | "resource-metadata"
  | "authorize"
  | "token"
  | "register"
  | "revoke";

const formKeySeconds = 3600;
const browserPassSeconds = 400 * 86_400;
/** Discovery may be kept for a moment by whoever asked. */
const publicCache = { "cache-control": "public, max-age=300" };

export function createSignInHandlers(options: SignInHandlersOptions): Readonly<Record<SignInRoute, Handler>> {
  const { server, callerAddress } = options;
  const cookies = createCookieJar({ secure: options.publicUrl.startsWith("https:") });
  const metadata = (document: Readonly<Record<string, unknown>>): Handler => () =>
    jsonResponse(200, document, publicCache);
  const wire = (answer: (call: WireCall) => Response): Handler => (passed) =>
    answer(wireCall(passed, callerAddress));
  return {
    "server-metadata": metadata(server.serverMetadata),
    "resource-metadata": metadata(server.resourceMetadata),
    authorize: (passed) => authorize(passed, { ...options, cookies }),
    token: wire((call) => server.token.answer(call)),
    register: wire((call) => server.register.answer(call)),
    revoke: wire((call) => server.revoke.answer(call)),
  };
}

/** With an identity provider alone, the one document that says so. */
export function providerHandlers(
  publicUrl: string,
  issuer: string,
): { readonly "resource-metadata": Handler } {
  const document = resourceMetadata({ origin: publicUrl, servers: [issuer], scopes: null });
  return { "resource-metadata": () => jsonResponse(200, document, publicCache) };
}

type PageContext = SignInHandlersOptions & { readonly cookies: CookieJar };

async function authorize({ exchange, body }: Passed, context: PageContext): Promise<Response> {
  const { server, cookies, callerAddress } = context;
  const call: AuthorizeCall = {
    query: exchange.query,
    formKey: cookies.read(exchange, "form"),
    browserPass: cookies.read(exchange, "browser"),
    address: callerAddress(exchange),
    requestId: exchange.id,
  };
  if (exchange.method !== "POST") {
    return present(await server.authorize.ask(call), { ...context, status: 302 });
  }
  const fields = formParameters(body ?? new Uint8Array(0), exchange.header("content-type"));
  if (fields === null) return refuse("unsupported-form");
  if (!comesFromOurPage(exchange.header("sec-fetch-site"))) return refuse("origin-not-allowed");
  return present(await server.authorize.decide(call, fields), { ...context, status: 303 });
}

/** Browsers that say where a form comes from must say that it comes from here. */
function comesFromOurPage(site: string | null): boolean {
  return site === null || site === "same-origin";
}

function present(answer: AuthorizeAnswer, context: PageContext & { readonly status: number }): Response {
  switch (answer.kind) {
    case "shown":
      return htmlResponse(refusalStatus(answer.reason), renderSignInRefusal(answer.reason));
    case "redirect": {
      const headers = { ...baseHeaders, location: answer.location, "referrer-policy": "no-referrer" };
      return withCookies(
        new Response(null, { status: context.status, headers }),
        answer.cookies,
        context.cookies,
      );
    }
    case "consent": {
      const { view } = answer;
      const page = htmlResponse(consentStatus(view), renderConsentPage(view, context), {
        "content-security-policy": consentPolicy(view.request),
        ...(view.problem?.kind === "locked" ? { "retry-after": String(view.problem.seconds) } : {}),
      });
      return withCookies(page, answer.cookies, context.cookies);
    }
  }
}

function withCookies(response: Response, { formKey, browserPass }: NewCookies, jar: CookieJar): Response {
  if (formKey !== null) response.headers.append("set-cookie", jar.write("form", formKey, formKeySeconds));
  if (browserPass !== null) {
    response.headers.append("set-cookie", jar.write("browser", browserPass, browserPassSeconds));
  }
  return response;
}

function consentStatus({ problem }: ConsentView): number {
  switch (problem?.kind) {
    case undefined:
      return 200;
    case "wrong":
      return 401;
    case "locked":
      return 429;
    case "busy":
      return 503;
    case "expired":
    case "globs":
      return 400;
  }
}

/**
 * The policy of the page. Browsers hold `form-action` against the redirect that answers the form and against every hop
 * after it, so the redirect's origin is in it, and where the client's own callback is known or likely to lead on to.
 */
export function consentPolicy(
  { redirect, client }: Pick<AuthorizationRequest, "redirect" | "client">,
): string {
  const vouching = client.host === null ? [] : [`https://${client.host}`];
  const targets = ["'self'", ...redirectSources(redirect), ...vouching, ...redirect.known?.onward ?? []];
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    `form-action ${[...new Set(targets)].join(" ")}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function redirectSources({ uri, place, known }: VerifiedRedirect): readonly string[] {
  const url = new URL(uri);
  // The grammar of sources has no IPv6 addresses.
  if (place.kind === "program" || url.hostname.startsWith("[")) return [url.protocol];
  const parent = url.hostname.split(".").slice(1);
  const isStranger = place.kind === "site" && known === null;
  return [url.origin, ...(isStranger && parent.length >= 2 ? [`https://*.${parent.join(".")}`] : [])];
}

function wireCall({ exchange, body }: Passed, callerAddress: CallerAddress): WireCall {
  return {
    body: body ?? new Uint8Array(0),
    contentType: exchange.header("content-type"),
    authorization: exchange.header("authorization"),
    address: callerAddress(exchange),
    requestId: exchange.id,
  };
}
