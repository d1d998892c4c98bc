/**
 * Which request the work at hand belongs to, so that its id can be sent on to SilverBullet from wherever that
 * work ends up.
 *
 * Carries the id and nothing else, and follows awaits, timers and queues. Work that belongs to no request, such as
 * filling the index, has none.
 */

import { AsyncLocalStorage } from "node:async_hooks";

export interface RequestScope {
  /** Runs `work`, and everything that it starts, for that request. */
  run<T>(id: string, work: () => T): T;
  /** The id of the request, or `null` outside of any. */
  readonly current: () => string | null;
}

export function createRequestScope(): RequestScope {
  const storage = new AsyncLocalStorage<string>();
  return {
    run: (id, work) => storage.run(id, work),
    current: () => storage.getStore() ?? null,
  };
}
