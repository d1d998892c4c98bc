/**
 * Token buckets by key: so many takes a minute, a whole minute's worth at once at most.
 *
 * The table is bounded: when it is full the key that was used longest ago is forgotten, which can only be
 * generous. Keys must not be free for an attacker to invent beyond what the caller intends (an address, a grant).
 */

import type { Clock } from "./clock.ts";

export interface Limiter {
  /** Takes one. `0` when granted; else the whole seconds, at least 1, after which it is worth trying again. */
  take(key: string): number;
}

export interface LimiterOptions {
  /** `0`: no limit. */
  readonly perMinute: number;
  readonly maxKeys: number;
  readonly clock: Clock;
}

interface Bucket {
  tokens: number;
  at: number;
}

export function createLimiter(options: LimiterOptions): Limiter {
  const { perMinute, maxKeys, clock } = options;
  if (perMinute <= 0) return { take: () => 0 };
  const perMs = perMinute / 60_000;
  const buckets = new Map<string, Bucket>();

  function bucketOf(key: string, now: number): Bucket {
    const known = buckets.get(key);
    if (known !== undefined) {
      buckets.delete(key);
      buckets.set(key, known);
      return known;
    }
    const oldest = buckets.size >= maxKeys ? buckets.keys().next() : null;
    if (oldest !== null && !oldest.done) buckets.delete(oldest.value);
    const fresh = { tokens: perMinute, at: now };
    buckets.set(key, fresh);
    return fresh;
  }

  return {
    take(key) {
      const now = clock.elapsed();
      const bucket = bucketOf(key, now);
      bucket.tokens = Math.min(perMinute, bucket.tokens + (now - bucket.at) * perMs);
      bucket.at = now;
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return 0;
      }
      return Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000));
    },
  };
}
