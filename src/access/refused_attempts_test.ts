import assert from "node:assert/strict";
import { HandClock } from "../../tests/support/hand_clock.ts";
import type { AuditEvent } from "../core/audit.ts";
import { silentLogger } from "../core/log.ts";
import { openMemoryState } from "../state/state.ts";
import { RefusedAttempts } from "./refused_attempts.ts";

function setUp(hidden = "Secret/", shared = { state: openMemoryState(), clock: new HandClock() }) {
  const { state, clock } = shared;
  const hides = (page: string) => page.startsWith(hidden);
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
    refused.list({ limit: 10 }).map(({ what, who, code, count, detail }) => [what, who, code, count, detail])
      .sort(),
    [
      ["sign-in", "", "secret_wrong", 2, "203.0.113.10"],
      ["write_page", "grant:1", "forbidden_path", 3, "C"],
      ["write_page", "token:laptop", "forbidden_path", 1, "D"],
    ],
  );
  const [row] = refused.list({ limit: 10 }).filter(({ who }) => who === "grant:1");
  assert.equal((row?.last ?? 0) - (row?.first ?? 0), 4000);
  clock.advance(3_600_000);
  tool({ page: "A" });
  assert.equal(refused.list({ limit: 10 }).length, 4, "another hour is another row");
  state.close();
});

Deno.test("only refusals that tell something of a caller are kept, and never the name of a hidden page", () => {
  const { state, refused, tool, signIn } = setUp();
  for (const outcome of ["ok", "conflict", "not_found", "upstream", "invalid_argument"]) tool({ outcome });
  signIn("ok");
  assert.deepEqual(refused.list({ limit: 10 }), []);
  tool({ page: "Secret/plan" });
  tool({ page: "x".repeat(5000), principal: "grant:2" });
  tool({ page: "x".repeat(600), principal: "grant:3" });
  assert.deepEqual(refused.list({ limit: 10 }).map(({ detail }) => detail).sort(), ["", "", "x".repeat(600)]);
  state.close();
});

Deno.test("a page that is hidden later is not named any more, nor found by its name", () => {
  const { state, clock, refused, tool, signIn } = setUp();
  tool({ page: "Plans/one" });
  signIn("secret_wrong");
  assert.deepEqual(refused.list({ limit: 5, about: "PLANS" }).map(({ detail }) => detail), ["Plans/one"]);
  const later = setUp("Plans/", { state, clock });
  assert.deepEqual(later.refused.list({ limit: 5 }).map(({ detail }) => detail).sort(), ["", "203.0.113.9"]);
  assert.deepEqual(later.refused.list({ limit: 5, about: "plans" }), []);
  state.close();
});

Deno.test("refusals of one caller, or about one page, are found among all", () => {
  const { state, refused, tool, signIn } = setUp();
  tool({ page: "A" });
  tool({ page: "B", principal: "grant:2" });
  signIn("secret_wrong");
  assert.deepEqual(refused.list({ limit: 5, who: "grant:2" }).map(({ detail }) => detail), ["B"]);
  assert.deepEqual(refused.list({ limit: 5, about: "a" }).map(({ who }) => who), ["grant:1"]);
  assert.deepEqual(refused.list({ limit: 5, who: "' OR 1=1 --" }), []);
  state.close();
});

Deno.test("a flood of refusals is a few writes, and a bounded number of rows for a month", () => {
  const { state, clock, refused, tool, signIn } = setUp();
  const writes = () => Number(state.db.prepare("SELECT total_changes() AS n").get()?.["n"]);
  for (let each = 0; each < 10_000; each++) signIn("secret_locked", `198.51.100.${each % 250}`);
  assert.ok(writes() < 10, `${writes()} rows written`);
  assert.equal(refused.list({ limit: 10 })[0]?.count, 10_000);
  for (let each = 0; each < 3000; each++) tool({ principal: `grant:${each}` });
  assert.ok(refused.list({ limit: 10_000 }).length <= 1000);
  clock.advance(31 * 86_400_000);
  tool({});
  assert.equal(refused.list({ limit: 10 }).length, 1);
  state.close();
});

Deno.test("a state that cannot be written is in nobody's way", () => {
  const { state, refused, tool, clock } = setUp();
  state.db.exec("DROP TABLE refusals");
  tool({});
  clock.advance(2000);
  tool({});
  assert.throws(() => refused.list({ limit: 1 }), "the page says so; the calls went on");
  state.close();
});
