/** The page where the owner decides, in a real browser: looks, keyboard, and the way back under its own policy. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import type { Browser as Chromium, Page } from "playwright-core";
import { cites } from "../requirements.ts";
import { type Program, withProgram } from "../support/app.ts";
import { inspect, openPage, phone, views, withChromium } from "../support/real_browser.ts";
import { ownerSecret, WireClient } from "../support/sign_in.ts";

const env = { SILVERBRIDGE_TOKEN: null, SILVERBRIDGE_OWNER_SECRET: ownerSecret };

/** A client on this computer: its callback answers a page, or sends the browser on to another host first. */
async function withCallback<T>(
  work: (address: string, seen: URL[]) => Promise<T>,
  onward?: string,
): Promise<T> {
  const seen: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    if (url.pathname === "/callback") seen.push(url);
    if (url.pathname === "/callback" && onward !== undefined) {
      response.writeHead(302, { location: onward });
      return response.end();
    }
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>client</title><h1>Back at the client</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function registered({ url }: Program, redirectUri: string, name = "Claude"): Promise<string> {
  const client = new WireClient(url, (target, init) => fetch(target, init));
  const { client_id: id } = await client.register({ client_name: name, redirect_uris: [redirectUri] });
  return client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri });
}

/** Makes the wait of everybody who failed that long, as many more wrong tries would. */
function lockFor({ stateDir }: Program, ms: number): void {
  const state = new DatabaseSync(`${stateDir}/state.db`);
  state.prepare("UPDATE owner_tries SET until = ?").run(Date.now() + ms);
  state.close();
}

async function inEveryView(
  browser: Chromium,
  work: (page: Page, view: string, complaints: string[]) => Promise<void>,
): Promise<void> {
  for (const view of views) {
    const { page, complaints } = await openPage(browser, view);
    await work(page, view.name, complaints);
    await page.context().close();
  }
}

Deno.test("an owner approves in a real browser and is back at the client, under the page's own policy", async () => {
  cites("oauth.consent");
  await withProgram({ env }, (program) =>
    withChromium((browser) =>
      withCallback(async (address, seen) => {
        const url = await registered(program, `${address}/callback`);
        await inEveryView(browser, async (page, view, complaints) => {
          await page.goto(url);
          await inspect(page, `sign-in-${view}`);
          await page.getByText("Limit what it may see or do").click();
          await inspect(page, `sign-in-limits-${view}`);
          await page.getByLabel("Owner’s secret").fill(ownerSecret);
          await page.getByRole("button", { name: "Approve" }).click();
          await page.waitForURL(`${address}/callback?**`);
          assert.equal(await page.textContent("h1"), "Back at the client");
          assert.match(seen.at(-1)?.searchParams.get("code") ?? "", /^[\w-]{43}$/);
          assert.deepEqual(complaints, [], view);
        });
      })
    ));
});

Deno.test("the policy lets the browser follow the callback only to hosts that belong to the client", async () => {
  await withProgram(
    { env },
    (program) =>
      withChromium((browser) =>
        withCallback((elsewhere) =>
          withCallback(async (address, seen) => {
            const { page, complaints } = await openPage(browser, phone);
            await page.goto(await registered(program, `${address}/callback`));
            await page.getByLabel("Owner’s secret").fill(ownerSecret);
            await page.getByRole("button", { name: "Approve" }).click();
            while (seen.length === 0 || complaints.length === 0) await page.waitForTimeout(20);
            assert.ok(seen.length > 0, "the client has its code");
            assert.match(complaints.join(), /form-action/);
            assert.ok(page.url().startsWith(program.url), "and the browser stays where it says so");
            assert.match(await page.textContent("main") ?? "", /it may be connected already/);
          }, `${elsewhere}/landing`)
        )
      ),
  );
});

Deno.test("denying, a wrong secret and a lock are each clear in a real browser", async () => {
  cites("oauth.owner-secret");
  await withProgram({ env }, (program) =>
    withChromium((browser) =>
      withCallback(async (address, seen) => {
        const url = await registered(program, `${address}/callback`);
        await inEveryView(browser, async (page, view) => {
          await page.goto(url);
          await page.getByRole("button", { name: "Deny" }).click();
          await page.waitForURL(`${address}/callback?**`);
          assert.equal(seen.at(-1)?.searchParams.get("error"), "access_denied", view);
        });
        const first = await openPage(browser, phone);
        await first.page.goto(url);
        for (const [round, words] of ["2 more tries", "One more try", "The next try counts in"].entries()) {
          await first.page.getByLabel("Owner’s secret").fill("not this one at all");
          await first.page.getByRole("button", { name: "Approve" }).click();
          await first.page.getByRole("alert").getByText(words).waitFor();
          if (round === 0) await inspect(first.page, "sign-in-wrong-phone-light");
          assert.equal(await first.page.getByLabel("Owner’s secret").inputValue(), "");
        }
        await inspect(first.page, "sign-in-waits-phone-light");
        lockFor(program, 600_000);
        await inEveryView(browser, async (page, view) => {
          await page.goto(url);
          await page.getByRole("alert").getByText("Too many wrong tries").waitFor();
          await page.getByLabel("Unlock code").waitFor();
          await inspect(page, `sign-in-locked-${view}`);
        });
      })
    ));
});

Deno.test("read only is chosen and approved by keyboard alone, and Enter denies strangers", async () => {
  cites("oauth.consent");
  await withProgram({ env }, (program) =>
    withChromium((browser) =>
      withCallback(async (address, seen) => {
        const { page } = await openPage(browser, phone);
        await page.goto(await registered(program, `${address}/callback`));
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate("document.activeElement.textContent"), "Skip to content");
        await page.keyboard.press("Tab");
        await page.keyboard.press("ArrowUp");
        assert.equal(await page.getByLabel("read only").isChecked(), true);
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate("document.activeElement.tagName"), "SUMMARY");
        await page.keyboard.press("Tab");
        await page.keyboard.type(ownerSecret);
        await page.keyboard.press("Enter");
        await page.waitForURL(`${address}/callback?**`);
        const client = new WireClient(program.url, (target, init) => fetch(target, init));
        const { client_id: id } = await client.register({
          client_name: "Claude",
          redirect_uris: [`${address}/callback`],
        });
        const code = seen.at(-1)?.searchParams.get("code") ?? "";
        const tokens = await client.exchange({ code, client_id: String(id) });
        assert.equal(tokens.body["scope"], "read");
        const strange = await openPage(browser, phone);
        await strange.page.goto(await registered(program, "https://stranger.example/cb", "Stranger"));
        await inspect(strange.page, "sign-in-stranger-phone-light");
        const sent = strange.page.waitForRequest("https://stranger.example/cb?**");
        await strange.page.getByLabel("Owner’s secret").fill(ownerSecret);
        await strange.page.keyboard.press("Enter");
        assert.equal(new URL((await sent).url()).searchParams.get("error"), "access_denied");
      })
    ));
});

Deno.test("sign-ins that cannot go on, and pages of errors, read well in every view", async () => {
  await withProgram(
    { env },
    (program) =>
      withChromium((browser) =>
        inEveryView(browser, async (page, view) => {
          await page.goto(`${program.url}/authorize?client_id=nobody&redirect_uri=https://a.example/`);
          assert.match(await page.textContent("h1") ?? "", /cannot go on/);
          await inspect(page, `sign-in-refused-${view}`);
          await page.goto(`${program.url}/nowhere`);
          await inspect(page, `not-found-${view}`);
          await page.goto(`${program.url}/`);
          await inspect(page, `start-${view}`);
        })
      ),
  );
});

Deno.test("the page is readable at twice the size", async () => {
  await withProgram({ env }, (program) =>
    withChromium(async (browser) => {
      const { page } = await openPage(browser, { name: "zoomed", width: 640, dark: false });
      await page.goto(await registered(program, "http://localhost:5555/callback"));
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      await inspect(page, "sign-in-zoomed");
    }));
});
