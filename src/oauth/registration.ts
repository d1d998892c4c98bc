/**
 * Dynamic client registration (RFC 7591), with nothing to keep: see `registered_id.ts`.
 *
 * Metadata that this server cannot honour is narrowed and the answer says what was registered, as the RFC allows: some
 * clients always send an address that no server can accept beside those that they use.
 */

import { randomSecret, sha256Hex } from "../core/secrets.ts";
import { decodeUtf8 } from "../text/utf8.ts";
import { acceptableRedirects, metadataObject, refreshesBy, shownName } from "./client.ts";
import type { WireReason } from "./reasons.ts";
import { registeredId } from "./registered_id.ts";
import { requestedScope, scopeText } from "./scopes.ts";

export const maxRegistrationBytes = 32 * 1024;

export interface Registration {
  readonly clientId: string;
  readonly name: string;
  /** The body of the 201, absent members left out. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Members that are given back as they came, where they are texts of bearable length. */
const echoed = [
  "client_uri",
  "logo_uri",
  "policy_uri",
  "tos_uri",
  "software_id",
  "software_version",
  "application_type",
];

/** `now` in milliseconds. */
export function register(body: Uint8Array<ArrayBuffer>, now: number): Registration | WireReason {
  const text = decodeUtf8(body);
  const metadata = text === null ? null : metadataObject(text);
  if (metadata === null) return "registration_not_json";
  const { client_name: givenName = "", scope, redirect_uris: redirects } = metadata;
  const redirectUris = acceptableRedirects(redirects);
  const refreshes = refreshesBy(metadata["grant_types"]);
  const method = authenticationMethod(metadata["token_endpoint_auth_method"]);
  if (redirectUris === null || redirectUris.length === 0) return "registration_without_redirect";
  if (typeof givenName !== "string" || refreshes === null || method === null) return "registration_malformed";
  const name = shownName(givenName);
  const secret = method === "none" ? null : randomSecret();
  const secretHash = secret === null ? null : sha256Hex(secret);
  const clientId = registeredId({ name, redirectUris, secretHash, refreshes });
  if (clientId === null) return "registration_too_large";
  return {
    clientId,
    name,
    body: {
      client_id: clientId,
      client_id_issued_at: Math.floor(now / 1000),
      ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
      ...(name === "" ? {} : { client_name: name }),
      redirect_uris: redirectUris,
      grant_types: ["authorization_code", ...(refreshes ? ["refresh_token"] : [])],
      response_types: ["code"],
      token_endpoint_auth_method: method,
      ...(typeof scope === "string" ? { scope: scopeText(requestedScope(scope)) } : {}),
      ...echoOf(metadata),
    },
  };
}

type Method = "none" | "client_secret_post" | "client_secret_basic";

/** Absent means `none`: most clients that say nothing are public ones. Methods that are unknown here become `none`. */
function authenticationMethod(value: unknown): Method | null {
  if (value === "client_secret_post" || value === "client_secret_basic") return value;
  return value === undefined || typeof value === "string" ? "none" : null;
}

function echoOf(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const pairs = echoed.flatMap((name): Array<[string, string]> => {
    const value = metadata[name];
    return typeof value === "string" && value.length <= 1024 ? [[name, value]] : [];
  });
  return Object.fromEntries(pairs);
}
