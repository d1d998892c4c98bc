/** An authenticator in software, and the part of a browser before it: what they answer, rightly or as a test bends it. */

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

export type KeyKind = "ES256" | "EdDSA" | "RS256" | "P-384" | "RSA-1024";

const algorithms: Readonly<Record<KeyKind, number>> = {
  "ES256": -7,
  "EdDSA": -8,
  "RS256": -257,
  "P-384": -7,
  "RSA-1024": -257,
};

/** What a test bends; everything left out is as it should be. */
export interface Bent {
  readonly type?: string;
  readonly challenge?: string;
  readonly origin?: string;
  /** Host that the authenticator signs for. */
  readonly host?: string;
  /** Bits: 1 somebody was there, 4 known to the authenticator, 64 a credential is attached. */
  readonly flags?: number;
  readonly count?: number;
  /** More members of what the browser says. */
  readonly client?: Readonly<Record<string, unknown>>;
}

export class SoftwarePasskey {
  readonly id: string;
  count = 0;
  readonly #origin: string;
  readonly #kind: KeyKind;
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };

  constructor(origin: string, kind: KeyKind = "ES256") {
    this.#origin = origin;
    this.#kind = kind;
    this.#keys = keyPair(kind);
    this.id = randomBytes(32).toString("base64url");
  }

  /** The fields of the form in which a passkey is made. */
  made(challenge: string, bent: Bent = {}): Record<string, string> {
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attached = Buffer.concat([Buffer.alloc(16), length, id, Buffer.from([0xa0])]);
    return {
      id: this.id,
      client: this.#client("webauthn.create", challenge, bent).toString("base64url"),
      authenticator: Buffer.concat([this.#data(bent, 0x45), attached]).toString("base64url"),
      public_key: this.#keys.publicKey.export({ type: "spki", format: "der" }).toString("base64url"),
      algorithm: String(algorithms[this.#kind]),
    };
  }

  /** The fields of the form in which it is used. */
  used(challenge: string, bent: Bent = {}): Record<string, string> {
    const client = this.#client("webauthn.get", challenge, bent);
    const data = this.#data(bent, 0x05);
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    const hash = this.#kind === "EdDSA" ? null : "sha256";
    return {
      id: this.id,
      client: client.toString("base64url"),
      authenticator: data.toString("base64url"),
      signature: sign(hash, signed, this.#keys.privateKey).toString("base64url"),
    };
  }

  #client(type: string, challenge: string, bent: Bent): Buffer {
    return Buffer.from(JSON.stringify({
      type: bent.type ?? type,
      challenge: Buffer.from(bent.challenge ?? challenge).toString("base64url"),
      origin: bent.origin ?? this.#origin,
      crossOrigin: false,
      ...bent.client,
    }));
  }

  #data({ host, flags, count }: Bent, usual: number): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags ?? usual);
    rest.writeUInt32BE(count ?? this.count, 1);
    const hash = createHash("sha256").update(host ?? new URL(this.#origin).hostname).digest();
    return Buffer.concat([hash, rest]);
  }
}

function keyPair(kind: KeyKind): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  switch (kind) {
    case "ES256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" });
    case "P-384":
      return generateKeyPairSync("ec", { namedCurve: "P-384" });
    case "EdDSA":
      return generateKeyPairSync("ed25519");
    case "RS256":
      return generateKeyPairSync("rsa", { modulusLength: 2048 });
    case "RSA-1024":
      return generateKeyPairSync("rsa", { modulusLength: 1024 });
  }
}
