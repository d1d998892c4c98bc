/** Faults of the server worker that no request owns: logged and survived, and fatal when they pile up. */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";

export interface FaultsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told once the process is not worth trusting any longer. */
  readonly tooMany: () => void;
}

const mostPerMinute = 20;

/** Answers whom to tell of each fault. */
export function countFaults({ clock, logger, tooMany }: FaultsOptions): (error: unknown) => void {
  let times: readonly number[] = [];
  return (error) => {
    logger.incident("unexpected", error);
    const now = clock.elapsed();
    times = [...times.filter((at) => now - at < 60_000), now];
    if (times.length > mostPerMinute) tooMany();
  };
}
