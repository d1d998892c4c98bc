/**
 * Calls of the 2025 era that are being answered, so that `notifications/cancelled` finds the one it means.
 *
 * There are no sessions, so a call is known by who made it and by its own id. Where two calls fit, none is
 * cancelled: to end somebody else's call is worse than to finish one too many.
 */

import type { RequestId } from "./rpc.ts";

export interface CallKey {
  readonly principal: string;
  readonly userAgent: string | null;
  readonly session: string | null;
  readonly id: RequestId;
}

export interface Inflight {
  /** The signal aborts when `from` does, when the call is cancelled, and at its end, which `leave` tells. */
  enter(key: CallKey, from: AbortSignal): { readonly signal: AbortSignal; leave(): void };
  /** True when exactly one call fits and was aborted. */
  cancel(key: CallKey): boolean;
}

/** One for all, since making the usual exception for every call costs more than the call's bookkeeping. */
const over = new DOMException("The exchange is over", "AbortError");

export function createInflight(): Inflight {
  const calls = new Map<string, Set<AbortController>>();
  return {
    enter(key, from) {
      const name = nameOf(key);
      const control = new AbortController();
      const onAbort = () => control.abort(from.reason);
      if (from.aborted) onAbort();
      else from.addEventListener("abort", onAbort, { once: true });
      const same = calls.get(name) ?? new Set();
      calls.set(name, same.add(control));
      return {
        signal: control.signal,
        leave() {
          from.removeEventListener("abort", onAbort);
          control.abort(over);
          same.delete(control);
          if (same.size === 0 && calls.get(name) === same) calls.delete(name);
        },
      };
    },
    cancel(key) {
      const same = calls.get(nameOf(key));
      if (same?.size !== 1) return false;
      for (const control of same) control.abort(new DOMException("Cancelled by the client", "AbortError"));
      return true;
    },
  };
}

function nameOf({ principal, userAgent, session, id }: CallKey): string {
  return JSON.stringify([principal, userAgent, session, id]);
}
