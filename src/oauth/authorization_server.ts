/** The authorization server in one piece: its documents, its endpoints, its grants. Knows neither routes nor pages. */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { KeptPassphrase } from "../core/secrets.ts";
import type { State } from "../state/state.ts";
import { AuthorizeEndpoint } from "./authorize_endpoint.ts";
import { Clients, type ConfiguredClient } from "./clients.ts";
import { Codes } from "./codes.ts";
import type { ConsentBounds } from "./consent_form.ts";
import type { FetchDocument } from "./document_fetch.ts";
import { Documents } from "./documents.ts";
import { Grants } from "./grants.ts";
import { resourceMetadata, serverMetadata } from "./metadata.ts";
import { OwnerDoor } from "./owner_door.ts";
import { OwnerPasskeys } from "./owner_passkeys.ts";
import { OwnerPasses } from "./owner_passes.ts";
import { OwnerSecret } from "./owner_secret.ts";
import { OwnerSessions } from "./owner_sessions.ts";
import { OwnerTries } from "./owner_tries.ts";
import { passkeyPlace } from "./passkey_response.ts";
import { RegisterEndpoint } from "./register_endpoint.ts";
import { RevokeEndpoint } from "./revoke_endpoint.ts";
import { createSignInAudit, type SignInAudit } from "./sign_in_audit.ts";
import { TokenEndpoint } from "./token_endpoint.ts";
import { type TokenLifetimes, Tokens } from "./tokens.ts";

export interface AuthorizationServerOptions {
  /** Origin that clients reach, without a trailing slash. */
  readonly origin: string;
  readonly ownerSecret: KeptPassphrase;
  readonly configured: ConfiguredClient | null;
  readonly registration: boolean;
  /** `null`: client documents are not accepted. */
  readonly fetchDocument: FetchDocument | null;
  readonly unknownRedirects: "warn" | "refuse" | "allow";
  readonly lifetimes: TokenLifetimes;
  readonly bounds: (client: { readonly id: string; readonly redirectHost: string }) => ConsentBounds;
  readonly state: State;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of every event of the audit. */
  readonly noted?: SignInAudit;
}

export interface AuthorizationServer {
  readonly serverMetadata: Readonly<Record<string, unknown>>;
  readonly resourceMetadata: Readonly<Record<string, unknown>>;
  readonly authorize: AuthorizeEndpoint;
  readonly token: TokenEndpoint;
  readonly register: RegisterEndpoint;
  readonly revoke: RevokeEndpoint;
  readonly grants: Grants;
  readonly tokens: Tokens;
  /** The way in to the owner's page. */
  readonly door: OwnerDoor;
  readonly audit: SignInAudit;
}

export function createAuthorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  const { state, clock, logger, lifetimes, fetchDocument, registration } = options;
  const audit = createSignInAudit(logger, options.noted);
  const grants = new Grants({ state, clock });
  const tokens = new Tokens({ state, clock, grants, lifetimes });
  const codes = new Codes({ state, clock, grants, tokens, lifetimes });
  const passes = new OwnerPasses({ state, clock });
  const owner = new OwnerSecret({
    kept: options.ownerSecret,
    tries: new OwnerTries({ state, clock }),
    passes,
  });
  const sessions = new OwnerSessions({ state, clock, secret: options.ownerSecret });
  const place = passkeyPlace(options.origin);
  const passkeys = place === null
    ? null
    : new OwnerPasskeys({ state, clock, secret: options.ownerSecret, place });
  const documents = fetchDocument === null
    ? null
    : new Documents({ state, clock, logger, fetch: fetchDocument });
  const clients = new Clients({ ...options, documents });
  const shared = { ...options, audit, clients, codes, grants, tokens };
  return {
    serverMetadata: serverMetadata({ ...options, clientDocuments: documents !== null }),
    resourceMetadata: resourceMetadata({ origin: options.origin }),
    authorize: new AuthorizeEndpoint({ ...shared, owner, passes }),
    token: new TokenEndpoint(shared),
    register: new RegisterEndpoint({ enabled: registration, clock, audit }),
    revoke: new RevokeEndpoint(shared),
    grants,
    tokens,
    door: new OwnerDoor({ owner, passes, sessions, passkeys, audit }),
    audit,
  };
}
