/**
 * The connection to one SilverBullet: a `PageStore` in whichever dialect the server speaks, and what probing found.
 *
 * Nothing is asked of the server before the first call.
 */

import type { Clock } from "../core/clock.ts";
import type { UpstreamKind } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { PageStore, PathLock, StoreFacts } from "../core/page_store.ts";

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
  /** Default: the platform's, over a keep-alive pool of its own. */
  readonly fetch?: typeof fetch;
  readonly clock: Clock;
  readonly lock: PathLock;
  readonly logger: Logger;
  /** True: only reading requests are ever sent, and changes are refused before any. */
  readonly readOnly: boolean;
  /** Sent as `X-Client-Id` with changes; 1 to 64 characters. Default: random. */
  readonly clientId?: string;
  readonly timeouts?: Partial<SilverBulletTimeouts>;
  /** Requests at once. Default 8. */
  readonly concurrency?: number;
  /** Largest file that is read or written, in bytes. Default 64 MiB. */
  readonly maxFileBytes?: number;
}

export type Readiness =
  | { readonly ok: true }
  | { readonly ok: false; readonly kind: UpstreamKind };

export interface SilverBullet {
  readonly store: PageStore;
  /** Probes once and remembers; probes again after a reconnect or a contradiction. */
  facts(): Promise<StoreFacts>;
  /** True when SilverBullet answers and accepts the token. Never throws for a fault of the server. */
  ready(signal: AbortSignal): Promise<Readiness>;
  close(): void;
}

/** Opens the connection. */
export function openSilverBullet(_options: SilverBulletOptions): SilverBullet {
  throw new Error("Not built yet");
}
