/** The owner's page in a real browser: looks, keyboard, disconnecting and undoing, and pages of others that reach for it. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser as Chromium, Page } from "playwright-core";
import { cites } from "../requirements.ts";
import { type Program, withProgram } from "../support/app.ts";
import { connect, type Connected } from "../support/owner_page.ts";
import { inspect, openPage, phone, type View, views, withChromium } from "../support/real_browser.ts";
import { Browser, ownerSecret, WireClient } from "../support/sign_in.ts";

interface World {
  readonly program: Program;
  readonly chromium: Chromium;
  /** One more client that the owner approved. */
  connected(name: string, changes?: Readonly<Record<string, string>>): Promise<Connected>;
}

async function withWorld(work: (world: World) => Promise<void>): Promise<void> {
  const env = {
    SILVERBRIDGE_TOKEN: null,
    SILVERBRIDGE_OWNER_SECRET: ownerSecret,
    SILVERBRIDGE_ERROR_STYLE: "flag",
    SILVERBRIDGE_INSTRUCTIONS: "Write in English.",
    SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "10000",
  };
  await withProgram({ env }, (program) =>
    withChromium((chromium) => {
      const here = (url: string, init?: RequestInit) => fetch(url, init);
      const [browser, client] = [new Browser(here), new WireClient(program.url, here)];
      const redirect = "http://localhost:5555/callback";
      return work({
        program,
        chromium,
        connected: (name, changes = {}) => connect(browser, client, { name, redirect, changes }),
      });
    }));
}

/** A browser in which the owner is in, looking at that part. */
async function signedIn({ chromium, program }: World, view: View, path = "/owner") {
  const opened = await openPage(chromium, view);
  const { page } = opened;
  await page.goto(program.url + path);
  await page.getByLabel("Owner’s secret").fill(ownerSecret);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
  return opened;
}

async function heading(page: Page): Promise<string | null> {
  return await page.textContent("h1");
}

Deno.test("every part of the owner's page reads well on a phone and a desktop, in light and in dark", async () => {
  cites("owner.clients", "owner.changes", "owner.trash");
  await withWorld(async (world) => {
    const { program: { url } } = world;
    for (const view of views) {
      const { page } = await openPage(world.chromium, view);
      await page.goto(`${url}/owner`);
      await inspect(page, `owner-door-${view.name}`);
      await page.getByLabel("Owner’s secret").fill("not this one at all");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").waitFor();
      await inspect(page, `owner-door-wrong-${view.name}`);
      await page.context().close();
      const first = await signedIn(world, view);
      await inspect(first.page, `owner-first-${view.name}`);
      await first.page.context().close();
    }
    const claude = await world.connected("Claude");
    const cursor = await world.connected("A client with quite a long name, as some of them have", {
      sees: "Projects/**\nJournal/*\nA folder with a long name/and another one below it/**",
      access: "read",
    });
    const text = "# Alpha\n\nOne line.\n* [ ] a task\n";
    await claude.tool("create_page", { page: "Projects/Alpha", content: text });
    await claude.tool("create_page", {
      page: "Links",
      content: `See [[Projects/Alpha]].\n${"long ".repeat(60)}\n`,
    });
    await claude.tool("patch_page_replace", {
      page: "Projects/Alpha",
      find: "One",
      replace: "A \u202ehidden\u200b",
    });
    await claude.tool("move_page", { from: "Projects/Alpha", to: "Projects/Beta" });
    await claude.tool("create_page", { page: "Unbroken".repeat(20), content: "old\n" });
    await claude.tool("delete_page", { page: "Unbroken".repeat(20) });
    await cursor.tool("create_page", { page: "Links", content: "x" });
    for (const view of views) {
      const { page, complaints } = await signedIn(world, view);
      const look = async (path: string, name: string) => {
        await page.goto(url + path);
        for (const summary of await page.locator("summary").all()) await summary.click();
        await inspect(page, `owner-${name}-${view.name}`);
      };
      await look("/owner", "clients");
      await page.getByRole("link", { name: "Change what it may do (Claude)" }).click();
      await page.getByRole("button", { name: "Save" }).waitFor();
      await inspect(page, `owner-rights-${view.name}`);
      await look("/owner/changes", "changes");
      await page.getByRole("link", { name: "Undo Projects/Beta" }).first().click();
      await page.getByRole("button", { name: "Undo it" }).waitFor();
      await inspect(page, `owner-undo-${view.name}`);
      await look("/owner/trash", "trash");
      await page.getByLabel("Deleted", { exact: true }).selectOption("0");
      await page.getByRole("button", { name: "Look what would go" }).click();
      await page.getByRole("button", { name: "Delete for good" }).waitFor();
      await inspect(page, `owner-empty-${view.name}`);
      await look("/owner/state", "state");
      assert.deepEqual(complaints, [], view.name);
      await page.goto(`${url}/owner/changes?undo=c000000000000`);
      await inspect(page, `owner-forgotten-${view.name}`);
      await page.context().close();
    }
  });
});

Deno.test("an owner takes rights away, undoes a change and disconnects a client, in every view", async () => {
  cites("owner.clients", "owner.changes");
  await withWorld(async (world) => {
    const { space } = world.program;
    for (const view of views) {
      const name = `Client ${view.name}`;
      const client = await world.connected(name);
      const content = "one\ntwo\nthree\n";
      assert.ok((await client.tool("create_page", { page: `Page ${view.name}`, content })).ok);
      await client.tool("patch_page_replace", { page: `Page ${view.name}`, find: "two", replace: "2" });
      const { page, complaints } = await signedIn(world, view);
      await page.getByRole("link", { name: `Change what it may do (${name})` }).click();
      await page.getByLabel("read only").check();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("status").getByText("Saved.").waitFor();
      assert.equal(
        (await client.tool("append_to_page", { page: `Page ${view.name}`, content: "x" })).ok,
        false,
      );
      await page.getByRole("link", { name: "Changes" }).click();
      await page.getByLabel("Made by").selectOption({ label: name });
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByRole("link", { name: `Undo Page ${view.name}` }).first().click();
      await page.getByText("Nobody edited the page since").waitFor();
      await page.getByRole("button", { name: "Undo it" }).click();
      await page.getByRole("status").getByText("Undone.").waitFor();
      assert.equal(space.files.text(`Page ${view.name}.md`), content);
      await inspect(page, `owner-undone-${view.name}`);
      await page.reload();
      assert.equal(space.files.text(`Page ${view.name}.md`), content, "loading it again does nothing");
      await page.getByRole("link", { name: "Clients" }).click();
      await page.getByRole("button", { name: `Disconnect ${name}` }).click();
      await page.getByRole("status").getByText("Disconnected.").waitFor();
      assert.equal((await client.tool("list_pages")).status, 401);
      await inspect(page, `owner-disconnected-${view.name}`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      await page.goBack();
      assert.equal(await heading(page), "Sign in as the owner", "nothing is kept in the browser's history");
      assert.deepEqual(complaints, [], view.name);
      await page.context().close();
    }
  });
});

Deno.test("the owner's page is worked by keyboard alone", async () => {
  cites("owner.changes");
  await withWorld(async (world) => {
    const client = await world.connected("Claude");
    await client.tool("create_page", { page: "Plan", content: "one\n" });
    const { page } = await openPage(world.chromium, phone);
    const focused = () => page.evaluate("document.activeElement.textContent.trim()");
    /** Presses Tab until that is focused; each stop must be seen. */
    const tabTo = async (text: string) => {
      for (let stop = 0; stop < 40 && await focused() !== text; stop++) {
        await page.keyboard.press("Tab");
        const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
        if (await page.evaluate("document.activeElement !== document.body")) assert.notEqual(outline, "none");
      }
      assert.equal(await focused(), text);
    };
    await page.goto(`${world.program.url}/owner`);
    await page.keyboard.press("Tab");
    assert.equal(await focused(), "Skip to content");
    await page.keyboard.press("Tab");
    await page.keyboard.type(ownerSecret);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await tabTo("Changes");
    await page.keyboard.press("Enter");
    await page.getByLabel("Made by").waitFor();
    await tabTo("What changed");
    await page.keyboard.press("Space");
    await page.locator("ins").getByText("+one").waitFor();
    await tabTo("Undo Plan");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Undo it" }).waitFor();
    await tabTo("Undo it");
    await page.keyboard.press("Enter");
    await page.getByRole("status").waitFor();
    assert.equal(world.program.space.files.text("Plan.md"), null);
  });
});

Deno.test("pages of others neither press its buttons nor frame it, and a link from them asks first", async () => {
  cites("owner.forms");
  await withWorld(async (world) => {
    const { url } = world.program;
    const client = await world.connected("Claude");
    const { page } = await signedIn(world, phone);
    const grant = await page.locator('input[name="grant"]').getAttribute("value");
    const ticket = await page.locator('.card input[name="ticket"]').getAttribute("value");
    const server = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<!doctype html><title>other</title><a href="${url}/owner">link</a>
        <iframe src="${url}/owner"></iframe>
        <form method="post" action="${url}/owner"><input name="grant" value="${grant}">
        <input name="ticket" value="${ticket}"><button name="do" value="end">Press</button></form>`);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      // One is another site, the other one the same site and another origin.
      for (const host of ["localhost", "127.0.0.1"]) {
        const other = await page.context().newPage();
        await other.goto(`http://${host}:${port}/`);
        const [frame] = other.frames().filter((each) => each !== other.mainFrame());
        assert.match(frame?.url() ?? "", /^chrome-error:/, "the frame shows that it was refused");
        await other.getByRole("button", { name: "Press" }).click();
        await other.waitForLoadState();
        assert.match(await heading(other) ?? "", /not accepted/);
        assert.notEqual((await client.tool("list_pages")).status, 401, host);
        await other.goto(`http://${host}:${port}/`);
        await other.getByRole("link", { name: "link" }).click();
        await other.getByRole("heading", { level: 1 }).waitFor();
        if (host === "localhost") {
          assert.equal(await heading(other), "Sign in as the owner");
          await inspect(other, "owner-door-from-elsewhere");
          await other.getByRole("link", { name: "I am signed in already" }).click();
          await other.getByRole("button", { name: "Sign out" }).waitFor();
        }
        assert.equal(await heading(other), "Clients");
        await other.close();
      }
      await page.reload();
      assert.equal(await heading(page), "Clients", "and the owner is still in");
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

Deno.test("the owner's page is readable at twice the size", async () => {
  await withWorld(async (world) => {
    const client = await world.connected("Claude");
    await client.tool("create_page", { page: "Plan", content: "one\n" });
    const { page } = await signedIn(world, { name: "zoomed", width: 640, dark: false });
    for (const part of ["", "/changes", "/trash", "/state"]) {
      await page.goto(`${world.program.url}/owner${part}`);
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      await inspect(page, `owner-zoomed${part.replace("/", "-")}`);
    }
  });
});
