/**
 * `GET /metrics`, for monitoring: how much was asked, what came of it, and how far the index is (product §6).
 *
 * Tells nothing but numbers, and those of the whole space only to who may read the whole space.
 */

import type { Clock } from "../core/clock.ts";
import type { LogFields, Logger } from "../core/log.ts";
import { counted, Counter, formatMetrics, gauge, type Sample } from "../core/metrics.ts";
import type { IndexState } from "../notes/feed/page_index.ts";
import { narrowPrincipal } from "../tools/profiles.ts";
import { textResponse } from "../web/respond.ts";
import type { Handler } from "./pipeline.ts";
import { refuse } from "./refusals.ts";

export interface MetricsOptions {
  readonly version: string;
  /** How far the index is; `null` where there is none. */
  readonly index: () => IndexState | null;
  readonly clock: Clock;
}

export interface Metrics {
  /** The same logger, with what it is told of tool calls counted. */
  counting(logger: Logger): Logger;
  /** An answered request. */
  answered(route: string, status: number): void;
  readonly handler: Handler;
}

const contentType = "text/plain; version=0.0.4; charset=utf-8";

export function createMetrics({ version, index, clock }: MetricsOptions): Metrics {
  const started = clock.elapsed();
  const requests = new Counter("silverbridge_http_requests_total", "Requests answered, by route and status");
  const calls = new Counter("silverbridge_tool_calls_total", "Tool calls, by tool and outcome");
  const seconds = new Counter("silverbridge_tool_seconds_total", "Time spent in tool calls, by tool");

  function samples(): Sample[] {
    const state = index();
    const bytes = residentMemory();
    return [
      {
        name: "silverbridge_info",
        help: "The running version",
        kind: "gauge",
        values: [{ labels: { version }, value: 1 }],
      },
      gauge("silverbridge_uptime_seconds", "Since the start", round((clock.elapsed() - started) / 1000)),
      ...(bytes === null ? [] : [gauge("silverbridge_memory_bytes", "Resident memory", bytes)]),
      requests.sample(),
      calls.sample(),
      seconds.sample(),
      ...(state === null ? [] : indexSamples(state)),
    ];
  }

  return {
    counting: (logger) => ({
      log(level, event, fields) {
        if (event === "tool" && fields !== undefined) count(fields);
        logger.log(level, event, fields);
      },
      incident: (event, error, fields) => logger.incident(event, error, fields),
    }),
    answered: (route, status) => requests.add({ route, status }),
    handler({ principal }) {
      if (principal !== null && !readsEverything(principal)) return refuse("rights-too-narrow");
      return textResponse(200, formatMetrics(samples()), { "content-type": contentType });
    },
  };

  function count({ tool, outcome, ms }: LogFields): void {
    if (typeof tool !== "string" || typeof outcome !== "string") return;
    calls.add({ tool, outcome });
    if (typeof ms === "number") seconds.add({ tool }, ms / 1000);
  }
}

function indexSamples(state: IndexState): Sample[] {
  const prefix = "silverbridge_index";
  const { comparedAgo } = state;
  return [
    gauge(`${prefix}_files`, "Files that the index knows", state.files),
    gauge(
      `${prefix}_complete`,
      "1 when everything listed is in the index",
      state.complete.includes("") ? 1 : 0,
    ),
    gauge(`${prefix}_filled_ratio`, "Share of the listed files that is in", round(state.filled)),
    gauge(`${prefix}_waiting_files`, "Files still to be read", state.waiting),
    gauge(`${prefix}_failed_files`, "Files that cannot be read and are tried again", state.failed),
    gauge(
      `${prefix}_behind`,
      "1 while SilverBullet or the disk keeps the index from following",
      state.isBehind ? 1 : 0,
    ),
    ...(comparedAgo === null ? [] : [
      gauge(
        `${prefix}_compared_seconds_ago`,
        "Since the list was last compared",
        round(comparedAgo / 1000),
      ),
    ]),
    gauge(`${prefix}_bytes`, "Size of the index", state.bytes),
    counted(`${prefix}_reads_total`, "Files read for the index", state.reads),
    counted(`${prefix}_read_failures_total`, "Reads for the index that failed", state.readFailures),
  ];
}

/** `null` where it may not be told. */
function residentMemory(): number | null {
  try {
    return Deno.memoryUsage().rss;
  } catch {
    return null;
  }
}

function readsEverything(principal: Parameters<typeof narrowPrincipal>[0]): boolean {
  return narrowPrincipal(principal).rights.describe().verbs.read?.join() === "**";
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
