/** The owner's page over HTTP: getting in, who is connected, what was changed and refused, the trash, and the state. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { connect, Owner } from "../support/owner_page.ts";
import { type Browser, ownerSecret, type Page } from "../support/sign_in.ts";
import { origin, type SignInWorld, withSignIn } from "../support/sign_in_app.ts";

type Settings = Parameters<typeof withSignIn>[0];

/** An owner who is in, and a client that may do everything. */
async function withOwner<T>(
  settings: Settings,
  work: (
    world: SignInWorld & { readonly owner: Owner; readonly claude: Awaited<ReturnType<typeof connect>> },
  ) => Promise<T>,
): Promise<T> {
  const env = { SILVERBRIDGE_ERROR_STYLE: "flag", ...settings.env };
  return await withSignIn({ ...settings, env }, async (world) => {
    const claude = await connect(world.browser, world.client);
    const owner = new Owner(world.browser, origin);
    await owner.signIn();
    return await work({ ...world, owner, claude });
  });
}

function grantOf(page: Page): string {
  return /name="grant" value="([^"]+)"/.exec(page.html)?.[1] ?? assert.fail("a grant on the page");
}

/** Address of the undo page of the newest change of that page. */
function undoOf(page: Page, name: string): string {
  const links = [
    ...page.html.matchAll(/href="(\/owner\/changes\?undo=\w+)">Undo<span class="unseen"> <bdi>([^<]*)</g),
  ];
  return links.find(([, , each]) => each === name)?.[1] ?? assert.fail(`an undo of ${name}: ${page.text}`);
}

/** What somebody writes in SilverBullet itself. */
async function edit({ space }: Pick<SignInWorld, "space">, path: string, text: string): Promise<void> {
  const response = await fetch(`${space()}/.fs/${path}`, {
    method: "PUT",
    headers: { authorization: "Bearer space-token-0123456789abcdefghijklm" },
    body: text,
  });
  assert.ok(response.ok, `${response.status}`);
  await response.body?.cancel();
}

async function textOf({ space }: Pick<SignInWorld, "space">, path: string): Promise<string | null> {
  const response = await fetch(`${space()}/.fs/${path}`, {
    headers: { authorization: "Bearer space-token-0123456789abcdefghijklm" },
  });
  const text = await response.text();
  return response.status === 200 ? text : null;
}

const cookieOf = (response: Response, name: string) =>
  response.headers.getSetCookie().find((line) => line.startsWith(`${name}=`)) ?? "";

Deno.test("the owner's secret opens every part for twelve hours, by a cookie that no other site can send", async () => {
  cites("owner.door");
  await withSignIn({}, async ({ browser, app, fetch }) => {
    const owner = new Owner(browser, origin);
    for (const part of ["/owner", "/owner/changes", "/owner/trash", "/owner/state"]) {
      const door = await owner.open(part);
      assert.deepEqual([door.status, /<h1>([^<]*)/.exec(door.html)?.[1]], [200, "Sign in as the owner"]);
      assert.ok(door.html.includes(`action="${part}"`));
    }
    const wrong = await owner.enter("/owner/trash", "not this one at all");
    assert.equal(wrong.status, 401);
    assert.match(
      (await owner.after(wrong)).text,
      /That is not the owner’s secret\. 2 more tries before you have to wait/,
    );
    const entered = await owner.enter("/owner/trash");
    assert.deepEqual([entered.status, entered.headers.get("location")], [303, "/owner/trash"]);
    assert.match(
      cookieOf(entered, "__Host-silverbridge-owner"),
      /^__Host-silverbridge-owner=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    );
    for (
      const [part, heading] of [["", "Clients"], ["/changes", "Changes"], ["/trash", "Trash"], [
        "/state",
        "State",
      ]]
    ) {
      const page = await owner.open(`/owner${part}`);
      assert.deepEqual([page.status, /<h1>([^<]*)/.exec(page.html)?.[1]], [200, heading]);
      assert.match(page.html, new RegExp(`aria-current="page"[^>]*>${heading}`));
      assert.equal(page.headers.get("cache-control"), "no-store");
      assert.equal(page.headers.get("x-frame-options"), "DENY");
      assert.equal(page.headers.get("referrer-policy"), "same-origin");
      const script = part === "/state" ? "; script-src 'self'" : "";
      assert.equal(
        page.headers.get("content-security-policy"),
        `default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'${script}`,
      );
      const html = page.html.replace('<script src="/owner/passkeys.js" defer></script>', "");
      assert.equal(/<script|<style|\sstyle=|\son[a-z]+=|javascript:/i.test(html), false);
    }
    // A browser keeps the strict cookie to itself when a link of another site is followed.
    for (const [site, goesOn] of [["cross-site", true], ["same-site", true], ["none", false]] as const) {
      const door = await fetch(`${origin}/owner/trash`, { headers: { "sec-fetch-site": site } });
      const link = /<a href="\/owner\/trash">I am signed in already: open it<\/a>/;
      assert.equal(link.test(await door.text()), goesOn, site);
    }
    assert.ok(app.lines.some((line) => line.includes('"action":"enter"') && line.includes('"outcome":"ok"')));
    assert.ok(!app.lines.some((line) => line.includes(ownerSecret)));
    const left = await owner.press(await owner.open(), "sign-out");
    assert.deepEqual([left.status, left.headers.get("location")], [303, "/owner"]);
    assert.match(cookieOf(left, "__Host-silverbridge-owner"), /Max-Age=0/);
    assert.match((await owner.open()).text, /Sign in as the owner/);
  });
});

Deno.test("wrong secrets at the owner's page and at a sign-in are one count, and the wait is for both", async () => {
  cites("owner.door", "oauth.owner-secret");
  await withSignIn({}, async ({ browser, client }) => {
    const owner = new Owner(browser, origin);
    const { client_id: id } = await client.register({
      redirect_uris: ["https://claude.ai/api/mcp/auth_callback"],
    });
    const url = client.authorizeUrl({
      client_id: String(id),
      redirect_uri: "https://claude.ai/api/mcp/auth_callback",
    });
    await owner.enter("/owner", "wrong one");
    await browser.submit(await browser.open(url), { decision: "approve", secret: "wrong two" });
    await owner.enter("/owner", "wrong three");
    for (const address of [`${origin}/owner`, url]) {
      const page = await browser.open(address);
      assert.equal(page.status, 429, address);
      assert.match(page.headers.get("retry-after") ?? "", /^[1-5]$/);
      assert.match(page.text, /Unlock code/);
    }
    const right = await owner.enter();
    assert.deepEqual([right.status, cookieOf(right, "__Host-silverbridge-owner")], [429, ""]);
  });
});

Deno.test("the first visit shows how to connect; later each client with who vouches, rights, use, changes and refusals", async () => {
  cites("owner.clients");
  await withSignIn({ env: { SILVERBRIDGE_TOKEN: "laptop-token-0123456789abcdefghijklm" } }, async (world) => {
    const owner = new Owner(world.browser, origin);
    await owner.signIn();
    const first = await owner.open();
    assert.match(first.text, /No client has signed in yet/);
    assert.ok(first.html.includes(`value="${origin}/mcp"`));
    assert.match(first.text, /Tokens of the settings/);
    const claude = await connect(world.browser, world.client);
    const cursor = await connect(world.browser, world.client, {
      name: "Cursor",
      redirect: "http://localhost:9/cb",
      changes: { access: "read", sees: "Projects/**" },
    });
    await claude.tool("create_page", { page: "Plan", content: "one\n" });
    await claude.tool("delete_page", { page: "Plan" });
    await cursor.tool("create_page", { page: "Projects/A", content: "x" });
    const { text, html } = await owner.open();
    assert.match(
      text,
      /Cursor Who vouches unverified : this name was chosen by the program itself; it goes back to localhost:9/,
    );
    assert.match(text, /Read and search the pages Projects\/\*\* Change nothing/);
    assert.match(
      text,
      /Claude Who vouches .* goes back to claude\.ai It may Read and search all pages Create, change, add to and delete all pages Last used just now This week 1 page changed, 1 of them deleted or moved/,
    );
    assert.match(text, /Refused once this week/);
    assert.match(text, /Disconnecting takes effect at once/);
    assert.equal(html.match(/<h1>/g)?.length, 1);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
    assert.equal(new Set(ids).size, ids.length, "every id is there once");
  });
});

Deno.test("disconnecting ends a client at once, for its tokens of both kinds, and is told of in the audit", async () => {
  cites("owner.clients", "oauth.rights");
  await withOwner({}, async ({ owner, client, claude, app, fetch }) => {
    assert.ok(await client.opens(claude.token));
    const page = await owner.open();
    const grant = grantOf(page);
    const response = await owner.press(page, "end", { grant });
    assert.equal(response.status, 303);
    assert.equal(await client.opens(claude.token), false);
    assert.equal(
      (await client.refresh(claude.refresh, { client_id: claude.id })).body["error"],
      "invalid_grant",
    );
    const after = await owner.after(response);
    assert.match(after.text, /Disconnected\. The client’s next call is refused/);
    assert.match(after.text, /No client is connected now/);
    assert.match(after.text, /No longer connected: 1 Claude : you disconnected it/);
    assert.match((await owner.open("/owner?done=ended.forged")).text, /^(?!.*Disconnected\.)/);
    assert.ok(app.lines.some((line) => line.includes('"action":"end"') && line.includes(grant)));
    const other = new Owner(
      new (Object.getPrototypeOf(owner.browser).constructor as typeof Browser)(fetch),
      origin,
    );
    await other.signIn();
    const told = await other.open(response.headers.get("location") ?? assert.fail("a place to go to"));
    assert.match(told.text, /^(?!.*Disconnected\.)/, "what another session did is not said here");
    const again = await owner.after(await owner.press(page, "end", { grant }));
    assert.match(again.text, /not connected any more; nothing had to be done/);
  });
});

Deno.test("taking rights away counts from the next call and needs no secret; giving more does", async () => {
  cites("owner.clients", "oauth.rights");
  await withOwner({ space: { files: { "Projects/A.md": "a\n", "Private/B.md": "b\n" } } }, async (world) => {
    const { owner, claude, client } = world;
    assert.ok((await claude.tool("append_to_page", { page: "Private/B", content: "more\n" })).ok);
    const address = `/owner?client=${grantOf(await owner.open())}`;
    const changed = async (fields: Record<string, string>) =>
      await owner.press(await owner.open(address), "change", fields);
    const less = await changed({ access: "write", sees: "Projects/**", changes: "Projects/A" });
    assert.match((await owner.after(less)).text, /Saved\. It counts from the client’s next call on/);
    assert.equal((await claude.tool("read_page", { page: "Private/B" })).ok, false);
    assert.equal((await claude.tool("append_to_page", { page: "Projects/B", content: "x" })).ok, false);
    assert.ok((await claude.tool("append_to_page", { page: "Projects/A", content: "x\n" })).ok);
    const readOnly = await changed({ access: "read" });
    assert.equal(readOnly.status, 303);
    assert.equal((await client.toolNames(claude.token)).includes("append_to_page"), false);
    assert.match((await owner.open()).text, /Read and search the pages Projects\/\*\* Change nothing/);
    // Every way to give more asks for the secret, and does nothing without it.
    for (const fields of [{ access: "write" }, { sees: "" }, { sees: "Projects/**\nPrivate/**" }]) {
      const response = await changed(fields);
      assert.equal(response.status, 400);
      const page = await owner.after(response);
      assert.match(page.text, /This gives the client more than it has now\. Type the owner’s secret/);
      if ("access" in fields) {
        assert.match(page.html, /value="write"\s+checked/, "what was chosen stays chosen");
      }
      assert.equal((await claude.tool("read_page", { page: "Private/B" })).ok, false);
    }
    const wrong = await changed({ access: "write", sees: "", secret: "not this one at all" });
    assert.match((await owner.after(wrong)).text, /2 more tries before you have to wait/);
    assert.equal((await claude.tool("read_page", { page: "Private/B" })).ok, false);
    assert.equal((await changed({ access: "write", sees: "", secret: ownerSecret })).status, 303);
    const { accessToken } = await client.refresh(claude.refresh, { client_id: claude.id });
    assert.ok((await client.toolNames(accessToken)).includes("append_to_page"));
    const malformed = await owner.after(await changed({ sees: "/Projects[" }));
    assert.equal(malformed.status, 400);
    assert.match(malformed.text, /A pattern for the pages that it may see is malformed/);
  });
});

Deno.test("changes are listed with who, what and the difference, by client, by page, and page after page", async () => {
  cites("owner.changes");
  await withOwner({}, async ({ owner, claude, browser, client }) => {
    const cursor = await connect(browser, client, { name: "Cursor", redirect: "http://localhost:9/cb" });
    await claude.tool("create_page", { page: "Plan", content: "one\ntwo\n" });
    await cursor.tool("patch_page_replace", { page: "Plan", find: "two", replace: "three" });
    await claude.tool("move_page", { from: "Plan", to: "Done/Plan" });
    for (let each = 0; each < 20; each++) {
      await cursor.tool("create_page", { page: `Many/${each}`, content: "x\n" });
    }
    const first = await owner.open("/owner/changes");
    assert.match(
      first.text,
      /Cursor created Many\/19 just now create_page · 20\d\d-\d\d-\d\d \d\d:\d\d UTC What changed/,
    );
    assert.equal(first.text.includes("Done/Plan"), false);
    const older = /href="(\/owner\/changes\?before=\d+)"/.exec(first.html)?.[1] ?? assert.fail("older ones");
    const second = await owner.open(older);
    assert.match(second.text, /Claude moved Done\/Plan from Plan/);
    assert.match(second.html, /<del>-two<\/del>\s*<ins>\+three<\/ins>/);
    const by = /<option value="(grant:[^"]+)"[^>]*>Claude/.exec(first.html)?.[1] ?? assert.fail("a choice");
    const claudes = await owner.open(`/owner/changes?by=${encodeURIComponent(by)}`);
    assert.equal(claudes.html.match(/<ol class="entries">[\s\S]*<\/ol>/)?.[0].match(/<li>/g)?.length, 2);
    const ofPage = await owner.open("/owner/changes?page=Plan");
    assert.match(
      ofPage.text,
      /Claude moved Plan to Done\/Plan .* Cursor changed Plan .* Claude created Plan/,
    );
    assert.match((await owner.open("/owner/changes?page=Nowhere")).text, /There is no such change/);
    assert.match(
      (await owner.open("/owner/changes?before=1")).text,
      /There is nothing older.*Newest changes/,
    );
  });
});

Deno.test("an undo says beforehand whether somebody edited since, keeps those edits, and can be undone too", async () => {
  cites("owner.changes");
  await withOwner({ space: { files: { "Plan.md": "one\ntwo\nthree\nfour\nfive\n" } } }, async (world) => {
    const { owner, claude } = world;
    await claude.tool("patch_page_replace", { page: "Plan", find: "one", replace: "ONE" });
    let page = await owner.open(undoOf(await owner.open("/owner/changes"), "Plan"));
    assert.match(page.text, /Nobody edited the page since/);
    assert.match(page.html, /<del>-ONE<\/del>\s*<ins>\+one<\/ins>/);
    await edit(world, "Plan.md", "ONE\ntwo\nthree\nfour\nFIVE\n");
    const stale = await owner.press(page, "undo");
    assert.equal(stale.status, 409, "what was shown is not what would be done now");
    page = await owner.after(stale);
    assert.match(page.text, /Nothing was undone\./);
    assert.equal(await textOf(world, "Plan.md"), "ONE\ntwo\nthree\nfour\nFIVE\n");
    page = await owner.open(undoOf(await owner.open("/owner/changes"), "Plan"));
    assert.match(page.text, /The page was edited since\. Those edits stay; only this change is taken back/);
    const undone = await owner.after(await owner.press(page, "undo"));
    assert.match(undone.text, /Undone\. The change that undid it is in the list/);
    assert.equal(await textOf(world, "Plan.md"), "one\ntwo\nthree\nfour\nFIVE\n");
    assert.match(undone.text, /You, on this page changed Plan to undo an earlier change, just now/);
    assert.match(undone.text, /This was undone\./);
    const replayed = await owner.press(page, "undo");
    assert.equal(replayed.status, 409, "the same form once more");
    assert.equal(await textOf(world, "Plan.md"), "one\ntwo\nthree\nfour\nFIVE\n");
    await owner.press(await owner.open(undoOf(undone, "Plan")), "undo");
    assert.equal(await textOf(world, "Plan.md"), "ONE\ntwo\nthree\nfour\nFIVE\n");
  });
});

Deno.test("where the same lines were edited since, both sides are shown and nothing can be pressed", async () => {
  cites("owner.changes");
  await withOwner({ space: { files: { "Plan.md": "one\n" } } }, async (world) => {
    const { owner, claude } = world;
    await claude.tool("patch_page_replace", { page: "Plan", find: "one", replace: "two" });
    await edit(world, "Plan.md", "<b>three</b>\n");
    const page = await owner.open(undoOf(await owner.open("/owner/changes"), "Plan"));
    assert.match(page.text, /This cannot be undone as it is/);
    assert.match(page.text, /Line 1, before one The change made of it two Now there is <b>three<\/b>/);
    assert.equal(page.html.includes('value="undo"'), false);
    assert.ok(page.html.includes("&lt;b&gt;three"));
  });
});

Deno.test("what was refused is told: rights, the budget of changes, and wrong secrets with where they came from", async () => {
  cites("owner.changes");
  await withOwner(
    { env: { SILVERBRIDGE_CHANGES_PER_HOUR: "2/1" } },
    async ({ owner, browser, client, from }) => {
      const cursor = await connect(browser, client, {
        name: "Cursor",
        redirect: "http://localhost:9/cb",
        changes: { sees: "**", changes: "Open/**" },
      });
      await cursor.tool("create_page", { page: "Closed/A", content: "x\n" });
      for (const page of ["A", "B", "C", "D"]) {
        await cursor.tool("create_page", {
          page: `Open/${page}`,
          content: "x\n",
        });
      }
      const stranger = new Owner(
        new (Object.getPrototypeOf(browser).constructor as typeof Browser)(from("198.51.100.9")),
        origin,
      );
      await stranger.enter("/owner", "a guess of somebody");
      const changes = await owner.open("/owner/changes");
      assert.match(changes.text, /Cursor wanted create_page on Closed\/A : it may not do that · just now/);
      assert.match(
        changes.text,
        /Cursor wanted create_page on Open\/D : it had changed as much as it may in an hour, and was stopped · just now · 2 times/,
      );
      assert.match(changes.text, /Signing in : the owner’s secret was wrong, last from 198\.51\.100\.9/);
      assert.match(
        (await owner.open()).text,
        /Refused 3 times this week ; it was stopped at the number of changes/,
      );
      const by = /<option value="(grant:[^"]+)"[^>]*>Cursor/.exec(changes.html)?.[1] ?? "";
      const cursors = await owner.open(`/owner/changes?by=${encodeURIComponent(by)}`);
      assert.equal(cursors.text.includes("Signing in"), false);
      assert.match(cursors.text, /Closed\/A/);
    },
  );
});

Deno.test("the trash brings pages back, and is emptied with the secret, of nothing but what the page showed", async () => {
  cites("owner.trash");
  await withOwner({}, async (world) => {
    const { owner, claude, app } = world;
    for (const page of ["A", "B", "C"]) await claude.tool("create_page", { page, content: `${page}\n` });
    await claude.tool("delete_page", { page: "A" });
    await claude.tool("delete_page", { page: "B" });
    const trash = await owner.open("/owner/trash");
    assert.match(trash.text, /B deleted just now by Claude .* A deleted just now by Claude/);
    const restored = await owner.after(await owner.press(trash, "restore"));
    assert.match(restored.text, /Restored\. It is where it was/);
    assert.equal(await textOf(world, "B.md"), "B\n");
    assert.match((await owner.after(await owner.press(trash, "restore"))).text, /That did not work/);
    assert.match(
      (await owner.open("/owner/trash?empty=90")).text,
      /Nothing in the trash was deleted more than 90 days ago/,
    );
    const asked = await owner.open("/owner/trash?empty=0");
    assert.match(asked.text, /This cannot be undone\. .* 1 page, deleted at any time: A/);
    for (const secret of ["", "not this one at all"]) {
      const refused = await owner.press(asked, "empty", { secret });
      assert.equal(refused.status, 400);
      assert.match((await owner.after(refused)).text, /A/);
    }
    assert.match((await owner.open("/owner/trash")).text, /A deleted/);
    await claude.tool("delete_page", { page: "C" });
    const emptied = await owner.after(await owner.press(asked, "empty", { secret: ownerSecret }));
    assert.match(emptied.text, /Deleted for good\./);
    assert.equal(emptied.text.includes("A deleted"), false);
    assert.match(emptied.text, /C deleted/, "it was deleted while the page was looked at");
    assert.ok(
      app.lines.some((line) =>
        line.includes('"action":"purge"') && line.includes('"client":"owner"') ||
        line.includes("action=purge")
      ),
    );
  });
});

Deno.test("the state says how SilverBullet is and who else is in, and signs the others out", async () => {
  cites("owner.door");
  await withOwner(
    { env: { SILVERBRIDGE_INSTRUCTIONS: "Write in English." } },
    async ({ owner, app, fetch, space }) => {
      const other = new Owner(
        new (Object.getPrototypeOf(owner.browser).constructor as typeof Browser)(fetch),
        origin,
      );
      await other.signIn();
      const page = await owner.open("/owner/state");
      assert.match(
        page.text,
        new RegExp(
          `SilverBullet ${space()} Ready yes; SilverBullet is version 2\\.\\d+\\.\\d+ Edits SilverBullet compares`,
        ),
      );
      assert.match(
        page.text,
        /Search index (?:being opened|\d+ files, .*) Your text for assistants SHA-256 [0-9a-f]{64}/,
      );
      assert.match(page.text, /Another browser: since just now.*This browser : since just now/);
      const alone = await owner.after(await owner.press(page, "others-out"));
      assert.match(alone.text, /Every other browser is signed out/);
      assert.match((await other.open("/owner/state")).text, /Sign in as the owner/);
      await app.space.close();
      const down = await owner.open("/owner/state");
      assert.equal(down.status, 200);
      assert.match(down.text, /Ready no : No SilverBullet can be reached at SILVERBRIDGE_SILVERBULLET_URL/);
      assert.equal((await owner.open("/owner/trash")).status, 200);
      assert.equal((await owner.open("/owner/changes")).status, 200);
      assert.equal((await owner.open("/owner")).status, 200);
    },
  );
});

Deno.test("a SilverBullet that never answers keeps no part of the page waiting as long as a client waits", async () => {
  await withOwner({}, async ({ owner, app, claude }) => {
    for (const verb of ["LIST", "OTHER", "META", "GET"] as const) {
      app.space.faults.add({ fault: { kind: "slow_answer", ms: 60_000 }, verb, times: Infinity });
    }
    const begun = performance.now();
    const client = claude.tool("list_pages").then(() => performance.now() - begun);
    const [state, trash] = await Promise.all([owner.open("/owner/state"), owner.open("/owner/trash")]);
    const pages = performance.now() - begun;
    assert.match(
      state.text,
      /Ready no : SilverBullet at SILVERBRIDGE_SILVERBULLET_URL does not answer in time/,
    );
    assert.match(
      trash.text,
      /SilverBullet does not answer now, so copies in its own trash folder are missing here/,
    );
    assert.equal(trash.status, 200);
    assert.ok(pages < 0.75 * await client, `${pages} ms`);
  });
});

Deno.test("a server that only reads shows everything and offers nothing that changes a page", async () => {
  cites("owner.changes");
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  try {
    await withOwner({ env: { SILVERBRIDGE_STATE_DIR: stateDir } }, async ({ claude }) => {
      await claude.tool("create_page", { page: "A", content: "a\n" });
      await claude.tool("delete_page", { page: "A" });
    });
    const env = { SILVERBRIDGE_STATE_DIR: stateDir, SILVERBRIDGE_READ_ONLY: "true" };
    await withSignIn({ env }, async ({ browser }) => {
      const owner = new Owner(browser, origin);
      await owner.signIn();
      const [changes, trash] = [await owner.open("/owner/changes"), await owner.open("/owner/trash")];
      for (const { text } of [changes, trash]) assert.match(text, /This server only reads/);
      assert.match(changes.text, /Claude deleted A/);
      assert.match(trash.text, /A deleted/);
      assert.equal(/>Undo<|value="restore"|Empty the trash/.test(changes.html + trash.html), false);
      const id = /undo=|change" value="(\w+)"/.exec(trash.html)?.[1] ?? "c000000000000";
      const ticket = /name="ticket" value="([^"]+)"/.exec(trash.html)?.[1] ?? "";
      const sent = await owner.send("/owner/trash", `ticket=${ticket}&do=restore&change=${id}`);
      assert.equal(sent.status, 403, "nor is a form of one's own making taken");
    });
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});

Deno.test("rights that are saved while the server only reads take away no changes that nobody was asked about", async () => {
  cites("owner.clients");
  const stateDir = await Deno.makeTempDir({ prefix: "silverbridge-test-" });
  const env = { SILVERBRIDGE_STATE_DIR: stateDir };
  const mayChange = /Create, change, add to and delete all pages/;
  try {
    await withOwner({ env }, async ({ owner }) => {
      assert.match((await owner.open()).text, mayChange);
    });
    await withSignIn({ env: { ...env, SILVERBRIDGE_READ_ONLY: "true" } }, async ({ browser }) => {
      const owner = new Owner(browser, origin);
      await owner.signIn();
      const page = await owner.open(`/owner?client=${grantOf(await owner.open())}`);
      assert.equal(page.html.includes('name="access"'), false);
      assert.match((await owner.after(await owner.press(page, "change"))).text, /Saved\. .* Change nothing/);
    });
    await withSignIn({ env }, async ({ browser }) => {
      const owner = new Owner(browser, origin);
      await owner.signIn();
      assert.match((await owner.open()).text, mayChange);
    });
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});

Deno.test("there is no owner's page where clients do not sign in", async () => {
  const env = {
    SILVERBRIDGE_OWNER_SECRET: null,
    SILVERBRIDGE_TOKEN: "laptop-token-0123456789abcdefghijklm",
  };
  await withSignIn({ env }, async ({ browser }) => {
    for (const part of ["/owner", "/owner/changes"]) {
      const response = await browser.send(origin + part, { headers: { accept: "text/html" } });
      assert.equal(response.status, 404);
      assert.match(await response.text(), /This server has no page for its owner/);
    }
  });
});
