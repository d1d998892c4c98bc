import assert from "node:assert/strict";
import {
  approvalOf,
  challenge,
  hour,
  signIn,
  signInStore,
  verifier,
} from "../../tests/support/sign_in_store.ts";

const clientId = "https://claude.ai/oauth/x";
const redirectUri = "https://claude.ai/cb";

Deno.test("a code is exchanged once, for tokens of the grant that it was made for", () => {
  const store = signInStore();
  const { code, grantId } = store.codes.issue(approvalOf(), challenge);
  assert.equal(store.grants.find(grantId), null, "no grant before the client comes for it");
  const pair = store.codes.redeem({ code, clientId, redirectUri, verifier });
  assert.ok(!("reason" in pair));
  assert.deepEqual([pair.grantId, pair.expiresIn, pair.scope], [grantId, 86400, "read write"]);
  assert.match(pair.accessToken, /^[\w-]{43}$/);
  assert.match(pair.refreshToken ?? "", /^[\w-]{43}$/);
  assert.equal(store.tokens.findAccess(pair.accessToken)?.grantId, grantId);
  store.state.close();
});

Deno.test("the second use of a code is refused and ends the grant with all its tokens", () => {
  const store = signInStore();
  const first = signIn(store);
  const again = store.codes.redeem({ code: first.code, clientId, redirectUri, verifier });
  assert.deepEqual(again, { reason: "code_replayed", grantId: first.grantId });
  assert.equal(store.tokens.findAccess(first.accessToken), null);
  const refreshed = store.tokens.refresh(first.refreshToken, { clientId, wanted: null });
  assert.ok("reason" in refreshed);
  assert.equal(store.grants.find(first.grantId)?.ended?.ending, "code_replayed");
  store.state.close();
});

Deno.test("a code lasts a minute, and no longer when the clock is set back", () => {
  for (
    const [ms, reason] of [[59_999, null], [60_000, "code_expired"], [hour, "code_expired"], [
      -2 * hour,
      "code_expired",
    ], [-500, null]] as const
  ) {
    const store = signInStore();
    const { code } = store.codes.issue(approvalOf(), challenge);
    if (ms < 0) store.clock.setBack(-ms);
    else store.clock.advance(ms);
    const pair = store.codes.redeem({ code, clientId, redirectUri, verifier });
    assert.equal("reason" in pair ? pair.reason : null, reason, String(ms));
    store.state.close();
  }
});

Deno.test("a code opens nothing without its verifier, its redirect address and its client", () => {
  const table: Array<[Partial<Record<"clientId" | "redirectUri" | "verifier", string>>, string]> = [
    [{ verifier: "a".repeat(43) }, "verifier_wrong"],
    [{ verifier: challenge }, "verifier_wrong"],
    [{ verifier: "" }, "verifier_wrong"],
    [{ redirectUri: "https://claude.ai/cb/" }, "redirect_differs"],
    [{ redirectUri: "https://evil.example/cb" }, "redirect_differs"],
    [{ clientId: "https://evil.example/client" }, "code_of_other_client"],
  ];
  for (const [change, reason] of table) {
    const store = signInStore();
    const { code } = store.codes.issue(approvalOf(), challenge);
    const wrong = store.codes.redeem({ code, clientId, redirectUri, verifier, ...change });
    assert.equal("reason" in wrong && wrong.reason, reason);
    const after = store.codes.redeem({ code, clientId, redirectUri, verifier });
    const usable = reason === "code_of_other_client";
    assert.equal("reason" in after, !usable, `${reason}: afterwards`);
    assert.equal(store.grants.list().length, usable ? 1 : 0);
    store.state.close();
  }
});

Deno.test("a code that never was is refused, whatever else is right", () => {
  const store = signInStore();
  const answer = store.codes.redeem({ code: "a".repeat(43), clientId, redirectUri, verifier });
  assert.deepEqual(answer, { reason: "code_unknown", grantId: null });
  store.state.close();
});

Deno.test("a client may leave the redirect address out at the exchange, as OAuth 2.1 has it", () => {
  const store = signInStore();
  const { code } = store.codes.issue(approvalOf(), challenge);
  assert.ok("accessToken" in store.codes.redeem({ code, clientId, redirectUri: null, verifier }));
  store.state.close();
});

Deno.test("what the owner gave bounds the scope, and what the client asked for does, too", () => {
  const store = signInStore();
  const readOnly = { write: false, sees: ["**"], changes: [], roots: [], profile: null } as const;
  assert.equal(signIn(store, { consent: readOnly }).scope, "read");
  assert.equal(signIn(store, { asksWrite: false }).scope, "read");
  assert.equal(signIn(store, { asksOffline: true }).scope, "read write offline_access");
  store.state.close();
});

Deno.test("a refresh token comes unless the client has no use for one", () => {
  const store = signInStore();
  assert.equal(signIn(store, { refreshes: false }).refreshToken, "");
  assert.notEqual(signIn(store, { refreshes: false, asksOffline: true }).refreshToken, "");
  store.state.close();
});

Deno.test("no code and no token is in the state file, only hashes", async () => {
  const dir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    const store = signInStore({ dir });
    const first = signIn(store);
    const { code } = store.codes.issue(approvalOf(), challenge);
    const next = store.tokens.refresh(first.refreshToken, { clientId, wanted: null });
    assert.ok("accessToken" in next);
    const secrets = [
      code,
      first.code,
      first.accessToken,
      first.refreshToken,
      next.accessToken,
      next.refreshToken ?? "",
    ];
    const files = [...Deno.readDirSync(dir)].map(({ name }) =>
      new TextDecoder("latin1").decode(Deno.readFileSync(`${dir}/${name}`))
    );
    assert.ok(files.some((text) => text.includes("https://claude.ai/cb")), "the files are the right ones");
    for (const secret of secrets) {
      assert.ok(secret.length === 43 && !files.some((text) => text.includes(secret)));
    }
    store.state.close();
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
