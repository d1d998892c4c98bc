/**
 * Who may use the embedded server: the credential rules of each generation.
 *
 * A token counts only beside a user; alone it leaves the server open, as in every SilverBullet.
 */

import { equalHashes, sha256Hex } from "../../core/secrets.ts";
import type { GenerationTraits } from "./generations.ts";
import { type Reply, textReply } from "./reply.ts";

export interface Credentials {
  /** `name:password`; turns authentication on. */
  readonly user: string | null;
  readonly token: string | null;
}

export interface AccessRequest {
  /** The request target below the prefix. */
  readonly route: string;
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  readonly prefix: string;
  /** The token is one that the device flow gave out. */
  readonly issued: boolean;
}

/** The refusal, or `null` where the request may go ahead. */
export function refuseAccess(
  traits: GenerationTraits,
  credentials: Credentials,
  request: AccessRequest,
): Reply | null {
  if (credentials.user === null || isOpen(traits, request.route)) return null;
  const cookieFirst = traits.family !== "rust" && request.cookie !== undefined;
  if (!cookieFirst && (request.issued || hasToken(credentials, request.authorization))) return null;
  return refusal(traits, request);
}

function hasToken(credentials: Credentials, authorization: string | undefined): boolean {
  const presented = bearerOf(authorization);
  if (credentials.token === null || presented === null) return false;
  return equalHashes(sha256Hex(presented), sha256Hex(credentials.token));
}

export function bearerOf(authorization: string | undefined): string | null {
  return authorization?.startsWith("Bearer ") === true ? authorization.slice(7).trimEnd() : null;
}

function isOpen(traits: GenerationTraits, route: string): boolean {
  const path = route.split("?")[0];
  if (path === "/" || path === "" || path === "/.auth") return true;
  if (path === "/.instance") return traits.family === "rust";
  return path === "/.ping" && traits.family !== "deno";
}

function refusal(traits: GenerationTraits, request: AccessRequest): Reply {
  const path = request.route.split("?")[0] ?? "";
  const location = `${request.prefix}/.auth`;
  const triedToken = request.authorization?.startsWith("Bearer ") && request.cookie === undefined;
  if (traits.family !== "rust" && triedToken) return textReply(401, "Unauthorized\n");
  if (!isApi(traits, path) && !path.endsWith(".md")) {
    return { status: 302, headers: { Location: `${location}?from=${path}` }, body: "" };
  }
  if (traits.family === "rust") return textReply(401, "Unauthorized", { Location: location });
  return { status: 401, headers: { Location: location }, body: "" };
}

/** Paths that are answered with 401; every other one is sent to the sign-in page. */
function isApi(traits: GenerationTraits, path: string): boolean {
  if (traits.family === "go" && path.startsWith("/.")) return true;
  if (path.startsWith("/.events")) return traits.events;
  return /^\/\.(fs|config|shell|runtime|proxy|ping)(\/|$)/.test(path);
}
