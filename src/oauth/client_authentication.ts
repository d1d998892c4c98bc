/** Which client comes to `/token` or `/revoke`, and whether it has its secret (RFC 6749 §2.3.1). */

import { equalHashes, sha256Hex } from "../core/secrets.ts";
import type { ClientCredentials, Clients } from "./clients.ts";
import type { Parameters } from "./parameters.ts";
import type { WireReason } from "./reasons.ts";

export type AuthenticationOutcome =
  | { readonly kind: "client"; readonly client: ClientCredentials }
  | { readonly kind: "refused"; readonly reason: WireReason };

/** `authorization`: the header, for `client_secret_basic`. Public clients name themselves and show nothing. */
export function authenticateClient(
  parameters: Parameters,
  { clients, authorization }: { readonly clients: Clients; readonly authorization: string | null },
): AuthenticationOutcome {
  const basic = readBasic(authorization);
  if (basic === "malformed") return refused("client_not_authenticated");
  const [inBody, secretInBody] = [parameters.one("client_id"), parameters.one("client_secret")];
  const id = basic?.id ?? inBody;
  if (id === null) return refused("client_missing");
  if (basic !== null && basic.secret !== "" && secretInBody !== null) {
    return refused("client_authenticated_twice");
  }
  if (basic !== null && inBody !== null && inBody !== basic.id) return refused("client_not_authenticated");
  const client = clients.credentials(id);
  if (client === null) return refused("client_unknown");
  if (client.secretHash === null) return { kind: "client", client };
  const shown = basic === null || basic.secret === "" ? secretInBody ?? "" : basic.secret;
  return equalHashes(client.secretHash, sha256Hex(shown))
    ? { kind: "client", client }
    : refused("client_not_authenticated");
}

/** `null` without Basic credentials. Both parts are percent-encoded as in a form. */
function readBasic(
  header: string | null,
): { readonly id: string; readonly secret: string } | "malformed" | null {
  const encoded = /^basic +(\S+) *$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return null;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.fromBase64(encoded));
    // Some clients leave the colon of an address as it is.
    const cut = text.indexOf(":", text.startsWith("https://") ? 8 : 0);
    if (cut < 0) return "malformed";
    return { id: decodePart(text.slice(0, cut)), secret: decodePart(text.slice(cut + 1)) };
  } catch {
    return "malformed";
  }
}

function decodePart(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "));
}

function refused(reason: WireReason): AuthenticationOutcome {
  return { kind: "refused", reason };
}
