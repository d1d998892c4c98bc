/** Proof Key for Code Exchange (RFC 7636) with S256 alone. */

import { equalHashes, sha256Base64Url } from "../core/secrets.ts";

/** SHA-256 in base64url: always 43 characters. */
export function isChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** RFC 7636 §4.1. */
export function isVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text);
}

export function provesChallenge(verifier: string, challenge: string): boolean {
  return isVerifier(verifier) && equalHashes(sha256Base64Url(verifier), challenge);
}
