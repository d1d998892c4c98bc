import assert from "node:assert/strict";
import { HandClock } from "../../tests/support/hand_clock.ts";
import { hashPassphrase, keptPassphrase } from "../core/secrets.ts";
import { openMemoryState } from "../state/state.ts";
import { OwnerPasses } from "./owner_passes.ts";
import { OwnerSecret, type SecretOutcome } from "./owner_secret.ts";
import { OwnerTries } from "./owner_tries.ts";

function setUp(kept = "correct horse battery") {
  const state = openMemoryState();
  const clock = new HandClock();
  const tries = new OwnerTries({ state, clock });
  const passes = new OwnerPasses({ state, clock });
  const passphrase = keptPassphrase(kept);
  assert.ok(passphrase !== null);
  const owner = new OwnerSecret({ kept: passphrase, tries, passes });
  const attempt = (secret: string, address = "1.1.1.1", extra = {}): Promise<SecretOutcome> =>
    owner.try({ secret, address, browserPass: null, unlockCode: "", ...extra });
  return { state, clock, tries, passes, owner, attempt };
}

const right = "correct horse battery";

Deno.test("the owner's secret has three tries, then waits that double from 5 seconds to a quarter of an hour", async () => {
  const { state, clock, attempt } = setUp();
  const seen: Array<[string, number, number]> = [];
  for (let round = 0; round < 12; round++) {
    const outcome = await attempt("wrong");
    assert.ok(outcome.kind === "wrong");
    seen.push([outcome.kind, outcome.left, outcome.seconds]);
    clock.advance(outcome.seconds * 1000);
  }
  assert.deepEqual(seen.slice(0, 5), [["wrong", 2, 0], ["wrong", 1, 0], ["wrong", 0, 5], ["wrong", 0, 10], [
    "wrong",
    0,
    20,
  ]]);
  assert.deepEqual(seen.slice(5).map(([, , seconds]) => seconds), [40, 80, 160, 320, 640, 900, 900]);
  state.close();
});

Deno.test("while a source waits nothing counts, not even the right secret, and afterwards it does", async () => {
  const { state, clock, attempt } = setUp();
  for (let round = 0; round < 3; round++) await attempt("wrong");
  clock.advance(4_000);
  assert.deepEqual(await attempt(right), { kind: "locked", seconds: 1 });
  clock.advance(1_000);
  assert.deepEqual(await attempt(right), { kind: "right" });
  assert.equal((await attempt("wrong")).kind, "wrong", "and begins anew");
  state.close();
});

Deno.test("a hundred tries at once are three guesses", async () => {
  const { state, attempt } = setUp();
  const outcomes = await Promise.all(Array.from({ length: 100 }, () => attempt("wrong")));
  assert.equal(outcomes.filter(({ kind }) => kind === "wrong").length, 3);
  state.close();
});

Deno.test("waits end with a day's rest, and a clock that is set back makes nobody wait longer than the longest", async () => {
  const { state, clock, attempt, tries } = setUp();
  for (let round = 0; round < 12; round++) {
    await attempt("wrong");
    clock.advance(900_000);
  }
  await attempt("wrong");
  clock.setBack(3_600_000);
  assert.ok(tries.wait("address:1.1.1.1") <= 900);
  clock.setBack(30 * 86_400_000);
  assert.deepEqual(await attempt(right), { kind: "right" }, "rows from the future do not count");
  for (let round = 0; round < 5; round++) await attempt("wrong");
  clock.advance(86_400_001);
  const outcome = await attempt("wrong");
  assert.ok(outcome.kind === "wrong" && outcome.left === 2);
  state.close();
});

Deno.test("guessing from one address never makes another wait", async () => {
  const { state, attempt } = setUp();
  for (let round = 0; round < 3; round++) await attempt("wrong", "6.6.6.6");
  assert.equal((await attempt("wrong", "6.6.6.6")).kind, "locked");
  assert.deepEqual(await attempt(right, "1.1.1.1"), { kind: "right" });
  state.close();
});

Deno.test("guessing from many addresses makes a fresh one wait a minute, once, whatever the others do meanwhile", async () => {
  const { state, clock, attempt } = setUp();
  for (let index = 0; index < 40; index++) await attempt("wrong", `6.6.6.${index}`);
  assert.deepEqual(await attempt(right, "1.1.1.1"), { kind: "locked", seconds: 60 });
  for (let second = 0; second < 60; second++) {
    for (let index = 0; index < 5; index++) await attempt("wrong", `7.${second}.${index}.1`);
    clock.advance(1_000);
  }
  assert.deepEqual(await attempt(right, "1.1.1.1"), { kind: "right" });
  state.close();
});

Deno.test("a browser that got in before is counted by itself, at whatever address", async () => {
  const { state, attempt, passes } = setUp();
  const browserPass = passes.giveBrowser();
  for (let round = 0; round < 30; round++) await attempt("wrong");
  assert.equal((await attempt(right)).kind, "locked");
  assert.deepEqual(await attempt(right, "1.1.1.1", { browserPass }), { kind: "right" });
  for (let round = 0; round < 3; round++) await attempt("wrong", "1.1.1.1", { browserPass });
  assert.equal((await attempt(right, "9.9.9.9", { browserPass })).kind, "locked", "it cannot guess either");
  assert.equal(
    (await attempt(right, "9.9.9.9", { browserPass: "made up" })).kind,
    "right",
    "counted by address",
  );
  state.close();
});

Deno.test("a code from the machine itself gets the owner in while everybody at the address is locked out", async () => {
  const { state, clock, attempt, passes } = setUp();
  for (let round = 0; round < 30; round++) await attempt("wrong");
  const unlockCode = passes.giveUnlock();
  assert.match(unlockCode, /^[0-9a-z]{5}-[0-9a-z]{5}$/);
  assert.equal((await attempt(right)).kind, "locked");
  assert.equal(
    (await attempt("wrong", "1.1.1.1", { unlockCode })).kind,
    "wrong",
    "it is no secret by itself",
  );
  const typed = ` ${unlockCode.toUpperCase().replace("-", " ")} `;
  assert.deepEqual(await attempt(right, "1.1.1.1", { unlockCode: typed }), { kind: "right" });
  clock.advance(15 * 60_000);
  assert.equal(passes.sourceOfUnlock(unlockCode), null);
  const second = passes.giveUnlock();
  passes.giveUnlock();
  assert.equal(passes.sourceOfUnlock(second), null, "an earlier code is void");
  state.close();
});

Deno.test("unlock() begins anew with everybody", async () => {
  const { state, attempt, tries } = setUp();
  for (let round = 0; round < 5; round++) await attempt("wrong");
  assert.equal(tries.unlock(), 1);
  assert.deepEqual(await attempt(right), { kind: "right" });
  state.close();
});

Deno.test("a flood of sources stays within bounds, and those that guessed most are remembered", async () => {
  const { state, tries } = setUp();
  for (let round = 0; round < 5; round++) tries.begin("address:6.6.6.6", { own: false });
  state.transaction(() => {
    const insert = state.db.prepare("INSERT INTO owner_tries VALUES (?, 1, ?, 0)");
    for (let index = 0; index < 12_000; index++) insert.run(`address:${index}`, 1_800_000_000_000);
  });
  tries.begin("address:1.1.1.1", { own: false });
  const count = state.db.prepare("SELECT count(*) AS n FROM owner_tries").get()?.["n"];
  assert.ok(typeof count === "number" && count <= 10_000, String(count));
  assert.ok(tries.wait("address:6.6.6.6") > 0);
  state.close();
});

Deno.test("hashed secrets are judged one at a time, few wait, and known browsers do not wait behind strangers", async () => {
  const { state, attempt, passes } = setUp(await hashPassphrase(right));
  const browserPass = passes.giveBrowser();
  const strangers = Array.from({ length: 12 }, (_, index) => attempt("wrong", `5.5.5.${index}`));
  const known = attempt(right, "5.5.5.1", { browserPass });
  assert.deepEqual(await known, { kind: "right" });
  const kinds = (await Promise.all(strangers)).map(({ kind }) => kind);
  assert.equal(kinds.filter((kind) => kind === "busy").length, 4);
  assert.equal(kinds.filter((kind) => kind === "wrong").length, 8);
  state.close();
});

Deno.test("an endless text is no secret, and costs no judging", async () => {
  const { state, attempt } = setUp();
  assert.equal((await attempt("x".repeat(1_000_000))).kind, "wrong");
  state.close();
});
