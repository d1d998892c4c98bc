/** Passkeys on the owner's page over HTTP, with an authenticator in software. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { buttonForm, connect, Owner } from "../support/owner_page.ts";
import { Browser, ownerSecret } from "../support/sign_in.ts";
import { origin, withSignIn } from "../support/sign_in_app.ts";
import { SoftwarePasskey } from "../support/software_passkey.ts";

const cookie = "__Host-silverbridge-owner";

/** The owner makes that passkey; what the page says then. */
async function make(owner: Owner, passkey: SoftwarePasskey, fields: Record<string, string> = {}) {
  const page = await owner.open("/owner/state");
  const challenge = buttonForm(page, "passkey-add").fields.get("challenge") ?? "";
  return await owner.press(page, "passkey-add", {
    ...{ name: "phone", secret: ownerSecret },
    ...passkey.made(challenge),
    ...fields,
  });
}

/** Somebody uses that passkey at the door of a part. */
async function use(owner: Owner, passkey: SoftwarePasskey, path = "/owner") {
  const door = await owner.open(path);
  const challenge = buttonForm(door, "passkey").fields.get("challenge") ?? "";
  return await owner.press(door, "passkey", passkey.used(challenge));
}

async function text(response: Response): Promise<string> {
  return (await response.text()).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

Deno.test("a passkey is made with the secret, opens the page from any browser, and is taken away at once", async () => {
  cites("owner.passkeys");
  await withSignIn({}, async ({ browser, fetch, app }) => {
    const owner = new Owner(browser, origin);
    assert.equal((await owner.open()).html.includes("passkey"), false, "nobody is offered what there is not");
    await owner.signIn();
    const passkey = new SoftwarePasskey(origin);
    const made = await owner.after(await make(owner, passkey));
    assert.match(made.text, /The passkey lets you in from now on/);
    assert.match(made.text, /phone made just now , not used yet/);
    const other = new Owner(new Browser(fetch), origin);
    const door = await other.open("/owner/changes");
    assert.match(
      door.headers.get("content-security-policy") ?? "",
      /default-src 'none'.*; script-src 'self'$/,
    );
    assert.deepEqual(door.html.match(/<script\b[^>]*>/g), ['<script src="/owner/passkeys.js" defer>']);
    assert.equal(door.html.includes(passkey.id), false, "a stranger is not told which there are");
    const entered = await use(other, passkey, "/owner/changes");
    assert.deepEqual([entered.status, entered.headers.get("location")], [303, "/owner/changes"]);
    assert.match((await other.open("/owner/state")).text, /phone made just now , last used just now/);
    assert.ok(
      app.lines.some((line) => line.includes('"action":"passkey_add"') && line.includes('"outcome":"ok"')),
    );
    const removed = await owner.press(await owner.open("/owner/state"), "passkey-remove");
    assert.match((await owner.after(removed)).text, /opens nothing here any more.*There is none/);
    const again = new Owner(new Browser(fetch), origin);
    assert.equal((await again.open()).html.includes('value="passkey"'), false);
  });
});

Deno.test("a passkey is no secret: more rights and emptying the trash still ask for that", async () => {
  cites("owner.passkeys");
  await withSignIn({}, async ({ browser, client, fetch }) => {
    await connect(browser, client, { changes: { access: "read" } });
    const first = new Owner(browser, origin);
    await first.signIn();
    const passkey = new SoftwarePasskey(origin, "RS256");
    await (await make(first, passkey)).body?.cancel();
    const owner = new Owner(new Browser(fetch), origin);
    assert.equal((await use(owner, passkey)).status, 303);
    const grant = /name="grant" value="([^"]+)"/.exec((await owner.open()).html)?.[1];
    const widened = await owner.press(await owner.open(`/owner?client=${grant}`), "change", {
      access: "write",
    });
    assert.equal(widened.status, 400);
    assert.match(await text(widened), /gives the client more than it has now/);
    const another = await make(owner, new SoftwarePasskey(origin), { secret: "" });
    assert.equal(another.status, 400);
    await another.body?.cancel();
    assert.equal((await owner.open("/owner/state")).html.match(/value="passkey-remove"/g)?.length, 1);
  });
});

Deno.test("a passkey opens the page while wrong secrets make everybody wait, and is not counted with them", async () => {
  cites("owner.passkeys");
  await withSignIn({}, async ({ browser, fetch }) => {
    const first = new Owner(browser, origin);
    await first.signIn();
    const passkey = new SoftwarePasskey(origin);
    await (await make(first, passkey)).body?.cancel();
    const owner = new Owner(new Browser(fetch), origin);
    for (let each = 0; each < 3; each++) await (await owner.enter("/owner", "a wrong one")).body?.cancel();
    assert.equal((await owner.open()).status, 429);
    assert.equal((await use(owner, passkey)).status, 303);
    for (let each = 0; each < 10; each++) {
      const stranger = new Owner(new Browser(fetch), origin);
      const refused = await use(stranger, new SoftwarePasskey(origin));
      assert.deepEqual([refused.status, stranger.browser.cookies.has(cookie)], [401, false]);
      assert.match(await text(refused), /That passkey was not taken/);
    }
    assert.match((await owner.open("/owner/changes")).text, /a passkey that this server does not know/);
  });
});

Deno.test("answers of another browser, another page or another moment make and open nothing", async () => {
  cites("owner.passkeys", "owner.forms");
  await withSignIn({}, async ({ browser, fetch }) => {
    const owner = new Owner(browser, origin);
    await owner.signIn();
    const wrong = await make(owner, new SoftwarePasskey(origin), { secret: "not this one at all" });
    assert.match(await text(wrong), /That is not the owner’s secret/);
    const evil = new SoftwarePasskey("https://evil.example");
    assert.match(await text(await make(owner, evil)), /That passkey was not taken/);
    const other = new Owner(new Browser(fetch), origin);
    await other.signIn();
    const foreign = buttonForm(await other.open("/owner/state"), "passkey-add").fields.get("challenge") ?? "";
    const passkey = new SoftwarePasskey(origin);
    const page = await owner.open("/owner/state");
    const fields = { name: "x", secret: ownerSecret, ...passkey.made(foreign) };
    const { action, fields: form } = buttonForm(page, "passkey-add");
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set("challenge", foreign);
    assert.equal((await owner.send(action, form)).status, 400, "the question of another session");
    assert.equal((await owner.open("/owner/state")).html.includes('value="passkey-remove"'), false);
    await (await make(owner, passkey)).body?.cancel();
    const door = await new Owner(new Browser(fetch), origin).open();
    const asked = buttonForm(door, "passkey").fields;
    for (const [name, value] of Object.entries(passkey.used(asked.get("challenge") ?? ""))) {
      asked.set(name, value);
    }
    const stolen = new Owner(new Browser(fetch), origin);
    await stolen.open();
    const answer = await stolen.send("/owner", asked);
    assert.deepEqual(
      [answer.status, stolen.browser.cookies.has(cookie)],
      [401, false],
      "the answer of another browser",
    );
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      assert.equal((await stolen.send("/owner", asked, headers)).status, 403);
    }
  });
});

Deno.test("a new secret ends sessions and passkeys of the old one; a restart ends neither", async () => {
  cites("owner.passkeys", "owner.door");
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  const passkey = new SoftwarePasskey(origin);
  const kept = new Map<string, string>();
  const world = (secret: string) => ({
    env: { SILVERBRIDGE_STATE_DIR: stateDir, SILVERBRIDGE_OWNER_SECRET: secret },
  });
  try {
    await withSignIn(world(ownerSecret), async ({ browser }) => {
      const owner = new Owner(browser, origin);
      await owner.signIn();
      await (await make(owner, passkey)).body?.cancel();
      for (const [name, value] of browser.cookies) kept.set(name, value);
    });
    await withSignIn(world(ownerSecret), async ({ browser, fetch }) => {
      for (const [name, value] of kept) browser.cookies.set(name, value);
      assert.match((await new Owner(browser, origin).open()).text, /Sign out/);
      assert.equal((await use(new Owner(new Browser(fetch), origin), passkey)).status, 303);
    });
    await withSignIn(world("another secret of the owner"), async ({ browser, fetch }) => {
      for (const [name, value] of kept) browser.cookies.set(name, value);
      assert.match((await new Owner(browser, origin).open()).text, /Sign in as the owner/);
      assert.equal((await use(new Owner(new Browser(fetch), origin), passkey)).status, 401);
    });
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});

Deno.test("the script is the one that is served, and pages without passkeys have none", async () => {
  await withSignIn({}, async ({ fetch, browser }) => {
    const script = await fetch(`${origin}/owner/passkeys.js`);
    assert.deepEqual([script.status, script.headers.get("content-type")], [
      200,
      "text/javascript; charset=utf-8",
    ]);
    assert.match(await script.text(), /navigator\.credentials\.create/);
    const owner = new Owner(browser, origin);
    await owner.signIn();
    for (const path of ["/owner", "/owner/changes", "/owner/trash"]) {
      const { html, headers } = await owner.open(path);
      assert.equal(html.includes("<script"), false, path);
      assert.equal(headers.get("content-security-policy")?.includes("script-src"), false, path);
    }
  });
  const env = { SILVERBRIDGE_PUBLIC_URL: null };
  await withSignIn({ env }, async ({ app }) => {
    const local = "http://127.0.0.1:8787";
    const owner = new Owner(
      new Browser((url, init) => {
        const headers = new Headers(init?.headers);
        headers.set("host", "127.0.0.1:8787");
        return app.fetch(new Request(url, { ...init, headers }));
      }),
      local,
    );
    await owner.signIn();
    assert.equal(
      (await owner.open("/owner/state")).html.includes("Passkeys"),
      false,
      "none counts for an address",
    );
  });
});
