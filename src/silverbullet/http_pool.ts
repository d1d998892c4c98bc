/**
 * The connections to SilverBullet, with a private certificate authority where there is one: a keep-alive pool for
 * reading, and a connection of its own for every change.
 *
 * `fetch` by itself sends a request a second time when a connection from a pool breaks under it, PUT and DELETE too. On a
 * new connection it does not.
 */

export interface HttpPool {
  readonly fetch: typeof fetch;
  /** Sends a request once at most. */
  readonly fetchOnce: typeof fetch;
  close(): void;
}

export interface HttpPoolOptions {
  readonly caPem: string | null;
  /** Idle connections that are kept. */
  readonly connections: number;
}

/** Shorter than what common servers and proxies allow an idle connection. */
const idleMilliseconds = 20_000;

export function createHttpPool(options: HttpPoolOptions): HttpPool {
  const trust = options.caPem === null ? {} : { caCerts: [options.caPem] };
  const pooled = Deno.createHttpClient({
    ...trust,
    poolMaxIdlePerHost: options.connections,
    poolIdleTimeout: idleMilliseconds,
  });
  const single = Deno.createHttpClient({ ...trust, poolMaxIdlePerHost: 0 });
  return {
    fetch: (input, init) => fetch(input, { ...init, client: pooled }),
    fetchOnce: (input, init) => fetch(input, { ...init, client: single }),
    close() {
      pooled.close();
      single.close();
    },
  };
}
