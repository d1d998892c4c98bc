/**
 * Two buckets: who is known is counted by its principal, everybody else by address.
 *
 * So a flood of strangers, even from the same address or through the same proxy, never makes a known caller wait,
 * and guessing tokens is counted like any other stranger's request.
 */

import { createLimiter } from "../core/limiter.ts";
import type { Clock } from "../core/clock.ts";
import type { Exchange } from "../web/exchange.ts";
import type { Identity } from "./bearer.ts";
import type { CallerAddress } from "./caller_address.ts";
import { refuse } from "./refusals.ts";

export interface RateGateOptions {
  /** `0`: no limit. */
  readonly perMinute: number;
  readonly callerAddress: CallerAddress;
  readonly clock: Clock;
}

export type RateGate = (exchange: Exchange, identity: Identity) => null | Response;

export function createRateGate(options: RateGateOptions): RateGate {
  const { perMinute, callerAddress, clock } = options;
  if (perMinute === 0) return () => null;
  const strangers = createLimiter({ perMinute, maxKeys: 4096, clock });
  const known = createLimiter({ perMinute, maxKeys: 4096, clock });
  return (exchange, identity) => {
    const wait = identity.kind === "known"
      ? known.take(identity.principal.id)
      : strangers.take(callerAddress(exchange));
    return wait === 0 ? null : refuse("rate-limited", { headers: { "retry-after": String(wait) } });
  };
}
