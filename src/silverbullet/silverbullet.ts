/**
 * The connection to one SilverBullet: a `PageStore` in whichever dialect the server speaks, and what probing found.
 *
 * Nothing is asked of the server before the first call.
 */

import { ByteBudget } from "../core/byte_budget.ts";
import type { Clock } from "../core/clock.ts";
import { AppError, type UpstreamKind } from "../core/errors.ts";
import { randomId } from "../core/ids.ts";
import type { Logger } from "../core/log.ts";
import type { PageRevisions } from "../core/page_revisions.ts";
import type { PageStore, PathLock, StoreFacts } from "../core/page_store.ts";
import { parseAddresses } from "./addresses.ts";
import { type SpaceListener, watchEvents } from "./events.ts";
import { createHttpPool } from "./http_pool.ts";
import { KnowledgeKeeper } from "./knowledge.ts";
import { probeServer, settingsFailure } from "./probe.ts";
import { createRevisions } from "./revisions.ts";
import { createStore } from "./store.ts";
import { Transport } from "./transport.ts";
import { Wire } from "./wire.ts";

/** Milliseconds; each covers the whole answer, body included. */
export interface SilverBulletTimeouts {
  /** One read, one metadata read, one probe. Default 10,000. */
  readonly read: number;
  /** One write or delete. Default 20,000. */
  readonly write: number;
  /** The list of all files. Default 30,000. */
  readonly list: number;
  /** Waiting for a free connection. Default 10,000. */
  readonly queue: number;
}

export interface SilverBulletOptions {
  /** Absolute; may carry a path prefix and a trailing slash. */
  readonly url: string;
  readonly token: string | null;
  /** PEM text of a private certificate authority, or `null`. */
  readonly caPem?: string | null;
  /** Default: the platform's, over connections of its own. One that is given must never repeat a request by itself. */
  readonly fetch?: typeof fetch;
  readonly clock: Clock;
  readonly lock: PathLock;
  readonly logger: Logger;
  /** True: only reading requests are ever sent, and changes are refused before any. */
  readonly readOnly: boolean;
  /** Sent as `X-Request-Id`: the request that the work at hand belongs to. Default: none. */
  readonly requestId?: () => string | null;
  /** Sent as `X-Client-Id` with changes; 1 to 64 characters. Default: random. */
  readonly clientId?: string;
  readonly timeouts?: Partial<SilverBulletTimeouts>;
  /** Requests at once. Default 8. */
  readonly concurrency?: number;
  /** Largest file that is read or written, in bytes. Default 64 MiB. */
  readonly maxFileBytes?: number;
  /** Room for what is read, shared with others. Default: one of its own. */
  readonly bodies?: ByteBudget;
}

/** Room for pages in memory: the largest that is read fits in alone. */
export function roomForPages(clock: Clock): ByteBudget {
  return new ByteBudget({ max: defaultMaxFileBytes, clock, waitMs: defaults.queue });
}

export type Readiness =
  | { readonly ok: true }
  | { readonly ok: false; readonly kind: UpstreamKind };

export interface SilverBullet {
  readonly store: PageStore;
  /** What the server itself keeps of older versions. */
  readonly revisions: PageRevisions;
  /** Probes once and remembers; probes again after a reconnect or a contradiction. */
  facts(): Promise<StoreFacts>;
  /** True when SilverBullet answers and accepts the token. Never throws for a fault of the server. */
  ready(signal: AbortSignal): Promise<Readiness>;
  /**
   * Tells of changes by anyone, as they happen, until the signal aborts; where the server has no events, only
   * `live(false)` once. Resolves when the signal aborts.
   */
  watch(listener: SpaceListener, signal: AbortSignal): Promise<void>;
  close(): void;
}

const defaults: SilverBulletTimeouts = { read: 10_000, write: 20_000, list: 30_000, queue: 10_000 };
const defaultConcurrency = 8;
const defaultMaxFileBytes = 64 * 1024 * 1024;

/** Opens the connection. Throws `TypeError` for an address that is none. */
export function openSilverBullet(options: SilverBulletOptions): SilverBullet {
  const { clock, logger, lock, readOnly, token } = options;
  const timeouts = { ...defaults, ...options.timeouts };
  const concurrency = options.concurrency ?? defaultConcurrency;
  const maxFileBytes = options.maxFileBytes ?? defaultMaxFileBytes;
  const addresses = parseAddresses(options.url);
  const pool = options.fetch === undefined
    ? createHttpPool({ caPem: options.caPem ?? null, connections: concurrency })
    : { fetch: options.fetch, fetchOnce: options.fetch, close: () => {} };
  const transport = new Transport({
    fetch: pool.fetch,
    fetchOnce: pool.fetchOnce,
    token,
    clock,
    concurrency,
    queueLimit: timeouts.queue,
    bodies: options.bodies ?? roomForPages(clock),
    requestId: options.requestId ?? (() => null),
  });
  const clientId = options.clientId ?? `silverbridge-${randomId()}`;
  const onBroken = () => knowledge.forget("broken");
  const wire = new Wire({ transport, addresses, clientId, timeouts, maxFileBytes, onBroken });
  const knowledge = new KnowledgeKeeper({
    probe: () => probeServer({ wire, hasToken: token !== null, readOnly }),
    clock,
    logger,
  });
  const context = { wire, clock, lock, logger, knowledge };
  return {
    store: createStore({ context, readOnly, maxFileBytes }),
    revisions: createRevisions({
      wire,
      transport,
      addresses,
      clientId,
      clock,
      logger,
      maxFileBytes,
      readOnly,
    }),
    facts: async () => (await knowledge.get()).facts,
    ready: (signal) => checkReady(wire, signal),
    async watch(listener, signal) {
      listener.live(false);
      await watchEvents(
        { fetch: pool.fetch, url: addresses.events, token, clientId, clock, logger, onBroken },
        listener,
        signal,
      );
    },
    close: () => pool.close(),
  };
}

async function checkReady(wire: Wire, signal: AbortSignal): Promise<Readiness> {
  try {
    const { config, answer } = await wire.config({ credentials: true, signal });
    if (config !== null && "readOnly" in config) return { ok: true };
    return { ok: false, kind: settingsFailure(wire, answer).upstream ?? "fault" };
  } catch (error) {
    if (signal.aborted) return { ok: false, kind: "timeout" };
    if (error instanceof AppError) return { ok: false, kind: error.upstream ?? "fault" };
    throw error;
  }
}
