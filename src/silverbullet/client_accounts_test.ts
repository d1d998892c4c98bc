import assert from "node:assert/strict";
import { HandClock } from "../../tests/support/hand_clock.ts";
import type { Logger } from "../core/log.ts";
import { createSeal } from "../core/secrets.ts";
import { openMemoryState, type State } from "../state/state.ts";
import { AccountRenewal } from "./account_renewal.ts";
import { type ClientAccount, ClientAccounts } from "./client_accounts.ts";
import type { DeviceOutcome, DeviceToken } from "./device_flow.ts";

const day = 86_400_000;
const given: DeviceToken = {
  kind: "token",
  token: "access-1",
  refreshToken: "refresh-1",
  username: "claude",
  lifeSeconds: 365 * 86_400,
};

function accountsOf(
  state: State,
  { key = "key", space = "https://notes.example", clock = new HandClock() } = {},
) {
  const seal = createSeal(key);
  return new ClientAccounts({ state, clock, space, seal: () => seal });
}

Deno.test("an account is kept for its client, found by every process, and replaced and removed at once", () => {
  const state = openMemoryState();
  const [one, two] = [accountsOf(state), accountsOf(state)];
  assert.equal(one.find("a"), null);
  one.put("a", given);
  for (const each of [one, two]) {
    const found = each.find("a");
    assert.ok(found !== null && found !== "unreadable");
    assert.deepEqual([found.token, found.refreshToken, found.username], ["access-1", "refresh-1", "claude"]);
    assert.equal(each.find("b"), null);
  }
  two.put("a", { ...given, token: "access-2", refreshToken: null });
  const found = one.find("a");
  assert.deepEqual(typeof found === "object" && found !== null && [found.token, found.refreshToken], [
    "access-2",
    null,
  ]);
  assert.deepEqual([one.remove("a"), two.remove("a"), one.find("a"), two.find("a")], [
    true,
    false,
    null,
    null,
  ]);
  state.close();
});

Deno.test("no other key, server, client or changed text opens an account, and none of it is in clear", () => {
  const state = openMemoryState();
  accountsOf(state).put("a", given);
  assert.equal(accountsOf(state, { key: "other" }).find("a"), "unreadable");
  assert.equal(accountsOf(state, { space: "https://evil.example" }).find("a"), "unreadable");
  const row = state.db.prepare("SELECT * FROM client_accounts").get();
  const sealed = String(row?.["sealed"]);
  assert.equal(/access-1|refresh-1/.test(JSON.stringify(row)), false);
  assert.equal(/access-1|refresh-1/.test(atob(sealed.replaceAll("-", "+").replaceAll("_", "/"))), false);
  state.db.prepare("UPDATE client_accounts SET client = 'b'").run();
  assert.equal(accountsOf(state).find("b"), "unreadable");
  for (
    const changed of [
      "",
      "A",
      sealed.slice(0, -2),
      `${sealed}AA`,
      sealed.replace(/^./, (c) => c === "A" ? "B" : "A"),
    ]
  ) {
    state.db.prepare("UPDATE client_accounts SET client = 'a', sealed = ?").run(changed);
    assert.equal(accountsOf(state).find("a"), "unreadable", changed);
  }
  state.db.prepare("UPDATE client_accounts SET sealed = ?").run(sealed);
  assert.notEqual(accountsOf(state).find("a"), "unreadable");
  state.close();
});

Deno.test("an account is renewed a month before it runs out, once an hour, and stays as it was where that fails", async () => {
  const state = openMemoryState();
  const clock = new HandClock();
  const accounts = accountsOf(state, { clock });
  accounts.put("a", given);
  const asked: string[] = [];
  const logged: string[] = [];
  let answer: () => Promise<DeviceOutcome> = () => Promise.resolve({ kind: "failed", reason: "unreachable" });
  const logger: Logger = {
    log: (_level, event, fields = {}) => void logged.push(`${event} ${fields["outcome"]}`),
    incident: () => "",
  };
  const renewal = new AccountRenewal({
    ...{ accounts, clock, logger },
    renew(refreshToken) {
      asked.push(refreshToken);
      return answer();
    },
  });
  const look = async (): Promise<ClientAccount> => {
    const account = accounts.find("a");
    assert.ok(account !== null && account !== "unreadable");
    await renewal.look("a", account);
    return account;
  };
  clock.advance(334 * day);
  await look();
  assert.deepEqual(asked, []);
  clock.advance(2 * day);
  await Promise.all([look(), look(), look()]);
  assert.deepEqual([asked, (await look()).token], [["refresh-1"], "access-1"]);
  clock.advance(3_600_000);
  answer = () => Promise.reject(new Error("unexpected"));
  await look();
  clock.advance(3_600_000);
  answer = () => Promise.resolve({ ...given, token: "access-2", refreshToken: null });
  await look();
  const renewed = await look();
  assert.deepEqual(
    [renewed.token, renewed.refreshToken],
    ["access-2", "refresh-1"],
    "the old one stays good",
  );
  assert.ok(renewed.expires - clock.now() > 364 * day);
  assert.equal(asked.length, 3);
  assert.deepEqual(logged, [
    "client_account_renewal unreachable",
    "client_account_renewal state_unwritable",
    "client_account_renewal ok",
  ]);
  state.close();
});
