/** The two discovery documents: this authorization server (RFC 8414) and the resource that it guards (RFC 9728). */

import { resourceOf } from "./resource.ts";
import { resourceScopes, serverScopes } from "./scopes.ts";

export interface MetadataOptions {
  /** Origin that clients reach, without a trailing slash. It is the issuer as it stands. */
  readonly origin: string;
  readonly registration: boolean;
  readonly clientDocuments: boolean;
}

const clientAuthentication = ["none", "client_secret_post", "client_secret_basic"];

/** Endpoints lie at the root on purpose: clients that cannot discover them guess exactly these paths. */
export function serverMetadata(options: MetadataOptions): Readonly<Record<string, unknown>> {
  const { origin } = options;
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    ...(options.registration ? { registration_endpoint: `${origin}/register` } : {}),
    revocation_endpoint: `${origin}/revoke`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    scopes_supported: serverScopes,
    client_id_metadata_document_supported: options.clientDocuments,
    authorization_response_iss_parameter_supported: true,
  };
}

export interface ResourceOptions {
  readonly origin: string;
  /** Issuers of tokens for it; this server itself where left out. */
  readonly servers?: readonly string[];
  /** `null`: there are none to ask for. */
  readonly scopes?: readonly string[] | null;
}

/** The same document under both well-known addresses: clients compare `resource` with the address that was typed. */
export function resourceMetadata(options: ResourceOptions): Readonly<Record<string, unknown>> {
  const { origin, servers = [origin], scopes = resourceScopes } = options;
  return {
    resource: resourceOf(origin),
    resource_name: `silverbridge at ${new URL(origin).host}`,
    authorization_servers: servers,
    ...(scopes === null ? {} : { scopes_supported: scopes }),
    bearer_methods_supported: ["header"],
  };
}

/** Where the second document lies, for the challenge of a 401. */
export function resourceMetadataAddress(origin: string): string {
  return `${origin}/.well-known/oauth-protected-resource/mcp`;
}
