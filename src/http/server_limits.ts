/** How much of everything the listener takes at one time, and how long it waits for the other end. */

import type { ListeningLimits } from "./listening.ts";

export interface ServerLimits extends ListeningLimits {
  readonly maxConnections: number;
  /** So many open at once, those being closed included, that descriptors may have run out. */
  readonly alarmConnections: number;
  readonly maxPipelined: number;
  /** Bytes of bodies being read or handled at the same time. */
  readonly maxBodiesBytes: number;
  /** Bytes of answers that were made and that nobody has taken yet. */
  readonly maxAnswersBytes: number;
  /** Time and bytes that an unread body may still take after its request was refused. */
  readonly discardMs: number;
  readonly discardBytes: number;
}

export const defaultLimits: ServerLimits = {
  maxConnections: 256,
  alarmConnections: 536,
  maxPipelined: 8,
  maxHeaders: 100,
  maxHeaderBytes: 16 * 1024,
  maxBodiesBytes: 64 * 1024 * 1024,
  maxAnswersBytes: 64 * 1024 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  // Longer than the usual proxies keep an idle upstream, so that they and not we close first.
  keepAliveTimeout: 125_000,
  discardMs: 5_000,
  discardBytes: 16 * 1024 * 1024,
};
