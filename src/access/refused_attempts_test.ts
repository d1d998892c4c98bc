import assert from "node:assert/strict";
import { HandClock } from "../../tests/support/hand_clock.ts";
import type { AuditEvent } from "../core/audit.ts";
import { silentLogger } from "../core/log.ts";
import { openMemoryState } from "../state/state.ts";
import { RefusedAttempts } from "./refused_attempts.ts";

function setUp() {
  const state = openMemoryState();
  const clock = new HandClock();
  const hides = (page: string) => page.startsWith("Secret/");
  const refused = new RefusedAttempts({ state, clock, logger: silentLogger, hides });
  const audit = refused.watching(() => {});
  const tool = (event: Partial<AuditEvent>) =>
    audit({
      ...{ action: "write_page", tool: "write_page", principal: "grant:1", requestId: "r" },
      ...{ outcome: "forbidden_path" },
      ...event,
    });
  const signIn = (outcome: string, source = "203.0.113.9") =>
    refused.noteSignIn({ action: "approve", outcome, source });
  return { state, clock, refused, tool, signIn };
}

Deno.test("refusals are counted by what, who, why and hour, with what the last one was about", () => {
  const { state, clock, refused, tool, signIn } = setUp();
  for (const page of ["A", "B", "C"]) {
    tool({ page });
    clock.advance(2000);
  }
  tool({ page: "D", principal: "token:laptop" });
  signIn("secret_wrong");
  signIn("secret_wrong", "203.0.113.10");
  assert.deepEqual(
    refused.list(10).map(({ what, who, code, count, detail }) => [what, who, code, count, detail]).sort(),
    [
      ["sign-in", "", "secret_wrong", 2, "203.0.113.10"],
      ["write_page", "grant:1", "forbidden_path", 3, "C"],
      ["write_page", "token:laptop", "forbidden_path", 1, "D"],
    ],
  );
  const [row] = refused.list(10).filter(({ who }) => who === "grant:1");
  assert.equal((row?.last ?? 0) - (row?.first ?? 0), 4000);
  clock.advance(3_600_000);
  tool({ page: "A" });
  assert.equal(refused.list(10).length, 4, "another hour is another row");
  state.close();
});

Deno.test("only refusals that tell something of a caller are kept, and never the name of a hidden page", () => {
  const { state, refused, tool, signIn } = setUp();
  for (const outcome of ["ok", "conflict", "not_found", "upstream", "invalid_argument"]) tool({ outcome });
  signIn("ok");
  assert.deepEqual(refused.list(10), []);
  tool({ page: "Secret/plan" });
  tool({ page: "x".repeat(5000), principal: "grant:2" });
  assert.deepEqual(refused.list(10).map(({ detail }) => detail).sort(), ["", "x".repeat(200)]);
  state.close();
});

Deno.test("a flood of refusals is a few writes, and a bounded number of rows for a month", () => {
  const { state, clock, refused, tool, signIn } = setUp();
  const writes = () => Number(state.db.prepare("SELECT total_changes() AS n").get()?.["n"]);
  for (let each = 0; each < 10_000; each++) signIn("secret_locked", `198.51.100.${each % 250}`);
  assert.ok(writes() < 10, `${writes()} rows written`);
  assert.equal(refused.list(10)[0]?.count, 10_000);
  for (let each = 0; each < 3000; each++) tool({ principal: `grant:${each}` });
  assert.ok(refused.list(10_000).length <= 1000);
  clock.advance(31 * 86_400_000);
  tool({});
  assert.equal(refused.list(10).length, 1);
  state.close();
});

Deno.test("a state that cannot be written is in nobody's way", () => {
  const { state, refused, tool, clock } = setUp();
  state.db.exec("DROP TABLE refusals");
  tool({});
  clock.advance(2000);
  tool({});
  assert.throws(() => refused.list(1), "the page says so; the calls went on");
  state.close();
});
