/** Everybody who may call: one verifier over the ways to sign in, or the one caller of a server without any. */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import type { AuthorizationServer } from "../oauth/authorization_server.ts";
import type { FetchDocument } from "../oauth/document_fetch.ts";
import type { State } from "../state/state.ts";
import { type Admit, type CeilingOptions, createCeiling } from "./ceiling.ts";
import type { ClientRule } from "./client_rules.ts";
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
  /** Origin that clients reach, without a trailing slash. */
  readonly origin: string;
  /** Aliases of every folder that there is. */
  readonly rootAliases: readonly string[];
  readonly fetchDocument: FetchDocument | null;
  /** Where grants are kept; `null` only without signing in. */
  readonly state: State | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type OauthSettings = Omit<SignInSettings, "ownerSecret"> & { readonly ownerSecret: string | null };

export type Callers =
  | {
    readonly verifier: Verifier;
    readonly local: null;
    /** Where clients sign in; `null` where they cannot. */
    readonly signIn: AuthorizationServer | null;
  }
  /** Whoever is on this machine is `local`; nobody else can be anybody. */
  | { readonly verifier: null; readonly local: Principal; readonly signIn: null };

export function createCallers(options: CallersOptions): Callers {
  const admit = createCeiling(options);
  if (options.auth.length === 0) {
    const anyone = { kind: "none", rights: null, roots: "all", profile: null } as const;
    return { verifier: null, local: admit({ id: "local", name: "local", ...anyone }), signIn: null };
  }
  const signIn = options.auth.includes("oauth") ? signInOf(options, admit) : null;
  const verifiers = options.auth.flatMap((way): Verifier[] => {
    if (way === "token") return [createStaticTokens(options.tokens, admit)];
    if (way === "oauth" && signIn !== null) return [signIn.verifier];
    options.logger.log("warn", "sign_in_unavailable", {
      way,
      text: `This version cannot sign clients in by ${way} yet; nobody gets in that way`,
    });
    return [];
  });
  return { verifier: firstOf(verifiers), local: null, signIn: signIn?.server ?? null };
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
