/**
 * Reads what a browser answers when a passkey is made or used (WebAuthn Level 3 §7.1 and §7.2), and checks it.
 *
 * Nothing is asked about the make of the authenticator: the owner who registers it has just typed the secret. So there
 * is no attestation to parse, and the key comes as the browser gives it out, in DER.
 */

import { Buffer } from "node:buffer";
import { sha256Bytes } from "../core/secrets.ts";
import { isSignedBy, type PublicKey, publicKeyOf } from "../core/signatures.ts";

/** Where passkeys of this server count. */
export interface PasskeyPlace {
  /** Origin of the page. */
  readonly origin: string;
  /** The host of it: the identifier of the relying party. */
  readonly host: string;
}

/** `null` where browsers make none: by http but on `localhost`, or on an address instead of a name. */
export function passkeyPlace(origin: string): PasskeyPlace | null {
  const { hostname, protocol } = new URL(origin);
  const isName = !hostname.startsWith("[") && !/^[\d.]+$/.test(hostname);
  return isName && (protocol === "https:" || hostname === "localhost") ? { origin, host: hostname } : null;
}

/** The fields of the form, each base64url. */
export interface MadeFields {
  readonly id: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly publicKey: string;
  /** COSE algorithm identifier, in decimal. */
  readonly algorithm: string;
}

export interface UsedFields {
  readonly id: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

export interface MadePasskey {
  readonly id: string;
  readonly key: PublicKey;
  /** The authenticator's own count of uses; 0 where it keeps none. */
  readonly count: number;
}

/** A new passkey; `null` for every answer that is not exactly that, to exactly this challenge. */
export function readMade(
  { id, clientData, authenticatorData, publicKey, algorithm }: MadeFields,
  { challenge, place }: { readonly challenge: string; readonly place: PasskeyPlace },
): MadePasskey | null {
  const data = readAuthenticatorData(authenticatorData, place);
  if (data === null || !isClientData(clientData, { type: "webauthn.create", challenge, place })) return null;
  const bytes = decoded(id);
  if (bytes === null || bytes.length < 16 || !sameBytes(data.credentialId, bytes)) return null;
  const key = decoded(publicKey) === null || !/^-\d{1,3}$/.test(algorithm)
    ? null
    : publicKeyOf(publicKey, Number(algorithm));
  return key === null ? null : { id, key, count: data.count };
}

/** The authenticator's count after a use of that passkey; `null` where it was not used for exactly this challenge. */
export function readUsed(
  { clientData, authenticatorData, signature }: UsedFields,
  { key, challenge, place }: {
    readonly key: PublicKey;
    readonly challenge: string;
    readonly place: PasskeyPlace;
  },
): number | null {
  const data = readAuthenticatorData(authenticatorData, place);
  if (data === null || !isClientData(clientData, { type: "webauthn.get", challenge, place })) return null;
  const [client, mark] = [decoded(clientData), decoded(signature)];
  if (client === null || mark === null) return null;
  const signed = new Uint8Array([...data.bytes, ...sha256Bytes(client)]);
  return isSignedBy(key, { data: signed, signature: mark }) ? data.count : null;
}

interface Expected {
  readonly type: "webauthn.create" | "webauthn.get";
  /** The bytes that were asked with, as text. */
  readonly challenge: string;
  readonly place: PasskeyPlace;
}

function isClientData(text: string, { type, challenge, place }: Expected): boolean {
  const bytes = decoded(text);
  if (bytes === null) return false;
  try {
    const data: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof data !== "object" || data === null) return false;
    const said: Readonly<Record<string, unknown>> = { ...data };
    return said["type"] === type && said["origin"] === place.origin && said["crossOrigin"] !== true &&
      said["topOrigin"] === undefined && said["challenge"] === Buffer.from(challenge).toString("base64url");
  } catch {
    return false;
  }
}

interface AuthenticatorData {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Only where a passkey was made. */
  readonly credentialId: Uint8Array | null;
}

/** Bits of the flags (WebAuthn §6.1): somebody touched it, and it knows who. */
const present = 0x01;
const verified = 0x04;
const attested = 0x40;

/** `null` unless it is of this server, and the person was there and known to the authenticator. */
function readAuthenticatorData(text: string, { host }: PasskeyPlace): AuthenticatorData | null {
  const bytes = decoded(text);
  if (bytes === null || bytes.length < 37) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const flags = view.getUint8(32);
  const isOurs = sameBytes(bytes.subarray(0, 32), sha256Bytes(new TextEncoder().encode(host)));
  if (!isOurs || (flags & present) === 0 || (flags & verified) === 0) return null;
  const length = (flags & attested) === 0 || bytes.length < 55 ? null : view.getUint16(53);
  const credentialId = length === null || bytes.length < 55 + length ? null : bytes.subarray(55, 55 + length);
  return { bytes, count: view.getUint32(33), credentialId };
}

const maxField = 8192;

/** Bytes of base64url without padding, written in the one way there is; `null` for any other text. */
function decoded(text: string): Uint8Array | null {
  if (text === "" || text.length > maxField) return null;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? new Uint8Array(bytes) : null;
}

function sameBytes(left: Uint8Array | null, right: Uint8Array): boolean {
  return left !== null && left.length === right.length && left.every((byte, at) => byte === right[at]);
}
