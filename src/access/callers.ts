/** Everybody who may call: one verifier over the ways to sign in, or the one caller of a server without any. */

import type { Logger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import { type CeilingOptions, createCeiling } from "./ceiling.ts";
import { createStaticTokens, type StaticToken } from "./static_tokens.ts";
import { firstOf, type Verifier } from "./verifier.ts";

export interface CallersOptions extends CeilingOptions {
  /** Ways to sign in that are switched on. Empty: none is asked for. */
  readonly auth: readonly ("oauth" | "token" | "jwt")[];
  readonly tokens: readonly StaticToken[];
  readonly logger: Logger;
}

export type Callers =
  | { readonly verifier: Verifier; readonly local: null }
  /** Whoever is on this machine is `local`; nobody else can be anybody. */
  | { readonly verifier: null; readonly local: Principal };

export function createCallers(options: CallersOptions): Callers {
  const admit = createCeiling(options);
  if (options.auth.length === 0) {
    const anyone = { kind: "none", rights: null, roots: "all", profile: null } as const;
    return { verifier: null, local: admit({ id: "local", name: "local", ...anyone }) };
  }
  const verifiers = options.auth.flatMap((way): Verifier[] => {
    if (way === "token") return [createStaticTokens(options.tokens, admit)];
    options.logger.log("warn", "sign_in_unavailable", {
      way,
      text: `This version cannot sign clients in by ${way} yet; nobody gets in that way`,
    });
    return [];
  });
  return { verifier: firstOf(verifiers), local: null };
}
