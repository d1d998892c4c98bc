/**
 * Signing in: the authorization server over one state, and the verifier of what it issues.
 *
 * Takes settings and answers both; the routes and pages in front of them are in `http/`.
 */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import { keptPassphrase } from "../core/secrets.ts";
import { type AuthorizationServer, createAuthorizationServer } from "../oauth/authorization_server.ts";
import type { FetchDocument } from "../oauth/document_fetch.ts";
import { resourceOf } from "../oauth/resource.ts";
import { endGrantsOfOldKey } from "../oauth/signing_key_mark.ts";
import type { State } from "../state/state.ts";
import type { Admit } from "./ceiling.ts";
import { type ClientRule, createFindRule } from "./client_rules.ts";
import { createConsentBounds } from "./consent_bounds.ts";
import { createIssuedTokens } from "./issued_tokens.ts";
import { createOwnerSide, type OwnerSide } from "./owner_side.ts";
import { RefusedAttempts } from "./refused_attempts.ts";
import type { Verifier } from "./verifier.ts";

export interface SignInSettings {
  /** A passphrase, or its `scrypt$…` hash. */
  readonly ownerSecret: string;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  readonly redirectUris: readonly string[];
  readonly registration: boolean;
  readonly clientDocuments: boolean;
  readonly unknownRedirects: "warn" | "refuse" | "allow";
  readonly accessTokenHours: number;
  readonly refreshTokenDays: number;
  readonly grantMaxDays: number;
  /** SHA-256 of the predecessor's signing key. */
  readonly revocationMark: string | null;
}

export interface SignInOptions {
  readonly settings: SignInSettings;
  /** Origin that clients reach, without a trailing slash. */
  readonly origin: string;
  readonly clients: readonly ClientRule[];
  /** Aliases of every folder that there is. */
  readonly roots: readonly string[];
  readonly admit: Admit;
  /** `null`: there is nobody to fetch client documents, so they are not accepted. */
  readonly fetchDocument: FetchDocument | null;
  /** True for pages of which nothing may stay at rest, by whatever name. */
  readonly hides: (page: string) => boolean;
  readonly state: State;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SignIn {
  readonly server: AuthorizationServer;
  readonly verifier: Verifier;
  readonly owner: OwnerSide;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export function openSignIn(options: SignInOptions): SignIn {
  const { settings, origin, admit, state, logger } = options;
  const ownerSecret = keptPassphrase(settings.ownerSecret);
  if (ownerSecret === null) throw new TypeError("The owner's hashed secret is malformed");
  const findRule = createFindRule(options.clients);
  const { clientId: id, clientSecret: secret, redirectUris } = settings;
  const refused = new RefusedAttempts(options);
  const bounds = createConsentBounds({ ...options, findRule });
  const server = createAuthorizationServer({
    ...options,
    ownerSecret,
    configured: id === null ? null : { id, secret, redirectUris },
    registration: settings.registration,
    fetchDocument: settings.clientDocuments ? options.fetchDocument : null,
    unknownRedirects: settings.unknownRedirects,
    lifetimes: {
      accessMs: settings.accessTokenHours * hourMs,
      refreshMs: settings.refreshTokenDays * dayMs,
      grantMs: settings.grantMaxDays * dayMs,
    },
    bounds,
    noted: refused.noteSignIn,
  });
  const { tokens, grants } = server;
  endGrantsOfOldKey(settings.revocationMark, { state, grants, logger });
  grants.prune();
  const resource = resourceOf(origin);
  return {
    server,
    verifier: createIssuedTokens({ tokens, grants, admit, findRule, resource }),
    owner: createOwnerSide({ server, refused, bounds, admit, findRule }),
  };
}
