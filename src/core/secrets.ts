/** The only place that makes, compares or hashes secrets. Comparison takes the same time wherever the difference is. */

import { Buffer } from "node:buffer";
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scrypt,
  scryptSync,
  timingSafeEqual,
} from "node:crypto";

/** SHA-256 as lower-case hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** SHA-256 as its 32 bytes. */
export function sha256Bytes(data: Uint8Array): Uint8Array {
  return new Uint8Array(createHash("sha256").update(data).digest());
}

/** SHA-256 as base64url without padding: the S256 challenge of a verifier (RFC 7636 §4.2). */
export function sha256Base64Url(data: string): string {
  return createHash("sha256").update(data).digest("base64url");
}

/** HMAC-SHA-256 as base64url without padding. */
export function hmacBase64Url(key: string, data: string): string {
  return createHmac("sha256", key).update(data).digest("base64url");
}

/** Random bytes of the system as base64url; 32 of them are 43 characters. */
export function randomSecret(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}

/** Keeps texts that must be readable again, and only by who has the key: AES-256-GCM. */
export interface Seal {
  /** `about`: what the text belongs to; it can be opened for that alone. */
  close(text: string, about: string): string;
  /** `null` where another key closed it, it belongs to something else, or it was changed. */
  open(sealed: string, about: string): string | null;
}

const [ivBytes, tagBytes] = [12, 16];

/** Takes some tens of milliseconds, since an operator's own key may be a short one. */
export function createSeal(key: string): Seal {
  const bytes = scryptSync(key, "silverbridge seal", 32, { N: 2 ** 14 });
  return {
    close(text, about) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", bytes, iv);
      cipher.setAAD(Buffer.from(about));
      const sealed = [cipher.update(text, "utf8"), cipher.final()];
      return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]).toString("base64url");
    },
    open(sealed, about) {
      const whole = Buffer.from(sealed, "base64url");
      if (whole.length < ivBytes + tagBytes) return null;
      try {
        const decipher = createDecipheriv("aes-256-gcm", bytes, whole.subarray(0, ivBytes));
        decipher.setAAD(Buffer.from(about));
        decipher.setAuthTag(whole.subarray(ivBytes, ivBytes + tagBytes));
        const text = [decipher.update(whole.subarray(ivBytes + tagBytes)), decipher.final()];
        return Buffer.concat(text).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}

/** True when both hashes (hex of equal length) are the same. */
export function equalHashes(left: string, right: string): boolean {
  const a = new TextEncoder().encode(left);
  const b = new TextEncoder().encode(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What a passphrase is compared with: the passphrase as configured, or its scrypt hash. */
export interface KeptPassphrase {
  /** Compares in constant time, whatever was typed. */
  matches(typed: string): Promise<boolean>;
  /** A mark that only this passphrase as it is configured makes with that key; without the key it tells nothing of it. */
  seal(key: string): string;
  /** A mark to be kept, by which this passphrase as it is configured is known again. Guessing from it is as slow as at all. */
  mark(): Promise<string>;
  isMark(mark: string): Promise<boolean>;
}

/** 32 MiB of memory and some tenths of a second for each guess. */
const cost = { log2N: 15, r: 8, p: 3 } as const;
const hashPattern = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]{22,86})\$([\w-]{43})$/;

/** Hashes a passphrase as `scrypt$log2N$r$p$salt$hash`, salt and hash in base64url (RFC 7914). */
export async function hashPassphrase(passphrase: string): Promise<string> {
  const salt = randomSecret(16);
  const { log2N, r, p } = cost;
  const hash = await derive(passphrase, { log2N, r, p, salt });
  return `scrypt$${log2N}$${r}$${p}$${salt}$${hash}`;
}

/** `null` where the text begins as a hash and is none that can be checked within reason. */
export function keptPassphrase(kept: string): KeptPassphrase | null {
  const marks = {
    seal: (key: string) => hmacBase64Url(key, `passphrase ${kept}`),
    mark: () => hashPassphrase(`passphrase ${kept}`),
    isMark: async (mark: string) =>
      mark.startsWith("scrypt$") && (await keptPassphrase(mark)?.matches(`passphrase ${kept}`) ?? false),
  };
  if (!kept.startsWith("scrypt$")) {
    const wanted = sha256Hex(normalize(kept));
    return {
      matches: (typed) => Promise.resolve(equalHashes(wanted, sha256Hex(normalize(typed)))),
      ...marks,
    };
  }
  const [, log2N, r, p, salt = "", hash = ""] = hashPattern.exec(kept) ?? [];
  const parameters = { log2N: Number(log2N), r: Number(r), p: Number(p), salt };
  const bearable = parameters.log2N >= 12 && parameters.log2N <= 18 && parameters.r >= 1 &&
    parameters.r <= 16 && parameters.p >= 1 && parameters.p <= 8;
  if (!bearable) return null;
  return { matches: async (typed) => equalHashes(hash, await derive(typed, parameters)), ...marks };
}

interface ScryptParameters {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: string;
}

function derive(passphrase: string, { log2N, r, p, salt }: ScryptParameters): Promise<string> {
  const N = 2 ** log2N;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = { N, r, p, maxmem: 256 * N * r + 1024 * 1024 };
  scrypt(normalize(passphrase), Buffer.from(salt, "base64url"), 32, options, (error, key) => {
    if (error === null) resolve(key.toString("base64url"));
    else reject(error);
  });
  return promise;
}

/** Keyboards differ in how they compose letters, and a pasted passphrase often brings a space or line break. */
function normalize(passphrase: string): string {
  return passphrase.normalize("NFC").trim();
}
