/** An identity provider on this machine: publishes keys, signs tokens, goes down and comes back, counts who asks it. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

export interface ProviderKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: Record<string, unknown>;
}

export interface IdentityProvider {
  readonly issuer: string;
  /** Settings of a server that believes it. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly key: ProviderKey;
  /** What it publishes; changed by the test. */
  readonly published: unknown[];
  /** How often its keys were asked for. */
  asked(): number;
  /** Answers from now on; `null`: as usual. */
  answer(next: { readonly status: number; readonly body: string } | null): void;
  /** A token in order, but for these claims and members of its header. */
  sign(
    claims?: Readonly<Record<string, unknown>>,
    by?: ProviderKey,
    header?: Readonly<Record<string, unknown>>,
  ): Promise<string>;
}

export const audience = "aud";

export async function providerKey(kid: string, alg = "RS256"): Promise<ProviderKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...await exportJWK(publicKey), kid, alg } };
}

export async function withIdentityProvider<T>(
  work: (provider: IdentityProvider) => Promise<T>,
  issuer = "https://team.cloudflareaccess.com",
): Promise<T> {
  const key = await providerKey("k");
  const published: unknown[] = [key.jwk];
  let count = 0;
  let said: { readonly status: number; readonly body: string } | null = null;
  const server = createServer((_request, response) => {
    count += 1;
    response.statusCode = said?.status ?? 200;
    response.end(said?.body ?? JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await work({
      issuer,
      env: {
        SILVERBRIDGE_JWT_ISSUER: issuer,
        SILVERBRIDGE_JWT_AUDIENCE: audience,
        SILVERBRIDGE_JWT_JWKS_URL: `http://127.0.0.1:${port}/certs`,
      },
      key,
      published,
      asked: () => count,
      answer: (next) => said = next,
      sign(claims = {}, by = key, header = {}) {
        const now = Math.floor(Date.now() / 1000);
        return new SignJWT({ iss: issuer, aud: audience, sub: "ann", iat: now, exp: now + 300, ...claims })
          .setProtectedHeader({ alg: by.alg, kid: by.kid, ...header }).sign(by.privateKey);
      },
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
