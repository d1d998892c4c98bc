import assert from "node:assert/strict";
import { HandClock } from "../../tests/support/hand_clock.ts";
import { keptPassphrase } from "../core/secrets.ts";
import { openMemoryState } from "../state/state.ts";
import { OwnerDoor } from "./owner_door.ts";
import { OwnerPasses } from "./owner_passes.ts";
import { OwnerSecret } from "./owner_secret.ts";
import { OwnerSessions } from "./owner_sessions.ts";
import { OwnerTries } from "./owner_tries.ts";
import type { SignInEvent } from "./sign_in_audit.ts";

const right = "correct horse battery";
const state = () => openMemoryState();

function setUp(secret = right, shared = { state: state(), clock: new HandClock() }) {
  const kept = keptPassphrase(secret);
  assert.ok(kept !== null);
  const events: SignInEvent[] = [];
  const passes = new OwnerPasses(shared);
  const sessions = new OwnerSessions({ ...shared, secret: kept });
  const owner = new OwnerSecret({ kept, tries: new OwnerTries(shared), passes });
  const door = new OwnerDoor({
    owner,
    passes,
    sessions,
    passkeys: null,
    audit: (event) => events.push(event),
  });
  const call = { address: "1.1.1.1", browserPass: null, requestId: "r" };
  const enter = async (typed: string) => await door.enter(call, { secret: typed, unlockCode: "" });
  return { ...shared, door, sessions, events, call, enter };
}

Deno.test("the right secret opens a session of twelve hours, the wrong one nothing, and both are told of", async () => {
  const { door, clock, enter, events, state } = setUp();
  assert.deepEqual(await enter("wrong"), { kind: "wrong", left: 2, seconds: 0 });
  const entered = await enter(right);
  assert.ok(entered.kind === "in" && entered.browserPass !== null);
  assert.ok(door.find(entered.session) !== null);
  assert.deepEqual(events.map(({ action, outcome }) => [action, outcome]), [
    ["enter", "secret_wrong"],
    ["enter", "ok"],
  ]);
  clock.advance(12 * 3600_000 - 1);
  assert.ok(door.find(entered.session) !== null);
  clock.advance(1);
  assert.equal(door.find(entered.session), null, "twelve hours are over");
  state.close();
});

Deno.test("tries at the owner's page count with those at the page for clients", async () => {
  const { door, call, enter, state } = setUp();
  await enter("wrong");
  assert.equal((await door.confirm(call, { secret: "wrong", unlockCode: "" }))?.kind, "wrong");
  await enter("wrong");
  assert.equal((await enter(right)).kind, "locked");
  assert.equal(door.wait(call), 5);
  state.close();
});

Deno.test("a session ends with signing out, with the others when the owner says so, and with the secret", async () => {
  const first = setUp();
  const { door, sessions, call, enter, state, clock } = first;
  const open = async () => {
    const entered = await enter(right);
    assert.ok(entered.kind === "in");
    return entered.session;
  };
  const [one, two, three] = [await open(), await open(), await open()];
  door.leave(call, one);
  assert.deepEqual([one, two, three].map((session) => door.find(session) !== null), [false, true, true]);
  assert.equal(sessions.list().length, 2);
  assert.equal(sessions.endOthers(two), 1);
  assert.equal(door.find(three), null);
  const later = setUp("another secret", { state, clock });
  assert.equal(later.door.find(two), null, "a new secret ends what the old one opened");
  assert.equal(setUp(right, { state, clock }).door.find(two)?.id, door.find(two)?.id, "a restart does not");
  state.close();
});

Deno.test("what is kept of a session opens nothing, and only its own forms are taken", async () => {
  const { state, sessions, enter } = setUp();
  const entered = await enter(right);
  assert.ok(entered.kind === "in");
  const rows = state.db.prepare("SELECT seal FROM owner_sessions").all();
  const seal = String(rows[0]?.["seal"]);
  assert.notEqual(seal, entered.session);
  assert.equal(sessions.find(seal), null);
  assert.equal(sessions.find(`${entered.session} `), null);
  assert.equal(sessions.find(""), null);
  const ticket = sessions.ticketOf(entered.session);
  assert.ok(sessions.isTicket(ticket, entered.session));
  assert.ok(!sessions.isTicket(ticket, sessions.begin()), "another session");
  assert.ok(!sessions.isTicket("", entered.session));
  state.close();
});

Deno.test("there are twenty sessions at the most: the oldest goes", () => {
  const { state, sessions, clock } = setUp();
  const cookies = Array.from({ length: 21 }, () => {
    clock.advance(1000);
    return sessions.begin();
  });
  assert.equal(sessions.find(cookies[0] ?? ""), null);
  assert.ok(cookies.slice(1).every((cookie) => sessions.find(cookie) !== null));
  state.close();
});
