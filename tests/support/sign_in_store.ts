/** Grants, codes and tokens over a state in memory or in a folder, with a clock that is moved by hand. */

import { approve } from "../../src/oauth/approval.ts";
import { Codes } from "../../src/oauth/codes.ts";
import type { Consent } from "../../src/oauth/consent.ts";
import { Grants } from "../../src/oauth/grants.ts";
import { Tokens } from "../../src/oauth/tokens.ts";
import { openMemoryState, openState, type State } from "../../src/state/state.ts";
import { HandClock } from "./hand_clock.ts";

export const hour = 3_600_000;
export const day = 24 * hour;
export const lifetimes = { accessMs: 24 * hour, refreshMs: 90 * day, grantMs: 365 * day };
export const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
export const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

export const fullConsent: Consent = {
  write: true,
  sees: ["**"],
  changes: ["**"],
  roots: [],
  profile: null,
};

export interface SignInStore {
  readonly state: State;
  readonly clock: HandClock;
  readonly grants: Grants;
  readonly tokens: Tokens;
  readonly codes: Codes;
}

export function signInStore(
  options: { readonly dir?: string; readonly clock?: HandClock } = {},
): SignInStore {
  const state = options.dir === undefined ? openMemoryState() : openState({ dir: options.dir });
  const clock = options.clock ?? new HandClock();
  const grants = new Grants({ state, clock });
  const tokens = new Tokens({ state, clock, grants, lifetimes });
  const codes = new Codes({ state, clock, grants, tokens, lifetimes });
  return { state, clock, grants, tokens, codes };
}

export interface ApprovalChoices {
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly consent?: Consent;
  readonly asksWrite?: boolean;
  readonly asksOffline?: boolean;
  readonly refreshes?: boolean;
}

export function approvalOf(choices: ApprovalChoices = {}) {
  const {
    clientId = "https://claude.ai/oauth/x",
    redirectUri = "https://claude.ai/cb",
    consent = fullConsent,
  } = choices;
  return approve({
    client: {
      id: clientId,
      standing: "document",
      name: "Claude",
      host: "claude.ai",
      redirectUris: [redirectUri],
      secretHash: null,
      refreshes: choices.refreshes ?? true,
    },
    redirectUri,
    asked: { write: choices.asksWrite ?? true, offline: choices.asksOffline ?? false },
    consent,
    resource: "https://n.example/mcp",
  });
}

/** From approval to the first tokens; throws where that is refused. */
export function signIn(store: SignInStore, choices: ApprovalChoices = {}) {
  const approval = approvalOf(choices);
  const { code, grantId } = store.codes.issue(approval, challenge);
  const clientId = approval.client.id;
  const pair = store.codes.redeem({ code, clientId, redirectUri: approval.redirectUri, verifier });
  if ("reason" in pair) throw new Error(pair.reason);
  if (pair.refreshToken === null && approval.refreshes) throw new Error("No refresh token");
  return { ...pair, code, grantId, clientId, refreshToken: pair.refreshToken ?? "" };
}
