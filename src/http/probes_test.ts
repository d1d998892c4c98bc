import assert from "node:assert/strict";
import { handExchange } from "../../tests/support/exchange.ts";
import type { Clock } from "../core/clock.ts";
import { type Logger, silentLogger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import { createRights } from "../core/rights.ts";
import type { Passed } from "./pipeline.ts";
import { createHealth, createReadyz, healthz, type Readiness } from "./probes.ts";

const rights = createRights({ layers: [], hidden: [], roots: "all" });
const someone: Principal = { id: "token:a", kind: "token", name: "a", rights, profile: "standard" };

function passed(principal: Principal | null = null): Passed {
  return { exchange: handExchange(), principal, body: null };
}

function readyz(answers: Array<Readiness | Error>, logger: Logger = silentLogger) {
  let now = 0;
  let asked = 0;
  const clock: Clock = { now: () => now, elapsed: () => now, sleep: () => Promise.resolve() };
  const handler = createReadyz({
    clock,
    logger,
    cacheMs: 3000,
    check: () => {
      const answer = answers[Math.min(asked++, answers.length - 1)] ?? new Error("none");
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
  return { handler, advance: (ms: number) => now += ms, asked: () => asked };
}

Deno.test("healthz answers that the server is alive and nothing else", async () => {
  const response = await healthz(passed());
  assert.equal(response.status, 200);
  assert.equal(await response.text(), '{"ok":true}');
});

Deno.test("readyz answers 503 without a reason to the caller, and asks again only after a few seconds", async () => {
  const { handler, advance, asked } = readyz([{ ok: false, reason: "silverbullet_auth" }, { ok: true }]);
  const first = await handler(passed());
  assert.equal(first.status, 503);
  assert.equal(await first.text(), '{"ok":false}');
  advance(2999);
  assert.equal((await handler(passed())).status, 503);
  assert.equal(asked(), 1);
  advance(1);
  const later = await handler(passed());
  assert.equal(later.status, 200);
  assert.equal(await later.text(), '{"ok":true}');
});

Deno.test("readyz logs what it found when that is something else than before, another reason included", async () => {
  const lines: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    log: (level, event, { reason } = {}) => lines.push([level, event, reason].join(" ").trim()),
  };
  const gone = { ok: false, reason: "silverbullet_unreachable" } as const;
  const refused = { ok: false, reason: "silverbullet_auth" } as const;
  const { handler, advance } = readyz([gone, gone, refused, { ok: true }, { ok: true }, refused], logger);
  for (let asked = 0; asked < 6; asked++) {
    await handler(passed());
    advance(3000);
  }
  assert.deepEqual(lines, [
    "warn not_ready silverbullet_unreachable",
    "warn not_ready silverbullet_auth",
    "info ready",
    "warn not_ready silverbullet_auth",
  ]);
});

Deno.test("readyz asks once however many callers wait, and a failing check is not ready", async () => {
  const { handler, asked } = readyz([new Error("boom")]);
  const answers = await Promise.all(Array.from({ length: 20 }, () => handler(passed())));
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([503]));
  assert.equal(asked(), 1);
});

Deno.test("health tells a stranger in public mode only that it is up", async () => {
  const health = createHealth({
    publicMode: true,
    queryTokenAllowed: false,
    rateLimitPerMinute: 600,
    configuredRateLimitPerMinute: 0,
  });
  assert.equal(await (await health(passed())).text(), '{"status":"ok"}');
  const told = await (await health(passed(someone))).json();
  assert.deepEqual([told.configured_rate_limit_per_minute, told.effective_rate_limit_per_minute], [0, 600]);
});

Deno.test("health has the shape that monitors of personal-mcp-bridge read", async () => {
  const health = createHealth({
    publicMode: false,
    queryTokenAllowed: true,
    rateLimitPerMinute: 0,
    configuredRateLimitPerMinute: 0,
  });
  assert.deepEqual(await (await health(passed())).json(), {
    status: "ok",
    exposure: {
      public_mode: false,
      persistent_token_query_auth_allowed: true,
      include_local_paths: false,
      generic_call_remote_allowed: false,
      problems: [],
    },
    configured_rate_limit_per_minute: 0,
    effective_rate_limit_per_minute: 0,
  });
});
