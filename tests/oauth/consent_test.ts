/** The page where the owner decides, in each of its states, and what comes of each choice. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { Browser, formOf, ownerSecret } from "../support/sign_in.ts";
import { documentAnswer, origin, type SignInWorld, withSignIn } from "../support/sign_in_app.ts";

const claude = "https://claude.ai/oauth/mcp-oauth-client-metadata";
const claudeCallback = "https://claude.ai/api/mcp/auth_callback";

function claudeUrl({ client, documents }: SignInWorld, change: Record<string, string | null> = {}): string {
  documents.set(
    claude,
    documentAnswer({ client_id: claude, client_name: "Claude", redirect_uris: [claudeCallback] }),
  );
  return client.authorizeUrl({ client_id: claude, redirect_uri: claudeCallback, ...change });
}

async function tokenOf({ client }: SignInWorld, back: URL, id = claude): Promise<string> {
  const answer = await client.exchange({ code: back.searchParams.get("code") ?? "", client_id: id });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.accessToken;
}

Deno.test("the page names client, voucher, destination, rights and space, and has one heading and labels for all", async () => {
  cites("oauth.consent");
  await withSignIn({}, async (world) => {
    const page = await world.browser.open(claudeUrl(world));
    const space = new URL(world.space()).host;
    assert.match(page.text, /Claude wants to read and change your notes/);
    assert.match(page.text, /Who asks Claude claude\.ai vouches for this name/);
    assert.match(page.text, /Goes back to claude\.ai , which is Claude \(Anthropic\)/);
    assert.ok(page.text.includes(`Read and search all pages of ${space}`), page.text);
    assert.match(page.text, /Create, change, move and delete all pages/);
    assert.equal(page.html.match(/<h1>/g)?.length, 1);
    const ids = [...page.html.matchAll(/<(?:input|textarea|select) id="([^"]+)"/g)].map((match) => match[1]);
    for (const id of ids) assert.ok(page.html.includes(`<label for="${id}">`), String(id));
    for (const [, id] of page.html.matchAll(/aria-describedby="([^"]+)"/g)) {
      for (const each of (id ?? "").split(" ")) assert.ok(page.html.includes(`id="${each}"`), each);
    }
    assert.ok(
      page.html.indexOf('value="approve"') < page.html.indexOf('value="deny"'),
      "Enter approves here",
    );
  });
});

Deno.test("a name that nobody vouches for, this computer and a strange host are each said, ever louder", async () => {
  cites("oauth.consent");
  await withSignIn({}, async ({ client, browser }) => {
    const open = async (redirectUri: string) => {
      const { client_id: id } = await client.register({
        client_name: "Claude",
        redirect_uris: [redirectUri],
      });
      return await browser.open(client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri }));
    };
    const known = await open(claudeCallback);
    assert.match(known.text, /A program that calls itself “Claude” wants/);
    assert.match(known.text, /unverified : this name was chosen by the program itself/);
    assert.equal(known.text.includes("does not know that host"), false);
    const local = await open("http://localhost:5000/callback");
    assert.match(
      local.text,
      /this computer \(localhost:5000\) Approve only if a program on the computer in front of you/,
    );
    const strange = await open("https://claude-ai.example/callback");
    assert.match(strange.text, /claude-ai\.example This server does not know that host/);
    assert.ok(
      strange.html.indexOf('value="deny"') < strange.html.indexOf('value="approve"'),
      "Enter denies here",
    );
  });
  const allowed = { SILVERBRIDGE_UNKNOWN_REDIRECTS: "allow" };
  await withSignIn({ env: allowed }, async ({ client, browser }) => {
    const { client_id: id } = await client.register({ redirect_uris: ["https://mine.example/cb"] });
    const page = await browser.open(
      client.authorizeUrl({ client_id: String(id), redirect_uri: "https://mine.example/cb" }),
    );
    assert.match(page.text, /A program without a name wants/);
    assert.equal(page.text.includes("does not know that host"), false);
  });
  const refused = { SILVERBRIDGE_UNKNOWN_REDIRECTS: "refuse" };
  await withSignIn({ env: refused }, async ({ client, browser }) => {
    const { client_id: id } = await client.register({ redirect_uris: ["https://mine.example/cb"] });
    const page = await browser.open(
      client.authorizeUrl({ client_id: String(id), redirect_uri: "https://mine.example/cb" }),
    );
    assert.deepEqual([page.status, page.headers.has("location")], [403, false]);
    assert.match(page.text, /UNKNOWN_REDIRECTS/);
  });
});

Deno.test("denying goes back with access_denied, the state and the issuer, and needs no secret", async () => {
  cites("oauth.consent");
  await withSignIn({}, async (world) => {
    const page = await world.browser.open(claudeUrl(world));
    const response = await world.browser.submit(page, { decision: "deny" });
    assert.equal(response.status, 303);
    const back = new URL(response.headers.get("location") ?? "");
    assert.equal(back.origin + back.pathname, claudeCallback);
    assert.deepEqual(Object.fromEntries(back.searchParams), {
      error: "access_denied",
      error_description: "The owner did not approve",
      state: "state-1",
      iss: origin,
    });
  });
});

Deno.test("a wrong secret says how many tries are left, then until when none counts, and keeps what was chosen", async () => {
  cites("oauth.owner-secret");
  await withSignIn({}, async (world) => {
    const url = claudeUrl(world);
    let page = await world.browser.open(url);
    const wrong = async () => {
      const changes = { decision: "approve", secret: "not it at all", access: "read", sees: "Projects/**" };
      const response = await world.browser.submit(page, changes);
      page = {
        ...page,
        status: response.status,
        headers: response.headers,
        html: await response.text(),
        text: "",
      };
      page = { ...page, text: page.html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ") };
      return page;
    };
    assert.match(
      (await wrong()).text,
      /That is not the owner’s secret\. 2 more tries before you have to wait/,
    );
    assert.match((await wrong()).text, /One more try before/);
    const last = await wrong();
    assert.equal(last.status, 401);
    assert.match(last.text, /The next try counts in 5 seconds, at \d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/);
    assert.match(last.html, /role="alert"/);
    assert.match(last.html, /aria-invalid="true"/);
    const { fields } = formOf(last);
    assert.deepEqual([fields.get("access"), fields.get("sees"), fields.get("secret")], [
      "read",
      "Projects/**",
      "",
    ]);
    const locked = await wrong();
    assert.equal(locked.status, 429);
    assert.match(locked.text, /Too many wrong tries/);
    assert.match(locked.text, /silverbridge owner unlock on the machine/);
    assert.match(
      (await world.browser.open(url)).text,
      /Too many wrong tries/,
      "said before anything is typed",
    );
    assert.equal(locked.html.includes("not it at all"), false, "what was typed is not given back");
  });
});

Deno.test("a form that lay too long, or came to another browser, is shown again and nothing was approved", async () => {
  await withSignIn({}, async (world) => {
    const url = claudeUrl(world);
    const page = await world.browser.open(url);
    const response = await world.browser.submit(page, {
      decision: "approve",
      secret: ownerSecret,
      ticket: "old",
    });
    assert.equal(response.status, 400);
    const again = { ...page, html: await response.text() };
    assert.match(again.html, /open for too long/);
    const back = await world.browser.submit(again, { decision: "approve", secret: ownerSecret });
    assert.equal(back.status, 303, "and can be sent at once");
  });
});

Deno.test("read only, limits to pages and the choice of tools are what the client gets, and no more", async () => {
  cites("oauth.consent");
  await withSignIn({}, async (world) => {
    const { client, browser } = world;
    const reader = await tokenOf(world, await browser.approve(claudeUrl(world), { access: "read" }));
    const names = await client.toolNames(reader);
    assert.ok(names.includes("read_page"));
    assert.equal(
      names.some((name) => /write|create|append|delete|patch|move/.test(name)),
      false,
      names.join(),
    );
    const choices = { access: "write", sees: "Projects/**\r\nInbox/*", changes: "Inbox/*", profile: "full" };
    const limited = await tokenOf(world, await browser.approve(claudeUrl(world), choices));
    const status = await (await client.call(limited, "server_status")).json();
    const told = JSON.parse(status.result.content[0].text);
    assert.deepEqual(told.rights.verbs.read, ["Projects/**", "Inbox/*"]);
    assert.deepEqual(told.rights.verbs.write, ["Inbox/*"]);
    assert.equal(told.caller.profile, "full");
    const outside = await (await client.call(limited, "create_page", { page: "Projects/New", content: "x" }))
      .text();
    assert.match(outside, /forbidden_path/);
    const inside = await (await client.call(limited, "create_page", { page: "Inbox/New", content: "x" }))
      .json();
    assert.notEqual(inside.result.isError, true);
    const chat = await tokenOf(
      world,
      await browser.approve(claudeUrl(world), { profile: "read", access: "write" }),
    );
    assert.match(
      await (await client.call(chat, "create_page", { page: "Inbox/No", content: "x" })).text(),
      /-32602|Unknown tool/,
    );
  });
});

Deno.test("a malformed limit is refused in place, and what was typed stays", async () => {
  await withSignIn({}, async (world) => {
    const page = await world.browser.open(claudeUrl(world));
    for (const [field, glob] of [["sees", "/Projects"], ["changes", "../x"], ["sees", "a//b"]] as const) {
      const response = await world.browser.submit(page, {
        decision: "approve",
        secret: ownerSecret,
        [field]: glob,
      });
      const html = await response.text();
      assert.equal(response.status, 400);
      assert.match(html, /<details\s+open/);
      assert.ok(html.includes(`>${glob}</textarea>`));
    }
  });
});

Deno.test("a client that asks for reading is not offered more, and the operator's settings bound what is offered", async () => {
  cites("oauth.consent");
  await withSignIn({}, async (world) => {
    const page = await world.browser.open(claudeUrl(world, { scope: "read" }));
    assert.match(page.text, /Claude wants to read your notes .* Change nothing/);
    assert.equal(/name="access"|name="changes"/.test(page.html), false);
    const token = await tokenOf(
      world,
      await world.browser.approve(claudeUrl(world, { scope: "read" }), { access: "write" }),
    );
    assert.equal((await world.client.toolNames(token)).includes("write_page"), false, "whatever is sent");
  });
  await withSignIn({ env: { SILVERBRIDGE_READ_ONLY: "on" } }, async (world) => {
    const page = await world.browser.open(claudeUrl(world));
    assert.match(page.text, /settings leave it reading alone/);
    const answer = await world.client.exchange({
      code: (await world.browser.approve(claudeUrl(world), { access: "write" })).searchParams.get("code") ??
        "",
      client_id: claude,
    });
    assert.equal(answer.body["scope"], "read");
  });
  const narrowed = { SILVERBRIDGE_WRITE_PATHS: "Inbox/**", SILVERBRIDGE_HIDDEN_PATHS: "Secret/**" };
  await withSignIn({ env: narrowed }, async (world) => {
    const page = await world.browser.open(claudeUrl(world));
    assert.match(page.text, /delete the pages Inbox\/\*\*/);
    assert.equal(page.html.includes("Secret"), false);
  });
});

Deno.test("a client that is known again is shown with what it had, and its form begins with that", async () => {
  await withSignIn({}, async (world) => {
    await tokenOf(world, await world.browser.approve(claudeUrl(world), { access: "read", sees: "A/**" }));
    const page = await world.browser.open(claudeUrl(world));
    assert.match(page.text, /Last time You approved this client just now : it may read the pages A\/\*\*/);
    const { fields } = formOf(page);
    assert.deepEqual([fields.get("access"), fields.get("sees")], ["read", "A/**"]);
    for (const cookies of [[], [["__Host-silverbridge-browser", "A".repeat(43)]]] as const) {
      const stranger = new Browser(world.from("198.51.100.9"));
      for (const [name, value] of cookies) stranger.cookies.set(name, value);
      const shown = await stranger.open(claudeUrl(world));
      assert.equal(shown.status, 200);
      assert.equal(
        /Last time|approved this client|A\/\*\*/.test(shown.html),
        false,
        "strangers are told nothing of it",
      );
      assert.equal(formOf(shown).fields.get("access"), "write");
    }
  });
});

Deno.test("while a client's host is down its earlier document or the built-in copy is used, and the page says so", async () => {
  await withSignIn({}, async (world) => {
    const down = world.client.authorizeUrl({ client_id: claude, redirect_uri: claudeCallback });
    assert.match(
      (await world.browser.open(down)).text,
      /claude\.ai does not answer .* what this server knows about that client/,
    );
    const unknown = world.client.authorizeUrl({
      client_id: "https://new.example/c",
      redirect_uri: "https://new.example/cb",
    });
    const refused = await world.browser.open(unknown);
    assert.equal(refused.status, 502);
    assert.match(refused.text, /does not answer\. Try again in a few minutes/);
  });
});

Deno.test("a server over folders alone asks about folders, and gives those that were chosen", async () => {
  const folder = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    const env = { SILVERBRIDGE_SILVERBULLET_URL: null, SILVERBRIDGE_SILVERBULLET_TOKEN: null };
    const configure = (
      config: Parameters<NonNullable<Parameters<typeof withSignIn>[0]["configure"]>>[0],
    ) => ({
      ...config,
      roots: ["docs", "papers"].map((alias) => ({ alias, path: folder, index: true, exclude: [] })),
    });
    const roots = { SILVERBRIDGE_ROOTS: `docs=${folder}` };
    await withSignIn({ env: { ...env, ...roots }, configure }, async (world) => {
      const page = await world.browser.open(claudeUrl(world));
      assert.match(page.text, /Claude wants to read your folders .* Read the folders docs , papers/);
      assert.equal(/name="sees"|name="access"/.test(page.html), false);
      assert.deepEqual(formOf(page).fields.getAll("root"), ["docs", "papers"]);
      const token = await tokenOf(world, await world.browser.approve(claudeUrl(world), { root: "docs" }));
      const names = await world.client.toolNames(token);
      assert.equal(names.includes("read_page"), false);
      const again = await world.browser.open(claudeUrl(world));
      assert.deepEqual(formOf(again).fields.getAll("root"), ["docs"]);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a refused form comes back as a page to a browser, not as JSON", async () => {
  await withSignIn({}, async (world) => {
    const response = await world.browser.send(claudeUrl(world), {
      method: "POST",
      headers: { origin: "https://evil.example", accept: "text/html", "sec-fetch-mode": "navigate" },
      body: new URLSearchParams({ decision: "approve" }),
    });
    assert.equal(response.status, 403);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.match(await response.text(), /did not come from this server/);
  });
});

Deno.test("a browser of an owner who was let in is remembered by a cookie that opens nothing", async () => {
  cites("oauth.owner-secret");
  await withSignIn({}, async (world) => {
    await world.browser.approve(claudeUrl(world));
    const pass = world.browser.cookies.get("__Host-silverbridge-browser") ?? "";
    assert.match(pass, /^[\w-]{43}$/);
    const thief = new Browser(world.fetch);
    thief.cookies.set("__Host-silverbridge-browser", pass);
    const response = await thief.submit(await thief.open(claudeUrl(world)), {
      decision: "approve",
      secret: "x",
    });
    assert.equal(response.status, 401);
    await response.body?.cancel();
    assert.equal(await world.client.opens(pass), false);
  });
});
