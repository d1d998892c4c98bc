/**
 * The identifier of a client that registered itself: it holds what was registered, so that nothing needs to be kept.
 *
 * Anybody may register anything, so an identifier that somebody made up is as good as one that was handed out, and
 * needs no signature; a client with a secret has the hash of it inside. So registrations survive a restart, an upgrade
 * and a lost state folder, registering twice gives the same identifier, and a flood of them costs no disk.
 */

import { acceptableRedirects, type Client, shownName } from "./client.ts";

const prefix = "sbc1.";
const maxLength = 3000;

export interface Registered {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly secretHash: string | null;
  readonly refreshes: boolean;
}

/** `null` where it would become too long to be sent in an address. */
export function registeredId(registered: Registered): string | null {
  const { name, redirectUris, secretHash, refreshes } = registered;
  const content = [name, redirectUris, refreshes ? 1 : 0, ...(secretHash === null ? [] : [secretHash])];
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  const id = prefix + bytes.toBase64({ alphabet: "base64url", omitPadding: true });
  return id.length <= maxLength ? id : null;
}

/** The client of such an identifier; `null` for every text that `registeredId()` would not have made. */
export function registeredClient(id: string): Client | null {
  if (!id.startsWith(prefix) || id.length > maxLength) return null;
  const registered = decode(id.slice(prefix.length));
  if (registered === null || registeredId(registered) !== id) return null;
  return { id, standing: "registered", host: null, ...registered };
}

function decode(text: string): Registered | null {
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
    const content: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (!Array.isArray(content) || content.length < 3 || content.length > 4) return null;
    const [name, redirects, refreshes, secretHash = null]: readonly unknown[] = content;
    const redirectUris = acceptableRedirects(redirects);
    if (typeof name !== "string" || shownName(name) !== name || (refreshes !== 0 && refreshes !== 1)) {
      return null;
    }
    if (redirectUris === null || redirectUris.length === 0) return null;
    if (secretHash !== null && !(typeof secretHash === "string" && /^[0-9a-f]{64}$/.test(secretHash))) {
      return null;
    }
    return { name, redirectUris, secretHash, refreshes: refreshes === 1 };
  } catch {
    return null;
  }
}
