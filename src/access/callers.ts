/** Everybody who may call: one verifier over the ways to sign in, or the one caller of a server without any. */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import type { AuthorizationServer } from "../oauth/authorization_server.ts";
import type { FetchDocument } from "../oauth/document_fetch.ts";
import type { State } from "../state/state.ts";
import { type Admit, type CeilingOptions, createCeiling } from "./ceiling.ts";
import type { ClientRule } from "./client_rules.ts";
import { createExternalJwt, type JwtSettings } from "./external_jwt.ts";
import { createKeySet } from "./key_set.ts";
import type { OwnerSide } from "./owner_side.ts";
import { openSignIn, type SignInSettings } from "./sign_in.ts";
import { createStaticTokens, type StaticToken } from "./static_tokens.ts";
import { firstOf, type Verifier } from "./verifier.ts";

export interface CallersOptions extends CeilingOptions {
  /** Ways to sign in that are switched on. Empty: none is asked for. */
  readonly auth: readonly ("oauth" | "token" | "jwt")[];
  readonly tokens: readonly StaticToken[];
  /** What signing in needs; `null` where clients cannot. */
  readonly oauth: OauthSettings | null;
  readonly clients: readonly ClientRule[];
  /** The identity provider whose tokens count; `null` where none do. */
  readonly jwt: ProviderSettings | null;
  /** Fetches the identity provider's keys. */
  readonly fetch: typeof fetch;
  /** Origin that clients reach, without a trailing slash. */
  readonly origin: string;
  /** Aliases of every folder that there is. */
  readonly rootAliases: readonly string[];
  readonly fetchDocument: FetchDocument | null;
  /** True for pages of which nothing may stay at rest, by whatever name. */
  readonly hides: (page: string) => boolean;
  /** Where grants are kept; `null` only without signing in. */
  readonly state: State | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type OauthSettings = Omit<SignInSettings, "ownerSecret"> & { readonly ownerSecret: string | null };

export interface ProviderSettings extends JwtSettings {
  readonly jwksUrl: string;
  /** The request header that its tokens come in, in lower case. */
  readonly header: string;
}

/** Tokens that come in a header of their own, which decides wherever it is. */
export interface Assertion {
  readonly header: string;
  readonly verifier: Verifier;
}

export type Callers =
  | {
    readonly verifier: Verifier;
    readonly local: null;
    readonly assertion: Assertion | null;
    /** The identity provider whose tokens count; `null` where none do. */
    readonly issuer: string | null;
    /** Where clients sign in; `null` where they cannot. */
    readonly signIn: AuthorizationServer | null;
    /** The owner's page; `null` where clients do not sign in. */
    readonly owner: OwnerSide | null;
  }
  /** Whoever is on this machine is `local`; nobody else can be anybody. */
  | {
    readonly verifier: null;
    readonly local: Principal;
    readonly assertion: null;
    readonly issuer: null;
    readonly signIn: null;
    readonly owner: null;
  };

export function createCallers(options: CallersOptions): Callers {
  const admit = createCeiling(options);
  if (options.auth.length === 0) {
    const anyone = { kind: "none", rights: null, roots: "all", profile: null } as const;
    const local = admit({ id: "local", name: "local", ...anyone });
    return { verifier: null, local, assertion: null, issuer: null, signIn: null, owner: null };
  }
  const signIn = options.auth.includes("oauth") ? signInOf(options, admit) : null;
  const provider = options.auth.includes("jwt") ? providerOf(options, admit) : null;
  const inOwnHeader = provider !== null && provider.header !== "authorization";
  // The quickest to judge first.
  const verifiers = [
    ...(options.auth.includes("token") ? [createStaticTokens(options.tokens, admit)] : []),
    ...(signIn === null ? [] : [signIn.verifier]),
    ...(provider === null || inOwnHeader ? [] : [provider.verifier]),
  ];
  return {
    verifier: firstOf(verifiers),
    local: null,
    assertion: inOwnHeader ? provider : null,
    issuer: provider === null ? null : options.jwt?.issuer ?? null,
    signIn: signIn?.server ?? null,
    owner: signIn?.owner ?? null,
  };
}

function providerOf(options: CallersOptions, admit: Admit): Assertion | null {
  const { jwt } = options;
  if (jwt === null) return null;
  const keys = createKeySet({ ...options, url: jwt.jwksUrl });
  return { header: jwt.header, verifier: createExternalJwt({ ...options, settings: jwt, keys, admit }) };
}

/** `null` where something that it cannot do without is missing; the configuration refuses that before. */
function signInOf(options: CallersOptions, admit: Admit) {
  const { oauth, state } = options;
  if (oauth === null || oauth.ownerSecret === null || state === null) return null;
  const { ownerSecret } = oauth;
  return openSignIn({
    ...options,
    admit,
    state,
    settings: { ...oauth, ownerSecret },
    roots: options.rootAliases,
  });
}
