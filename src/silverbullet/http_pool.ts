/** The keep-alive connection pool to SilverBullet, with a private certificate authority where there is one. */

export interface HttpPool {
  readonly fetch: typeof fetch;
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
  const client = Deno.createHttpClient({
    poolMaxIdlePerHost: options.connections,
    poolIdleTimeout: idleMilliseconds,
    ...(options.caPem === null ? {} : { caCerts: [options.caPem] }),
  });
  return {
    fetch: (input, init) => fetch(input, { ...init, client }),
    close: () => client.close(),
  };
}
