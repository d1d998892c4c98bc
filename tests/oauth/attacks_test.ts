/**
 * What hostile clients, pages and people try, as tables. Each row says what must not happen; the owner can still sign in
 * after every one of them.
 */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { cites } from "../requirements.ts";
import { Browser, challenge, ownerSecret, verifier } from "../support/sign_in.ts";
import {
  type HostAnswer,
  publicOrigin as origin,
  type PublishedWorld,
  served,
  withPublished,
} from "../support/published.ts";

const cb = "https://good.example/cb";

async function registered({ client }: PublishedWorld, redirects: string[] = [cb]): Promise<string> {
  return String((await client.register({ client_name: "Good", redirect_uris: redirects }))["client_id"]);
}

/** A fresh code, with all that its exchange needs. */
async function freshCode(world: PublishedWorld) {
  const clientId = await registered(world);
  const url = world.client.authorizeUrl({ client_id: clientId, redirect_uri: cb });
  const code = (await world.browser.approve(url)).searchParams.get("code") ?? "";
  return { code, client_id: clientId, redirect_uri: cb };
}

Deno.test("no redirect address that a client does not have gets anybody sent anywhere, before or after approval", async () => {
  cites("oauth.redirects");
  await withPublished({}, async (world) => {
    const { client, browser } = world;
    const clientId = await registered(world, [cb, "http://localhost/callback"]);
    for (
      const redirectUri of [
        "https://evil.example/cb",
        "https://good.example/cb/",
        "https://good.example/cb?x=1",
        "https://good.example/cb#x",
        "https://good.example/CB",
        "https://good.example:444/cb",
        "https://good.example.evil.example/cb",
        "https://good.example@evil.example/cb",
        "https://evil.example\\@good.example/cb",
        "//good.example/cb",
        "http://good.example/cb",
        "http://127.0.0.1/callback",
        "http://localhost.evil.example/callback",
        "http://localhost:1@evil.example/callback",
        "javascript:alert(document.domain)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "not a url",
        "%00",
        `${cb}\r\nLocation: https://evil.example/`,
        `${cb}\0`,
        cb.repeat(500),
      ]
    ) {
      const url = client.authorizeUrl({ client_id: clientId, redirect_uri: redirectUri });
      const get = await browser.send(url);
      const text = await get.text();
      assert.equal(get.status, 400, redirectUri);
      assert.equal(get.headers.has("location"), false, redirectUri);
      assert.match(text, /This sign-in cannot go on/);
      assert.equal(/evil\.example|<script>alert|javascript:|passwd/.test(text), false, "nothing is repeated");
      const form = new URLSearchParams({ decision: "approve", secret: ownerSecret, ticket: "x" });
      const post = await browser.send(url, { method: "POST", body: form });
      assert.equal(post.status, 400);
      assert.equal(post.headers.has("location"), false);
      await post.body?.cancel();
    }
    await browser.approve(client.authorizeUrl({ client_id: clientId, redirect_uri: cb }));
  });
});

Deno.test("repeated parameters are refused at every endpoint and stop nothing (a predecessor died of them)", async () => {
  cites("oauth.attacks");
  await withPublished({}, async (world) => {
    const { client, browser } = world;
    const code = await freshCode(world);
    const form = new URLSearchParams({ grant_type: "authorization_code", code_verifier: verifier, ...code });
    for (const name of ["grant_type", "code", "client_id", "redirect_uri", "code_verifier"]) {
      const answer = await client.post(
        "/token",
        `${form}&${name}=${encodeURIComponent(form.get(name) ?? "")}`,
      );
      assert.deepEqual([answer.status, answer.body["error"]], [400, "invalid_request"], name);
    }
    for (const name of ["refresh_token", "scope", "client_secret"]) {
      const answer = await client.post("/token", `${form}&${name}=a&${name}=a`);
      assert.deepEqual([answer.status, answer.body["error"]], [400, "invalid_request"], name);
    }
    const revoked = await client.post("/revoke", `token=a&token=b&client_id=${code.client_id}`);
    assert.equal(revoked.body["error"], "invalid_request");
    const url = client.authorizeUrl({ client_id: code.client_id, redirect_uri: cb, scope: "read" });
    for (const name of ["client_id", "redirect_uri"]) {
      const page = await browser.open(`${url}&${name}=${encodeURIComponent("https://evil.example/")}`);
      assert.deepEqual([page.status, page.headers.has("location")], [400, false], name);
    }
    for (const name of ["response_type", "state", "scope", "code_challenge", "code_challenge_method"]) {
      const response = await browser.send(`${url}&${name}=x`);
      const location = new URL(response.headers.get("location") ?? "");
      assert.deepEqual([location.origin, location.searchParams.get("error")], [
        "https://good.example",
        "invalid_request",
      ]);
    }
    assert.equal((await client.exchange(code)).status, 200, "none of it cost the code");
  });
});

Deno.test("bodies that are no forms, too large, or bent are refused as JSON by what programs call", async () => {
  cites("oauth.attacks");
  await withPublished({}, async (world) => {
    const { client, fetch } = world;
    const code = await freshCode(world);
    const fields = { grant_type: "authorization_code", code_verifier: verifier, ...code };
    const table: Array<[string, BodyInit, number]> = [
      ["application/json", JSON.stringify(fields), 400],
      ["text/plain", new URLSearchParams(fields).toString(), 400],
      ["multipart/form-data; boundary=x", "--x--", 400],
      ["application/x-www-form-urlencoded", "a=".padEnd(1_000_000, "x"), 413],
      ["application/x-www-form-urlencoded", "a=b&".repeat(5_000), 400],
      ["application/x-www-form-urlencoded", "%ff%fe=%00&code=%0d%0a", 400],
      ["application/x-www-form-urlencoded", "", 400],
    ];
    for (const path of ["/token", "/revoke"]) {
      for (const [type, body, status] of table) {
        const response = await fetch(origin + path, {
          method: "POST",
          headers: { "content-type": type },
          body,
        });
        const text = await response.text();
        assert.equal(response.status, status, `${path} ${type}: ${text}`);
        assert.equal(typeof JSON.parse(text).error, "string");
        assert.equal(response.headers.get("cache-control"), "no-store");
      }
    }
    const big = await fetch(`${origin}/register`, { method: "POST", body: "x".repeat(1_000_000) });
    assert.equal(big.status, 413);
    await big.body?.cancel();
    const form = await fetch(`${origin}/authorize`, {
      method: "POST",
      body: new URLSearchParams({ a: "x".repeat(100_000) }),
    });
    assert.equal(form.status, 413);
    await form.body?.cancel();
    assert.equal((await client.exchange(code)).status, 200);
  });
});

Deno.test("a stolen code opens nothing: not without its verifier, for another client, or a second time", async () => {
  cites("oauth.codes");
  await withPublished({}, async (world) => {
    const { client } = world;
    const thief = String((await client.register({ client_name: "Thief", redirect_uris: [cb] }))["client_id"]);
    const first = await freshCode(world);
    const other = await client.exchange({ ...first, client_id: thief });
    assert.deepEqual([other.status, other.body["error"]], [400, "invalid_grant"]);
    const guess = await client.exchange({ ...first, code_verifier: "a".repeat(43) });
    assert.deepEqual([guess.status, guess.body["error"]], [400, "invalid_grant"]);
    assert.equal((await client.exchange(first)).body["error"], "invalid_grant", "the wrong verifier cost it");

    const second = await freshCode(world);
    for (const bad of ["", "short", "x".repeat(129), `${"a".repeat(42)}é`, challenge]) {
      const answer = await client.exchange({ ...second, code_verifier: bad });
      assert.equal(answer.status, 400, bad);
      assert.equal(answer.accessToken, "");
      if (bad === challenge) assert.equal(answer.body["error"], "invalid_grant");
    }
    const third = await freshCode(world);
    const moved = await client.exchange({ ...third, redirect_uri: "https://evil.example/cb" });
    assert.equal(moved.body["error"], "invalid_grant");

    const fourth = await freshCode(world);
    const tokens = await client.exchange(fourth);
    assert.equal(await client.opens(tokens.accessToken), true);
    const replay = await client.exchange(fourth);
    assert.deepEqual([replay.status, replay.body["error"]], [400, "invalid_grant"]);
    assert.equal(await client.opens(tokens.accessToken), false, "the replay ended what the code began");
    assert.equal((await client.refresh(tokens.refreshToken, { client_id: fourth.client_id })).status, 400);
  });
});

Deno.test("PKCE cannot be left out or weakened", async () => {
  cites("oauth.codes");
  await withPublished({}, async (world) => {
    const { client, browser } = world;
    const clientId = await registered(world);
    for (
      const change of [
        { code_challenge: null, code_challenge_method: null },
        { code_challenge_method: null },
        { code_challenge_method: "plain", code_challenge: verifier },
        { code_challenge_method: "S512" },
        { code_challenge: "" },
        { code_challenge: "x" },
      ]
    ) {
      const url = client.authorizeUrl({ client_id: clientId, redirect_uri: cb, ...change });
      const response = await browser.send(url);
      const back = new URL(response.headers.get("location") ?? "");
      assert.deepEqual([back.searchParams.get("error"), back.searchParams.has("code")], [
        "invalid_request",
        false,
      ]);
      assert.deepEqual([back.searchParams.get("iss"), back.searchParams.get("state")], [origin, "state-1"]);
    }
  });
});

Deno.test("tokens are for this server alone: another resource is refused at both requests", async () => {
  cites("oauth.attacks");
  await withPublished({}, async (world) => {
    const { client, browser } = world;
    const clientId = await registered(world);
    const url = client.authorizeUrl({
      client_id: clientId,
      redirect_uri: cb,
      resource: "https://other.example/mcp",
    });
    const back = new URL((await browser.send(url)).headers.get("location") ?? "");
    assert.equal(back.searchParams.get("error"), "invalid_target");
    const code = await freshCode(world);
    const wrong = await client.exchange({ ...code, resource: "https://other.example/mcp" });
    assert.deepEqual([wrong.status, wrong.body["error"]], [400, "invalid_target"]);
    assert.equal((await client.exchange(code)).status, 200);
  });
});

Deno.test("grants that do not exist here are refused", async () => {
  await withPublished({}, async (world) => {
    const clientId = await registered(world);
    for (
      const type of [
        "password",
        "client_credentials",
        "implicit",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
      ]
    ) {
      const answer = await world.client.post("/token", { grant_type: type, client_id: clientId });
      assert.deepEqual([answer.status, answer.body["error"]], [400, "unsupported_grant_type"], type);
    }
  });
});

Deno.test("no other page can send the form: the cookie, the mark and the origin must be those of this browser", async () => {
  cites("oauth.attacks");
  await withPublished({}, async (world) => {
    const { client, browser, fetch } = world;
    const url = client.authorizeUrl({ client_id: await registered(world), redirect_uri: cb });
    const page = await browser.open(url);
    const ticket = /name="ticket" value="([^"]+)"/.exec(page.html)?.[1] ?? "";
    const send = (
      from: Browser,
      form: Record<string, string>,
      headers: Record<string, string> = {},
      to = url,
    ) =>
      from.send(to, {
        method: "POST",
        headers,
        body: new URLSearchParams({ decision: "approve", secret: ownerSecret, ...form }),
      });
    const stranger = new Browser(fetch);
    await stranger.open(url);
    const moved = client.authorizeUrl({
      client_id: await registered(world, ["https://evil.example/cb"]),
      redirect_uri: "https://evil.example/cb",
    });
    const attempts: Array<[string, Promise<Response>, number]> = [
      ["no mark", send(browser, {}), 400],
      ["a made-up mark", send(browser, { ticket: `1900000000000.${"A".repeat(43)}` }), 400],
      ["another browser", send(stranger, { ticket }), 400],
      ["no cookie", send(new Browser(fetch), { ticket }), 400],
      ["another request", send(browser, { ticket }, {}, moved), 400],
      ["a foreign origin", send(browser, { ticket }, { origin: "https://evil.example" }), 403],
      ["a null origin", send(browser, { ticket }, { origin: "null" }), 403],
      ["a cross-site fetch", send(browser, { ticket }, { "sec-fetch-site": "cross-site" }), 403],
      ["a same-site fetch", send(browser, { ticket }, { "sec-fetch-site": "same-site" }), 403],
    ];
    for (const [what, attempt, status] of attempts) {
      const response = await attempt;
      assert.deepEqual([response.status, response.headers.has("location")], [status, false], what);
      await response.body?.cancel();
    }
    assert.equal((await send(browser, { ticket }, { origin, "sec-fetch-site": "same-origin" })).status, 303);
  });
});

Deno.test("the page can be framed, scripted, stored and leaked by nobody", async () => {
  cites("oauth.attacks");
  await withPublished({}, async (world) => {
    const name = '<script>alert(1)</script>"><img src=x onerror=alert(1)>\u202eevil';
    const registration = await world.client.register({ client_name: name, redirect_uris: [cb] });
    const url = world.client.authorizeUrl({
      client_id: String(registration["client_id"]),
      redirect_uri: cb,
      state: '"><script>alert(2)</script>',
    });
    const { html, headers } = await world.browser.open(url);
    assert.equal(/<script|<img|\u202e/i.test(html), false);
    const policy = headers.get("content-security-policy") ?? "";
    assert.match(
      policy,
      /^default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self' https:\/\/good\.example/,
    );
    assert.match(policy, /frame-ancestors 'none'/);
    assert.equal(/unsafe|script-src|\s\*/.test(policy), false);
    assert.deepEqual(
      ["x-frame-options", "cache-control", "referrer-policy", "x-content-type-options"].map((each) =>
        headers.get(each)
      ),
      ["DENY", "no-store", "same-origin", "nosniff"],
    );
    const cookie = headers.getSetCookie()[0] ?? "";
    assert.match(
      cookie,
      /^__Host-silverbridge-form=[\w-]{43}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
    );
  });
});

/** Documents that hosts serve, what the page answers, and how often the host was asked. */
const hostile: ReadonlyArray<
  readonly [
    what: string,
    id: string,
    answer: (id: string) => HostAnswer | null,
    status: number,
    asked: number,
  ]
> = [
  ["a redirect", "https://evil.example/1", () => redirectTo("https://evil.example/good"), 502, 1],
  ["a redirect inside", "https://evil.example/2", () => redirectTo("http://127.0.0.1/"), 502, 1],
  [
    "5 MB",
    "https://evil.example/3",
    (id) => ({ body: `${JSON.stringify(good(id))}${" ".repeat(5_000_000)}` }),
    502,
    1,
  ],
  ["17 KB", "https://evil.example/4", (id) => served({ ...good(id), more: "x".repeat(17_000) }), 502, 1],
  [
    "a page",
    "https://evil.example/5",
    () => ({ headers: { "content-type": "text/html" }, body: "<p>" }),
    502,
    1,
  ],
  [
    "compressed",
    "https://evil.example/6",
    (id) => ({ ...served(good(id)), headers: { "content-encoding": "gzip" } }),
    502,
    1,
  ],
  ["not found", "https://evil.example/7", () => null, 502, 1],
  ["no JSON", "https://evil.example/8", () => ({ body: "{" }), 400, 1],
  ["no UTF-8", "https://evil.example/9", () => ({ body: new Uint8Array([0x7b, 0xff, 0x7d]) }), 502, 1],
  [
    "another's identifier",
    "https://evil.example/10",
    () => served(good("https://claude.ai/oauth/x")),
    400,
    1,
  ],
  ["a secret", "https://evil.example/11", (id) => served({ ...good(id), client_secret: "x" }), 400, 1],
  [
    "no https address",
    "https://evil.example/12",
    (id) => served({ ...good(id), redirect_uris: ["javascript:alert(1)"] }),
    400,
    1,
  ],
  ["a list", "https://evil.example/13", (id) => served([good(id)]), 400, 1],
  ["deep nesting", "https://evil.example/14", () => ({ body: "[".repeat(15_000) }), 400, 1],
  ["a private address", "https://a-10-0-0-1.client.example/c", (id) => served(good(id)), 400, 0],
  ["this computer", "https://a-127-0-0-1.client.example/c", (id) => served(good(id)), 400, 0],
  ["a cloud's metadata", "https://a-169-254-169-254.client.example/c", (id) => served(good(id)), 400, 0],
  [
    "a private address among others",
    "https://a-8-8-8-8.b-192-168-1-1.client.example/c",
    (id) => served(good(id)),
    400,
    0,
  ],
];

function good(id: string): Record<string, unknown> {
  return { client_id: id, client_name: "Evil", redirect_uris: ["https://evil.example/cb"] };
}

function redirectTo(location: string): HostAnswer {
  return { status: 302, headers: { location }, body: "" };
}

Deno.test("hostile client documents are shown to be what they are, and nothing of them is sent anywhere", async () => {
  cites("oauth.attacks");
  await withPublished({}, async (world) => {
    const { client, browser, documents, fetched } = world;
    documents.set("https://evil.example/good", served(good("https://evil.example/good")));
    for (const [index, [what, id, answer, status, asked]] of hostile.entries()) {
      fetched.length = 0;
      const said = answer(id);
      if (said !== null) documents.set(id, said);
      const page = await new Browser(world.from(`198.51.100.${index}`)).open(
        client.authorizeUrl({ client_id: id, redirect_uri: "https://evil.example/cb" }),
      );
      assert.deepEqual([page.status, page.headers.has("location")], [status, false], what);
      assert.equal(/"?client_secret|javascript:|<p>/.test(page.text), false, what);
      assert.deepEqual(fetched, Array(asked).fill(id), what);
    }
    fetched.length = 0;
    for (
      const never of [
        "http://evil.example/client.json",
        "https://127.0.0.1/client.json",
        "https://[::1]/client.json",
        "https://0x7f000001/client.json",
        "https://2130706433/client.json",
        "https://localhost/client.json",
        "https://intranet/client.json",
        "https://evil.example:8443/client.json",
        "https://evil.example",
        "https://user@evil.example/client.json",
        "https://evil.example/a/../client.json",
        "https://evil.example/client.json#x",
        `${origin}/authorize`,
      ]
    ) {
      const page = await browser.open(
        client.authorizeUrl({ client_id: never, redirect_uri: "https://evil.example/cb" }),
      );
      assert.equal(page.status, 400, never);
    }
    assert.deepEqual(fetched, [], "nothing was asked for");
    await browser.approve(client.authorizeUrl({ client_id: await registered(world), redirect_uri: cb }));
  });
});

Deno.test("a name that leads inside the second time that it is asked for leads nowhere", async () => {
  cites("oauth.attacks");
  await withPublished({}, async ({ client, browser, documents, fetched, program }) => {
    const id = "https://then-10-0-0-1.client.example/c";
    documents.set(id, served(good(id)));
    const url = client.authorizeUrl({ client_id: id, redirect_uri: "https://evil.example/cb" });
    assert.equal(
      (await browser.open(url)).status,
      200,
      "public: fetched from the address that was looked at",
    );
    const state = new DatabaseSync(`${program.stateDir}/state.db`);
    state.exec("UPDATE client_documents SET fresh_until = 0");
    state.close();
    assert.match((await browser.open(url)).text, /does not answer/, "private: the copy, and no request");
    assert.deepEqual(fetched, [id]);
  });
});

Deno.test("a document that changes between the page and the approval counts as the owner saw it", async () => {
  cites("oauth.attacks");
  await withPublished({}, async (world) => {
    const { client, browser, documents } = world;
    const id = "https://client.example/client.json";
    const text = { client_id: id, client_name: "C", redirect_uris: ["https://client.example/cb"] };
    documents.set(id, served(text));
    const url = client.authorizeUrl({ client_id: id, redirect_uri: "https://client.example/cb" });
    const page = await browser.open(url);
    documents.set(id, served({ ...text, redirect_uris: ["https://client.example/other"] }));
    // It is kept for some minutes, so the approval goes by what the owner saw.
    const back = await browser.submit(page, { decision: "approve", secret: ownerSecret });
    assert.equal(
      new URL(back.headers.get("location") ?? "").href.startsWith("https://client.example/cb?"),
      true,
    );
    const now = client.authorizeUrl({ client_id: id, redirect_uri: "https://client.example/other" });
    assert.equal((await browser.open(now)).status, 400, "and nothing that the owner did not see");
    const state = new DatabaseSync(`${world.program.stateDir}/state.db`);
    state.exec("UPDATE client_documents SET fresh_until = 0");
    state.close();
    const later = await browser.submit(page, { decision: "approve", secret: ownerSecret });
    assert.deepEqual(
      [later.status, later.headers.has("location")],
      [400, false],
      "an address that is gone is gone",
    );
    await later.body?.cancel();
  });
});

Deno.test("ten thousand registrations cost no disk, and the owner signs in among them", async () => {
  cites("oauth.attacks");
  await withPublished({ env: { SILVERBRIDGE_LOG_LEVEL: "error" } }, async (world) => {
    const bytes = async () => {
      let sum = 0;
      for await (const { name } of Deno.readDir(world.program.stateDir)) {
        if (name.startsWith("state.db")) sum += (await Deno.stat(`${world.program.stateDir}/${name}`)).size;
      }
      return sum;
    };
    const before = await bytes();
    let refused = 0;
    for (let index = 0; index < 10_000; index++) {
      const from = world.from(`198.51.${index % 250}.${index % 7}`);
      const response = await from(`${origin}/register`, {
        method: "POST",
        body: JSON.stringify({
          client_name: `Flood ${index}`,
          redirect_uris: [`https://flood${index}.example/cb`],
        }),
      });
      if (response.status !== 201) refused += 1;
      await response.body?.cancel();
    }
    assert.equal(await bytes(), before);
    assert.ok(refused < 10_000);
    assert.equal((await world.client.exchange(await freshCode(world))).status, 200);
  });
});

Deno.test("guessing the secret from one address and from many is stopped, and the owner gets in", async () => {
  cites("oauth.owner-secret");
  await withPublished({}, async (world) => {
    const { client } = world;
    const url = client.authorizeUrl({ client_id: await registered(world), redirect_uri: cb });
    await world.browser.approve(url);
    const guesses = async (browser: Browser, count: number) => {
      const statuses: number[] = [];
      for (let round = 0; round < count; round++) {
        const page = await browser.open(url);
        const response = await browser.submit(page, { decision: "approve", secret: `guess ${round}` });
        assert.equal(response.headers.has("location"), false);
        statuses.push(response.status);
        await response.body?.cancel();
      }
      return statuses;
    };
    assert.deepEqual(await guesses(new Browser(world.from("198.51.100.1")), 6), [
      401,
      401,
      401,
      429,
      429,
      429,
    ]);
    const spoofed = new Browser(world.from("198.51.100.2"), { "x-forwarded-for": "203.0.113.99" });
    assert.deepEqual(
      await guesses(spoofed, 4),
      [401, 401, 401, 429],
      "a header of their own changes nothing",
    );
    for (let index = 0; index < 40; index++) await guesses(new Browser(world.from(`192.0.2.${index}`)), 1);
    const fresh = new Browser(world.from("198.51.100.77"));
    const waiting = await fresh.submit(await fresh.open(url), { decision: "approve", secret: ownerSecret });
    assert.equal(waiting.status, 429);
    const seconds = Number(waiting.headers.get("retry-after"));
    assert.ok(seconds > 0 && seconds <= 60, String(seconds));
    await waiting.body?.cancel();
    assert.equal(
      (await world.browser.approve(url)).origin,
      "https://good.example",
      "a browser that is known gets in",
    );
  });
});

Deno.test("a listed proxy's word decides whose guesses are counted, and no other word", async () => {
  cites("oauth.owner-secret");
  const guess = async (browser: Browser, url: string) => {
    const form = { decision: "approve", secret: "wrong wrong wrong" };
    const response = await browser.submit(await browser.open(url), form);
    await response.body?.cancel();
    return response.status;
  };
  await withPublished({}, async (world) => {
    const url = world.client.authorizeUrl({ client_id: await registered(world), redirect_uri: cb });
    const statuses = [];
    for (let round = 0; round < 4; round++) {
      const evil = new Browser(world.from("6.6.6.6"), { "x-forwarded-for": `7.7.7.${round}` });
      statuses.push(await guess(evil, url));
    }
    assert.deepEqual(statuses, [401, 401, 401, 429]);
    const other = new Browser(world.from("7.7.7.0"));
    assert.equal((await other.approve(url)).origin, "https://good.example");
  });
  const unlisted = { SILVERBRIDGE_TRUSTED_PROXIES: null };
  await withPublished({ env: unlisted }, async (world) => {
    const url = world.client.authorizeUrl({ client_id: await registered(world), redirect_uri: cb });
    const owner = new Browser(world.from("203.0.113.7"));
    await owner.approve(url);
    const statuses = [];
    for (let round = 0; round < 4; round++) {
      statuses.push(await guess(new Browser(world.from(`7.7.7.${round}`)), url));
    }
    assert.deepEqual(statuses, [401, 401, 401, 429], "everybody behind it is one");
    assert.equal(
      (await owner.approve(url)).origin,
      "https://good.example",
      "but for browsers that are known",
    );
  });
});

Deno.test("requests to change anything by GET, HEAD, PUT or DELETE find nothing to change", async () => {
  await withPublished({}, async ({ fetch }) => {
    for (const path of ["/token", "/register", "/revoke"]) {
      for (const method of ["GET", "HEAD", "PUT", "DELETE", "PATCH"]) {
        const response = await fetch(origin + path, { method });
        assert.deepEqual(
          [response.status, response.headers.get("allow")],
          [405, "POST, OPTIONS"],
          `${method} ${path}`,
        );
        await response.body?.cancel();
      }
    }
    for (const method of ["HEAD", "PUT", "DELETE"]) {
      const response = await fetch(`${origin}/authorize`, { method });
      assert.equal(response.status, 405);
      await response.body?.cancel();
    }
  });
});

Deno.test("a token in the address is refused at the endpoints of signing in, too", async () => {
  await withPublished({}, async ({ fetch }) => {
    const response = await fetch(`${origin}/revoke?token=abc`, {
      method: "POST",
      body: new URLSearchParams({ token: "x" }),
    });
    assert.equal(response.status, 403);
    await response.body?.cancel();
  });
});

Deno.test("a revocation takes only what is the client's own, and says nothing about what exists", async () => {
  await withPublished({}, async (world) => {
    const { client } = world;
    const code = await freshCode(world);
    const tokens = await client.exchange(code);
    const thief = String((await client.register({ client_name: "Thief", redirect_uris: [cb] }))["client_id"]);
    const foreign = await client.post("/revoke", { token: tokens.refreshToken, client_id: thief });
    assert.deepEqual([foreign.status, await client.opens(tokens.accessToken)], [400, true]);
    const nothing = await client.post("/revoke", { token: "never-was", client_id: thief });
    assert.deepEqual([nothing.status, nothing.body], [200, {}]);
    const access = await client.post("/revoke", { token: tokens.accessToken, client_id: code.client_id });
    assert.deepEqual([access.status, await client.opens(tokens.accessToken)], [200, false]);
    const next = await client.refresh(tokens.refreshToken, { client_id: code.client_id });
    assert.equal(next.status, 200, "an access token ends by itself");
    assert.equal(
      (await client.post("/revoke", { token: next.refreshToken })).status,
      200,
      "who holds it may end it",
    );
    assert.equal(await client.opens(next.accessToken), false);
  });
});
