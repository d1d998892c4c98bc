import assert from "node:assert/strict";
import { cites } from "../../tests/requirements.ts";
import {
  day,
  fullConsent,
  hour,
  signIn,
  type SignInStore,
  signInStore,
} from "../../tests/support/sign_in_store.ts";
import type { RefreshRefusal, TokenPair } from "./tokens.ts";

const clientId = "https://claude.ai/oauth/x";
const minute = 60_000;

function refresh(store: SignInStore, token: string): TokenPair {
  const answer = store.tokens.refresh(token, { clientId, wanted: null });
  if ("reason" in answer) throw new Error(answer.reason);
  return answer;
}

function reasonOf(answer: TokenPair | RefreshRefusal): string | null {
  return "reason" in answer ? answer.reason : null;
}

Deno.test("an access token is good until it runs out, to the millisecond", () => {
  const store = signInStore();
  const { accessToken } = signIn(store);
  store.clock.advance(24 * hour - 1);
  assert.notEqual(store.tokens.findAccess(accessToken), null);
  store.clock.advance(1);
  assert.equal(store.tokens.findAccess(accessToken), null);
  store.state.close();
});

Deno.test("findAccess() knows no refresh token, no code and no text that only resembles a token", () => {
  const store = signInStore();
  const { accessToken, refreshToken, code } = signIn(store);
  for (
    const text of [
      "",
      refreshToken,
      code,
      accessToken.slice(1),
      `${accessToken} `,
      accessToken.toUpperCase(),
      "x".repeat(1e6),
    ]
  ) {
    assert.equal(store.tokens.findAccess(text), null);
  }
  store.state.close();
});

Deno.test("a refresh gives a new pair, and the old access token stays good for what was begun with it", () => {
  const store = signInStore();
  const first = signIn(store);
  store.clock.advance(hour);
  const second = refresh(store, first.refreshToken);
  assert.notEqual(second.accessToken, first.accessToken);
  assert.notEqual(second.refreshToken, first.refreshToken);
  assert.equal(second.expiresIn, 86400);
  for (const token of [first.accessToken, second.accessToken]) {
    assert.equal(store.tokens.findAccess(token)?.grantId, first.grantId);
  }
  store.state.close();
});

Deno.test("a refresh that is repeated within five minutes gets the very same pair", () => {
  cites("oauth.refresh");
  const store = signInStore();
  const first = signIn(store);
  const second = refresh(store, first.refreshToken);
  store.clock.advance(5 * minute);
  const repeated = refresh(store, first.refreshToken);
  assert.deepEqual(repeated, { ...second, expiresIn: 86400 - 300 });
  store.state.close();
});

Deno.test("parts of a client that refresh at the same time, each with what it has, all stay signed in", () => {
  const store = signInStore();
  let held = Array.from({ length: 8 }, () => "");
  held.fill(signIn(store).refreshToken);
  for (let round = 0; round < 5; round++) {
    held = held.map((token) => refresh(store, token).refreshToken ?? "");
    assert.equal(new Set(held).size, 1);
    store.clock.advance(24 * hour);
  }
  // One part slept through a round, but not through the grace.
  const early = held[0] ?? "";
  const next = refresh(store, early).refreshToken ?? "";
  const later = refresh(store, next).refreshToken ?? "";
  assert.equal(refresh(store, early).refreshToken, next);
  assert.equal(refresh(store, next).refreshToken, later);
  store.state.close();
});

Deno.test("a refresh token that comes again after the grace ends the grant, whoever holds which token", () => {
  cites("oauth.refresh");
  const store = signInStore();
  const first = signIn(store);
  const second = refresh(store, first.refreshToken);
  store.clock.advance(5 * minute + 1);
  const reused = store.tokens.refresh(first.refreshToken, { clientId, wanted: null });
  assert.deepEqual(reused, { reason: "refresh_token_reused", grantId: first.grantId });
  assert.equal(store.grants.find(first.grantId)?.ended?.ending, "refresh_reused");
  for (const token of [first.accessToken, second.accessToken]) {
    assert.equal(store.tokens.findAccess(token), null);
  }
  assert.notEqual(
    reasonOf(store.tokens.refresh(second.refreshToken ?? "", { clientId, wanted: null })),
    null,
  );
  store.state.close();
});

Deno.test("a refresh token slides for ninety days, and the grant ends after a year all the same", () => {
  const store = signInStore();
  const { refreshToken, grantId } = signIn(store);
  let token = refreshToken;
  for (let round = 0; round < 4; round++) {
    store.clock.advance(89 * day);
    token = refresh(store, token).refreshToken ?? "";
  }
  store.clock.advance(8 * day);
  const last = refresh(store, token);
  assert.equal(last.expiresIn, 86400);
  store.clock.advance(day);
  assert.equal(
    reasonOf(store.tokens.refresh(last.refreshToken ?? "", { clientId, wanted: null })),
    "grant_ended",
  );
  assert.equal(store.tokens.findAccess(last.accessToken), null);
  const grant = store.grants.find(grantId);
  assert.equal(grant !== null && store.grants.isLive(grant), false);

  const idle = signIn(store);
  store.clock.advance(90 * day);
  assert.equal(
    reasonOf(store.tokens.refresh(idle.refreshToken, { clientId, wanted: null })),
    "refresh_token_expired",
  );
  store.state.close();
});

Deno.test("another client cannot use a refresh token, and does no harm by trying", () => {
  const store = signInStore();
  const { refreshToken } = signIn(store);
  const other = store.tokens.refresh(refreshToken, { clientId: "other", wanted: null });
  assert.equal(reasonOf(other), "refresh_token_of_other_client");
  assert.ok(refresh(store, refreshToken).accessToken);
  store.state.close();
});

Deno.test("a refresh may narrow the scope of its access token, and never widens what was approved", () => {
  const store = signInStore();
  const full = signIn(store);
  const narrow = store.tokens.refresh(full.refreshToken, {
    clientId,
    wanted: { write: false, offline: false },
  });
  assert.ok(!("reason" in narrow));
  assert.equal(narrow.scope, "read");
  assert.equal(store.tokens.findAccess(narrow.accessToken)?.write, false);
  const back = refresh(store, narrow.refreshToken ?? "");
  assert.equal(back.scope, "read write", "the grant itself was not narrowed");

  const reader = signIn(store, { asksWrite: false });
  const wide = store.tokens.refresh(reader.refreshToken, {
    clientId,
    wanted: { write: true, offline: false },
  });
  assert.equal(reasonOf(wide), "scope_widened");
  store.state.close();
});

Deno.test("what the owner changes on a grant counts at once, and ending it ends every token", () => {
  const store = signInStore();
  const { grantId, accessToken, refreshToken } = signIn(store);
  const sees = ["Public/**"];
  assert.equal(
    store.grants.setConsent(grantId, { write: false, sees, changes: [], roots: [], profile: "read" }),
    true,
  );
  assert.deepEqual(store.grants.find(grantId)?.approval.consent.sees, sees);
  assert.match(store.tokens.findAccess(accessToken)?.approval ?? "", /"sees":\["Public\/\*\*"\]/);
  assert.equal(refresh(store, refreshToken).scope, "read");
  assert.equal(store.grants.end(grantId, "owner"), true);
  assert.equal(store.grants.end(grantId, "owner"), false);
  assert.equal(store.tokens.findAccess(accessToken), null);
  assert.equal(
    store.grants.setConsent(grantId, { write: true, sees, changes: sees, roots: [], profile: null }),
    false,
  );
  store.state.close();
});

Deno.test("a client that may change pages from now on is made to renew tokens that are for reading alone", () => {
  const store = signInStore();
  const reading = { ...fullConsent, write: false, changes: [] };
  const { grantId, accessToken, refreshToken } = signIn(store, { consent: reading });
  assert.equal(store.tokens.findAccess(accessToken)?.write, false);
  store.grants.setConsent(grantId, { ...reading, sees: ["A/**"] });
  assert.ok(store.tokens.findAccess(accessToken) !== null, "nothing to renew");
  store.grants.setConsent(grantId, fullConsent);
  assert.equal(store.tokens.findAccess(accessToken), null);
  const renewed = refresh(store, refreshToken);
  assert.equal(store.tokens.findAccess(renewed.accessToken)?.write, true);
  store.grants.setConsent(grantId, reading);
  store.grants.setConsent(grantId, fullConsent);
  assert.equal(store.tokens.findAccess(renewed.accessToken)?.write, true, "and need not do so again");
  store.state.close();
});

Deno.test("two processes on one state agree: one exchange, and what is ended is ended in both", async () => {
  const dir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    const one = signInStore({ dir });
    const two = signInStore({ dir, clock: one.clock });
    const { accessToken, refreshToken, grantId } = signIn(one);
    assert.equal(two.tokens.findAccess(accessToken)?.grantId, grantId);
    assert.deepEqual(refresh(two, refreshToken), refresh(one, refreshToken));
    two.grants.end(grantId, "owner");
    assert.equal(one.tokens.findAccess(accessToken), null);
    for (const each of [one, two]) each.state.close();
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("a client that refreshes without end fills no disk", () => {
  const store = signInStore();
  let token = signIn(store).refreshToken;
  for (let round = 0; round < 400; round++) {
    store.clock.advance(1000);
    token = refresh(store, token).refreshToken ?? "";
  }
  const count = store.state.db.prepare("SELECT count(*) AS n FROM tokens").get()?.["n"];
  assert.ok(typeof count === "number" && count <= 64 + 256, String(count));
  assert.ok(refresh(store, token).accessToken, "the newest is never the one that goes");
  store.state.close();
});

Deno.test("prune() forgets expired tokens, and grants a month after they are over", () => {
  const store = signInStore();
  const ended = signIn(store);
  const idle = signIn(store);
  store.grants.end(ended.grantId, "owner");
  store.clock.advance(31 * day);
  store.grants.prune();
  assert.deepEqual(store.grants.list().map(({ id }) => id), [idle.grantId]);
  assert.ok(refresh(store, idle.refreshToken).accessToken);
  store.clock.advance(121 * day);
  store.grants.prune();
  assert.deepEqual(store.grants.list(), []);
  assert.equal(store.state.db.prepare("SELECT count(*) AS n FROM tokens").get()?.["n"], 0);
  store.state.close();
});

Deno.test("noteUse() keeps the time of the last call, to the minute", () => {
  const store = signInStore();
  const { grantId } = signIn(store);
  assert.equal(store.grants.find(grantId)?.used, null);
  store.grants.noteUse(grantId);
  const first = store.clock.now();
  store.clock.advance(59_000);
  store.grants.noteUse(grantId);
  assert.equal(store.grants.find(grantId)?.used, first);
  store.clock.advance(2_000);
  store.grants.noteUse(grantId);
  assert.equal(store.grants.find(grantId)?.used, store.clock.now());
  store.state.close();
});
