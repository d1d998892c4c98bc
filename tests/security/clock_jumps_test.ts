/** The system's clock is set back or forward, by a day or a year: nothing lasts, ends, locks or is thrown away for that. */

import assert from "node:assert/strict";
import { Budget } from "../../src/notes/budget.ts";
import { settlePage } from "../../src/notes/writing/settle.ts";
import { History, type IntendedChange } from "../../src/notes/past/history.ts";
import { Retention } from "../../src/notes/past/retention.ts";
import type { NotesParts } from "../../src/notes/parts.ts";
import { silentLogger } from "../../src/core/log.ts";
import type { PagePath } from "../../src/core/page_name.ts";
import { keptPassphrase, sha256Hex } from "../../src/core/secrets.ts";
import { Documents } from "../../src/oauth/documents.ts";
import { OwnerPasses } from "../../src/oauth/owner_passes.ts";
import { OwnerSessions } from "../../src/oauth/owner_sessions.ts";
import { openMemoryState } from "../../src/state/state.ts";
import { HandClock } from "../support/hand_clock.ts";
import { principal } from "../support/mcp_endpoint.ts";
import {
  approvalOf,
  challenge,
  day,
  hour,
  type SignInStore,
  signInStore,
  verifier,
} from "../support/sign_in_store.ts";
import { cites } from "../requirements.ts";

const year = 365 * day;
const clientId = "https://claude.ai/oauth/x";

function signIn(store: SignInStore) {
  const { code } = store.codes.issue(approvalOf(), challenge);
  const pair = store.codes.redeem({ code, clientId, redirectUri: "https://claude.ai/cb", verifier });
  assert.ok(!("reason" in pair));
  return { accessToken: pair.accessToken, refreshToken: pair.refreshToken ?? "" };
}

function refresh(store: SignInStore, token: string) {
  return store.tokens.refresh(token, { clientId, wanted: null });
}

for (const [name, jump] of [["a day", day], ["a year", year]] as const) {
  Deno.test(`a clock set back by ${name} makes no access token last, and the next one works`, () => {
    cites("clock.jumps");
    const store = signInStore();
    let { accessToken, refreshToken } = signIn(store);
    // More than are kept of one grant, so that the newest would be taken for the oldest.
    for (let count = 0; count < 70; count++) {
      store.clock.advance(60_000);
      const pair = refresh(store, refreshToken);
      assert.ok(!("reason" in pair));
      ({ accessToken } = pair);
      refreshToken = pair.refreshToken ?? "";
    }
    store.clock.setBack(jump);
    assert.equal(store.tokens.findAccess(accessToken), null);
    const pair = refresh(store, refreshToken);
    assert.ok(!("reason" in pair), JSON.stringify(pair));
    assert.notEqual(store.tokens.findAccess(pair.accessToken), null, "what was just given out is known");
    store.clock.advance(25 * hour);
    assert.equal(store.tokens.findAccess(pair.accessToken), null);
    store.state.close();
  });

  Deno.test(`a clock set back by ${name} makes no grace of a used refresh token last, and accuses nobody`, () => {
    cites("clock.jumps");
    const store = signInStore();
    const first = signIn(store);
    const second = refresh(store, first.refreshToken);
    assert.ok(!("reason" in second));
    store.clock.setBack(jump);
    store.clock.advance(hour);
    const replayed = refresh(store, first.refreshToken);
    assert.ok("reason" in replayed);
    assert.ok(!("reason" in refresh(store, second.refreshToken ?? "")), "the grant goes on");
    store.state.close();
  });

  Deno.test(`a clock set back by ${name} makes no session of the owner last, and new ones and passes work`, () => {
    cites("clock.jumps");
    const [state, clock] = [openMemoryState(), new HandClock()];
    const secret = keptPassphrase("correct horse battery");
    assert.ok(secret !== null);
    const sessions = new OwnerSessions({ state, clock, secret });
    const passes = new OwnerPasses({ state, clock });
    const before = Array.from({ length: 40 }, () => sessions.begin());
    for (let count = 0; count < 200; count++) passes.giveBrowser();
    clock.setBack(jump);
    for (const cookie of before) assert.equal(sessions.find(cookie), null);
    assert.notEqual(sessions.find(sessions.begin()), null);
    assert.notEqual(passes.sourceOf(passes.giveBrowser()), null);
    state.close();
  });

  Deno.test(`a clock set back by ${name} stops no client from changing pages`, async () => {
    cites("clock.jumps");
    const [state, clock] = [openMemoryState(), new HandClock()];
    const history = new History({ state, clock });
    const limits = { changed: 2, deleted: 1, explicit: true };
    for (const kept of [history, null]) {
      const budget = new Budget({ limits, history: kept, clock, log: silentLogger });
      const spend = async (path: string) => {
        if (kept !== null) await kept.begin(change(path));
        budget.spend(who, { path: path as PagePath, deletes: false });
      };
      await spend("A.md");
      await spend("B.md");
      const third = () => budget.demand(who, { path: "C.md" as PagePath, deletes: false });
      assert.throws(third, /limit/);
      clock.setBack(jump);
      clock.advance(hour + 1);
      assert.doesNotThrow(third);
      clock.setBack(-jump);
    }
    state.close();
  });

  Deno.test(`a clock set back by ${name} leaves no change unsettled for as long`, async () => {
    cites("clock.jumps");
    const [state, clock] = [openMemoryState(), new HandClock()];
    const history = new History({ state, clock });
    const id = await history.begin(change("A.md"));
    clock.setBack(jump);
    const parts = { history, clock, log: silentLogger } as unknown as NotesParts;
    await settlePage(parts, {} as never, { path: "A.md" as PagePath, content: null });
    assert.equal(history.find(id)?.outcome, "not_applied");
    state.close();
  });

  Deno.test(`a clock that is ahead by ${name} for an hour makes nothing forgotten`, async () => {
    cites("clock.jumps");
    const store = signInStore();
    const { state, clock, grants } = store;
    const history = new History({ state, clock });
    const bounds = { historyDays: 30, trashDays: 90, historyBytes: 1e9, hidden: () => false };
    const retention = new Retention({ state, history, clock, ...bounds });
    const { refreshToken } = signIn(store);
    const id = await history.begin(change("A.md"));
    history.confirm(id, "atomic");
    clock.setBack(-jump);
    clock.advance(hour);
    while (retention.prune()) { /* as the upkeep does */ }
    grants.prune();
    assert.notEqual(history.find(id), null);
    clock.setBack(jump);
    assert.ok(!("reason" in refresh(store, refreshToken)), "whoever signed in still is");
    // And in due time it is forgotten all the same.
    for (let days = 0; days < 40; days++) {
      clock.advance(day);
      while (retention.prune()) { /* as the upkeep does */ }
    }
    assert.equal(history.find(id), null);
    state.close();
  });
}

Deno.test("a clock that is put right by a year after the start still lets the history age", async () => {
  cites("clock.jumps");
  const [state, clock] = [openMemoryState(), new HandClock()];
  const history = new History({ state, clock });
  const id = await history.begin(change("A.md"));
  history.confirm(id, "atomic");
  // The program starts before the machine has its time.
  clock.setBack(50 * year);
  const bounds = { historyDays: 30, trashDays: 90, historyBytes: 1e9, hidden: () => false };
  const retention = new Retention({ state, history, clock, ...bounds });
  retention.prune();
  clock.setBack(-50 * year);
  for (let hours = 0; hours < 26; hours++) {
    clock.advance(hour);
    retention.prune();
  }
  assert.notEqual(history.find(id), null);
  clock.advance(31 * day);
  while (retention.prune()) { /* as the upkeep does */ }
  assert.equal(history.find(id), null);
  state.close();
});

Deno.test("a clock set back makes no client document fresh for as long", async () => {
  cites("clock.jumps");
  const [state, clock] = [openMemoryState(), new HandClock()];
  const id = "https://client.example/id.json";
  const document = { client_id: id, client_name: "C", redirect_uris: ["https://client.example/cb"] };
  let fetched = 0;
  const documents = new Documents({
    state,
    clock,
    logger: silentLogger,
    fetch: () => {
      fetched += 1;
      return Promise.resolve({ kind: "document", text: JSON.stringify(document), maxAge: 3600 });
    },
  });
  await documents.find(id, "1.1.1.1");
  await documents.find(id, "1.1.1.1");
  assert.equal(fetched, 1);
  clock.setBack(year);
  assert.equal((await documents.find(id, "1.1.1.1")).kind, "client");
  assert.equal(fetched, 2);
  state.close();
});

const who = principal({ id: "token:test" });

function change(path: string): IntendedChange {
  const bytes = new TextEncoder().encode("after");
  return {
    path: path as PagePath,
    action: "write",
    before: null,
    after: { hash: sha256Hex("after"), bytes },
    trashPath: null,
    principal: "token:test",
    client: null,
    tool: "write_page",
    requestId: "r1",
  };
}
