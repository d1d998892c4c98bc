/** Signatures under public keys of strangers' devices: the three algorithms that passkeys have in practice. */

import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** COSE algorithm identifiers (RFC 9053 §2, RFC 8812 §2). */
export const signatureAlgorithms = { ES256: -7, EdDSA: -8, RS256: -257 } as const;

export type SignatureAlgorithm = (typeof signatureAlgorithms)[keyof typeof signatureAlgorithms];

export interface PublicKey {
  readonly algorithm: SignatureAlgorithm;
  /** SubjectPublicKeyInfo in DER (RFC 5280 §4.1.2.7), base64url. */
  readonly spki: string;
}

/** The key, if it is one of that algorithm and no weak one; `null` for everything else. */
export function publicKeyOf(spki: string, algorithm: number): PublicKey | null {
  const known = Object.values(signatureAlgorithms).find((each) => each === algorithm);
  const key = known === undefined ? null : keyObject(spki);
  return known === undefined || key === null || !fits(key, known) ? null : { algorithm: known, spki };
}

/** `signature` as the authenticator made it: for ES256 in DER (WebAuthn §6.5.5). False for every other bytes. */
export function isSignedBy(
  { spki, algorithm }: PublicKey,
  { data, signature }: { readonly data: Uint8Array; readonly signature: Uint8Array },
): boolean {
  const key = keyObject(spki);
  if (key === null || !fits(key, algorithm)) return false;
  try {
    return verify(algorithm === signatureAlgorithms.EdDSA ? null : "sha256", data, key, signature);
  } catch {
    return false;
  }
}

function keyObject(spki: string): KeyObject | null {
  try {
    return createPublicKey({ key: Buffer.from(spki, "base64url"), format: "der", type: "spki" });
  } catch {
    return null;
  }
}

const minModulusBits = 2048;
const maxModulusBits = 4096;

function fits(
  { asymmetricKeyType, asymmetricKeyDetails }: KeyObject,
  algorithm: SignatureAlgorithm,
): boolean {
  switch (algorithm) {
    case signatureAlgorithms.ES256:
      return asymmetricKeyType === "ec" && asymmetricKeyDetails?.namedCurve === "prime256v1";
    case signatureAlgorithms.EdDSA:
      return asymmetricKeyType === "ed25519";
    case signatureAlgorithms.RS256: {
      const bits = asymmetricKeyDetails?.modulusLength ?? 0;
      return asymmetricKeyType === "rsa" && bits >= minModulusBits && bits <= maxModulusBits;
    }
  }
}
