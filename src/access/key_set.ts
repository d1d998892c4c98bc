/**
 * The identity provider's signing keys: fetched when first needed, once for all who wait, kept for ten minutes.
 *
 * A key that is not known is asked for again, but not more often than every half minute, whoever makes keys up. While
 * the provider does not answer the keys that were had go on counting, and nobody who has one of them waits for it: an
 * hour of its outage signs nobody out. After a week they count no more.
 */

import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from "jose";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";

export interface KeySetOptions {
  readonly url: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface KeySet {
  /** For jose. Rejects where there is no key for that header. */
  readonly keyFor: JWTVerifyGetKey;
  /** Changes whenever other keys count. */
  readonly version: number;
}

const freshMs = 10 * 60_000;
const restMs = 30_000;
const timeoutMs = 5_000;
const outageMs = 7 * 86_400_000;
const maxBytes = 256 * 1024;

export function createKeySet(options: KeySetOptions): KeySet {
  const { clock, logger } = options;
  let keys: { readonly text: string; readonly find: JWTVerifyGetKey; readonly at: number } | null = null;
  let tried = -Infinity;
  let fetching: Promise<void> | null = null;
  let failed = false;
  let version = 0;

  async function load(): Promise<void> {
    tried = clock.elapsed();
    try {
      const text = await fetchText(options);
      const find = createLocalJWKSet(readKeys(text));
      if (text !== keys?.text) version += 1;
      keys = { text, find, at: clock.elapsed() };
      failed = false;
    } catch (error) {
      const type = error instanceof Error ? error.name : typeof error;
      logger.log("warn", "signing_keys_unavailable", { host: new URL(options.url).host, type });
      failed = true;
    }
  }

  function ageOf(kept: { readonly at: number } | null): number {
    return kept === null ? Infinity : clock.elapsed() - kept.at;
  }

  function refresh(): Promise<void> {
    if (clock.elapsed() - tried < restMs) return fetching ?? Promise.resolve();
    fetching ??= load().finally(() => fetching = null);
    return fetching;
  }

  return {
    get version() {
      return version;
    },
    async keyFor(header, token) {
      const age = ageOf(keys);
      const refreshed = age >= freshMs ? refresh() : null;
      if (!failed || age >= outageMs) await refreshed;
      const before = keys;
      if (before === null || ageOf(before) >= outageMs) throw new Error("No signing keys");
      try {
        return await before.find(header, token);
      } catch (error) {
        await refresh();
        if (keys === before || keys === null) throw error;
        return await keys.find(header, token);
      }
    },
  };
}

async function fetchText({ url, fetch }: KeySetOptions): Promise<string> {
  const response = await fetch(url, {
    redirect: "error",
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error("No key set");
  }
  let text = "";
  let size = 0;
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new Error("The key set is too large");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function readKeys(text: string): JSONWebKeySet {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("keys" in value) || !Array.isArray(value.keys)) {
    throw new TypeError("No key set");
  }
  // A key that both sides know could be used to sign as the provider.
  return { keys: value.keys.filter((key) => typeof key === "object" && key !== null && key.kty !== "oct") };
}
