import assert from "node:assert/strict";
import { HandClock } from "../../tests/support/hand_clock.ts";
import { type Bent, type KeyKind, SoftwarePasskey } from "../../tests/support/software_passkey.ts";
import { keptPassphrase } from "../core/secrets.ts";
import { openMemoryState } from "../state/state.ts";
import { OwnerPasskeys } from "./owner_passkeys.ts";
import { passkeyPlace } from "./passkey_response.ts";

const origin = "https://notes.example.org";
const key = "A".repeat(43);

function setUp(
  secret = "correct horse battery",
  shared = { state: openMemoryState(), clock: new HandClock() },
) {
  const [kept, place] = [keptPassphrase(secret), passkeyPlace(origin)];
  assert.ok(kept !== null && place !== null);
  const passkeys = new OwnerPasskeys({ ...shared, secret: kept, place });
  const challenge = (purpose: "enter" | "add") => {
    shared.clock.advance(1000);
    return passkeys.challenge({ key, purpose });
  };
  const add = (passkey: SoftwarePasskey, bent: Bent & { readonly fields?: Record<string, string> } = {}) => {
    const asked = { key, purpose: "add", challenge: challenge("add") } as const;
    const { id = "", client = "", authenticator = "", public_key: publicKey = "", algorithm = "" } = {
      ...passkey.made(asked.challenge, bent),
      ...bent.fields,
    };
    return passkeys.add(
      {
        id,
        clientData: client,
        authenticatorData: authenticator,
        publicKey,
        algorithm,
        name: " my\u202e\n phone ",
      },
      asked,
    );
  };
  const use = (
    passkey: SoftwarePasskey,
    bent: Bent & { readonly fields?: Record<string, string>; readonly asked?: string } = {},
  ) => {
    const asked = { key, purpose: "enter", challenge: bent.asked ?? challenge("enter") } as const;
    const { id = "", client = "", authenticator = "", signature = "" } = {
      ...passkey.used(asked.challenge, bent),
      ...bent.fields,
    };
    return passkeys.use({ id, clientData: client, authenticatorData: authenticator, signature }, asked);
  };
  return { ...shared, passkeys, challenge, add, use };
}

Deno.test("a passkey of each algorithm is made once and used as often as it is asked for", async () => {
  const { passkeys, add, use, state } = setUp();
  assert.equal(passkeys.some(), false);
  for (const kind of ["ES256", "EdDSA", "RS256"] as const) {
    const passkey = new SoftwarePasskey(origin, kind);
    assert.equal(await use(passkey), false, "before it is made");
    assert.equal(await add(passkey), true, kind);
    assert.equal(await add(passkey), false, "it is known already");
    assert.ok(await use(passkey) && await use(passkey), kind);
  }
  const [first] = await passkeys.list();
  assert.equal((await passkeys.list()).length, 3);
  assert.equal(first?.name, "my phone");
  state.close();
});

Deno.test("weak keys, keys of other kinds and answers that do not fit make no passkey", async () => {
  const { passkeys, add, state } = setUp();
  const other = new SoftwarePasskey(origin).made("x");
  const cases: ReadonlyArray<readonly [KeyKind, Bent & { readonly fields?: Record<string, string> }]> = [
    ["P-384", {}],
    ["RSA-1024", {}],
    ["ES256", { type: "webauthn.get" }],
    ["ES256", { challenge: "another" }],
    ["ES256", { origin: "https://evil.example" }],
    ["ES256", { origin: "http://notes.example.org" }],
    ["ES256", { origin: "https://notes.example.org.evil.example" }],
    ["ES256", { host: "example.org" }],
    ["ES256", { host: "evil.example" }],
    ["ES256", { client: { crossOrigin: true } }],
    ["ES256", { client: { topOrigin: "https://evil.example" } }],
    ["ES256", { flags: 0x44 }],
    ["ES256", { flags: 0x41 }],
    ["ES256", { flags: 0x05 }],
    ["ES256", { fields: { id: other["id"] ?? "" } }],
    ["ES256", { fields: { algorithm: "-257" } }],
    ["ES256", { fields: { algorithm: "-8" } }],
    ["ES256", { fields: { algorithm: "0" } }],
    ["ES256", { fields: { algorithm: "constructor" } }],
    ["ES256", { fields: { public_key: "AAAA" } }],
    ["ES256", { fields: { public_key: "" } }],
    ["ES256", { fields: { client: "bm90IGpzb24" } }],
    ["ES256", { fields: { client: "bnVsbA" } }],
    ["ES256", { fields: { authenticator: "AAAA" } }],
    ["ES256", { fields: { authenticator: "A".repeat(9000) } }],
    ["ES256", { fields: { id: "" } }],
  ];
  for (const [kind, bent] of cases) {
    assert.equal(await add(new SoftwarePasskey(origin, kind), bent), false, JSON.stringify([kind, bent]));
  }
  assert.equal(passkeys.some(), false);
  assert.equal(await add(new SoftwarePasskey(origin)), true, "what is bent nowhere is taken");
  state.close();
});

Deno.test("nothing but the passkey itself, asked here and now, lets anybody in", async () => {
  const { add, use, challenge, clock, state, passkeys } = setUp();
  const [mine, second, stranger] = [1, 2, 3].map(() => new SoftwarePasskey(origin));
  assert.ok(mine !== undefined && second !== undefined && stranger !== undefined);
  assert.ok(await add(mine) && await add(second));
  const answered = mine.used("x");
  const cases: ReadonlyArray<Parameters<typeof use>[1]> = [
    { type: "webauthn.create" },
    { challenge: "another" },
    { challenge: "" },
    { origin: "https://evil.example" },
    { origin: "http://notes.example.org" },
    { host: "evil.example" },
    { client: { crossOrigin: true } },
    { client: { topOrigin: origin } },
    { flags: 0x04 },
    { flags: 0x01 },
    { flags: 0x00 },
    { fields: { id: second.id } },
    { fields: { id: stranger.id } },
    { fields: { id: `${mine.id}=` } },
    { fields: { id: "' OR 1=1 --" } },
    { fields: { signature: answered["signature"] ?? "" } },
    { fields: { signature: "" } },
    { fields: { signature: "AAAA" } },
    { fields: { authenticator: answered["authenticator"]?.replace(/^./, "z") ?? "" } },
    { fields: { client: `${answered["client"]}A` } },
    { asked: passkeys.challenge({ key: "B".repeat(43), purpose: "enter" }) },
    { asked: challenge("add") },
    { asked: "" },
    { asked: `${clock.now() + 60_000}.${"A".repeat(43)}` },
  ];
  for (const bent of cases) assert.equal(await use(mine, bent), false, JSON.stringify(bent));
  assert.equal(await use(stranger, { fields: { id: mine.id } }), false, "another key under its name");
  const old = challenge("enter");
  const now = challenge("enter");
  assert.equal(await use(mine, { asked: now }), true);
  assert.equal(await use(mine, { asked: now }), false, "the same answer again");
  assert.equal(await use(mine, { asked: old }), false, "an older question");
  assert.equal(await use(second, { asked: old }), true, "which another passkey may answer");
  const late = challenge("enter");
  clock.advance(31 * 60_000);
  assert.equal(await use(mine, { asked: late }), false, "a question of half an hour ago");
  state.close();
});

Deno.test("a clock that is set back takes no passkey away, and an answer is good once all the same", async () => {
  const { add, use, challenge, clock, state } = setUp();
  const passkey = new SoftwarePasskey(origin);
  await add(passkey);
  const answered = challenge("enter");
  assert.ok(await use(passkey, { asked: answered }));
  clock.setBack(86_400_000);
  assert.equal(await use(passkey, { asked: answered }), false);
  const now = challenge("enter");
  assert.equal(await use(passkey, { asked: now }), true);
  assert.equal(await use(passkey, { asked: now }), false);
  state.close();
});

Deno.test("an authenticator whose count does not go on is a copy, one that does not count is none", async () => {
  const { add, use, state } = setUp();
  const passkey = new SoftwarePasskey(origin);
  await add(passkey);
  assert.ok(await use(passkey, { count: 5 }));
  for (const count of [5, 4, 0]) assert.equal(await use(passkey, { count }), false, `${count}`);
  assert.ok(await use(passkey, { count: 6 }));
  state.close();
});

Deno.test("a new secret ends every passkey, a restart none, and whoever is removed is out", async () => {
  const first = setUp();
  const { state, clock, add, use, passkeys } = first;
  const [one, two] = [new SoftwarePasskey(origin), new SoftwarePasskey(origin)];
  await add(one);
  await add(two);
  assert.equal(passkeys.remove(two.id), true);
  assert.equal(passkeys.remove(two.id), false);
  assert.equal(await use(two), false);
  assert.ok(await setUp("correct horse battery", { state, clock }).use(one), "after a restart");
  const later = setUp("another secret of mine", { state, clock });
  assert.equal(await later.use(one), false);
  assert.deepEqual(await later.passkeys.list(), []);
  assert.equal(later.passkeys.some(), false, "what does not count any more is forgotten");
  const rows = JSON.stringify(state.db.prepare("SELECT * FROM owner_passkeys").all());
  assert.equal(/correct horse|another secret/.test(rows), false);
  state.close();
});

Deno.test("there are twenty passkeys at the most", async () => {
  const { add, passkeys, state } = setUp();
  for (let each = 0; each < 20; each++) assert.ok(await add(new SoftwarePasskey(origin)));
  assert.equal(await add(new SoftwarePasskey(origin)), false);
  assert.equal((await passkeys.list()).length, 20);
  state.close();
});

Deno.test("passkeys count where browsers make them: on https names and on localhost", () => {
  const cases: ReadonlyArray<readonly [string, string | null]> = [
    ["https://notes.example.org", "notes.example.org"],
    ["https://notes.example.org:8443", "notes.example.org"],
    ["http://localhost:8787", "localhost"],
    ["http://127.0.0.1:8787", null],
    ["https://192.0.2.1", null],
    ["https://[2001:db8::1]", null],
    ["http://notes.example.org", null],
  ];
  for (const [address, host] of cases) assert.equal(passkeyPlace(address)?.host ?? null, host, address);
});
