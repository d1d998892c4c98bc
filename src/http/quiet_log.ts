/** Log lines that strangers can cause: a few per kind and minute, then one line that counts the rest. */

import type { Clock } from "../core/clock.ts";
import type { LogFields, Logger, LogLevel } from "../core/log.ts";

export interface QuietLine {
  readonly level: LogLevel;
  readonly event: string;
  /** Lines of one event and key are counted together. A small closed set, never a caller's text. */
  readonly key: string;
  readonly fields: LogFields;
}

export type QuietLog = (line: QuietLine) => void;

export interface QuietLogOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly perMinute: number;
}

export function createQuietLog(options: QuietLogOptions): QuietLog {
  const { logger, clock, perMinute } = options;
  const windows = new Map<string, { since: number; count: number }>();
  return ({ level, event, key, fields }) => {
    const id = `${event} ${key}`;
    const now = clock.elapsed();
    const window = windows.get(id);
    if (window === undefined || now - window.since >= 60_000) {
      const unsaid = window === undefined ? 0 : Math.max(0, window.count - perMinute);
      windows.set(id, { since: now, count: 1 });
      logger.log(level, event, unsaid === 0 ? fields : { ...fields, unlogged_before: unsaid });
      return;
    }
    window.count += 1;
    if (window.count <= perMinute) logger.log(level, event, fields);
  };
}
