/**
 * What the operator's tools ask: alive, ready, and the posture of the server in personal-mcp-bridge's shape.
 *
 * Readiness is found out at most once in a few seconds, whoever asks, so that nobody can drive requests to
 * SilverBullet through it.
 */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import { jsonResponse } from "../web/respond.ts";
import type { Handler } from "./pipeline.ts";
import { notReadyText, type Readiness } from "./readiness.ts";

export type { Readiness };

export interface ReadinessOptions {
  /** Asks the parts behind. */
  readonly check: (signal: AbortSignal) => Promise<Readiness>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cacheMs?: number;
  readonly deadlineMs?: number;
}

/** Alive: the event loop turns. */
export const healthz: Handler = () => jsonResponse(200, { ok: true });

export function createReadyz(options: ReadinessOptions): Handler {
  const { check, clock, logger, cacheMs = 3000, deadlineMs = 5000 } = options;
  let known: { readonly ok: boolean; readonly at: number } | null = null;
  let said: string | null = null;
  let asking: Promise<boolean> | null = null;

  async function ask(): Promise<boolean> {
    const outcome = await check(AbortSignal.timeout(deadlineMs)).catch((error): Readiness => {
      logger.incident("readiness_failed", error);
      return { ok: false, reason: "fault" };
    });
    const standing = outcome.ok ? "ready" : outcome.reason;
    if (said !== standing) {
      said = standing;
      if (outcome.ok) logger.log("info", "ready");
      else logger.log("warn", "not_ready", { reason: outcome.reason, text: notReadyText(outcome.reason) });
    }
    known = { ok: outcome.ok, at: clock.elapsed() };
    return outcome.ok;
  }

  return async () => {
    if (known !== null && clock.elapsed() - known.at < cacheMs) return readyAnswer(known.ok);
    asking ??= ask().finally(() => asking = null);
    return readyAnswer(await asking);
  };
}

function readyAnswer(ok: boolean): Response {
  return jsonResponse(ok ? 200 : 503, { ok });
}

export interface HealthOptions {
  readonly publicMode: boolean;
  readonly queryTokenAllowed: boolean;
  readonly rateLimitPerMinute: number;
  readonly configuredRateLimitPerMinute: number;
}

/** In public mode a stranger learns that the server is there and nothing else. */
export function createHealth(options: HealthOptions): Handler {
  const { publicMode, queryTokenAllowed } = options;
  const full = {
    status: "ok",
    exposure: {
      public_mode: publicMode,
      persistent_token_query_auth_allowed: queryTokenAllowed,
      include_local_paths: false,
      generic_call_remote_allowed: false,
      problems: [],
    },
    configured_rate_limit_per_minute: options.configuredRateLimitPerMinute,
    effective_rate_limit_per_minute: options.rateLimitPerMinute,
  };
  return ({ principal }) => jsonResponse(200, publicMode && principal === null ? { status: "ok" } : full);
}
