/** Passkeys in a real browser, with an authenticator that the browser itself plays. */

import assert from "node:assert/strict";
import type { Browser as Chromium, Page } from "playwright-core";
import { cites } from "../requirements.ts";
import { freePort, withProgram } from "../support/app.ts";
import { inspect, openPage, phone, views, withChromium } from "../support/real_browser.ts";
import { ownerSecret } from "../support/sign_in.ts";

/** A server at a name for which browsers make passkeys. */
async function withServer(work: (url: string, chromium: Chromium) => Promise<void>): Promise<void> {
  const port = freePort();
  const url = `http://localhost:${port}`;
  const env = {
    SILVERBRIDGE_TOKEN: null,
    SILVERBRIDGE_OWNER_SECRET: ownerSecret,
    SILVERBRIDGE_PORT: String(port),
    SILVERBRIDGE_PUBLIC_URL: url,
    SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "10000",
  };
  await withProgram({ env }, () => withChromium((chromium) => work(url, chromium)));
}

/** Gives the browser of that page an authenticator. `knows`: it tells its owner from others, by finger or by number. */
async function authenticator(page: Page, { knows }: { readonly knows: boolean }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: knows,
      automaticPresenceSimulation: true,
    },
  });
}

async function typeSecret(page: Page, secret = ownerSecret): Promise<void> {
  await page.getByLabel("Owner’s secret").fill(secret);
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/owner/state`);
  await typeSecret(page);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Sign out" }).waitFor();
}

Deno.test("an owner makes a passkey and signs in with it alone, in every view", async () => {
  cites("owner.passkeys");
  await withServer(async (url, chromium) => {
    for (const view of views) {
      const { page, complaints } = await openPage(chromium, view);
      await authenticator(page, { knows: true });
      await signIn(page, url);
      await page.getByLabel("Name of the new passkey").fill(`A <b>${view.name}</b>`);
      await typeSecret(page);
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByRole("status").getByText("The passkey lets you in").waitFor();
      await page.locator("bdi").getByText(`A <b>${view.name}</b>`, { exact: true }).waitFor();
      await inspect(page, `passkeys-${view.name}`);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("button", { name: "Use a passkey" }).waitFor();
      await inspect(page, `passkeys-door-${view.name}`);
      await page.goto(`${url}/owner/changes`);
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.getByRole("heading", { name: "Changes" }).waitFor();
      assert.deepEqual(complaints, [], view.name);
      await page.goto(`${url}/owner/state`);
      await page.getByText("last used just now").waitFor();
      await page.getByLabel("Name of the new passkey").fill("again");
      await typeSecret(page);
      await page.getByRole("button", { name: "Add a passkey" }).click();
      await page.getByText("There is a passkey for this page already").waitFor();
      await page.getByRole("button", { name: "Remove" }).first().click();
      await page.getByRole("status").getByText("opens nothing here any more").waitFor();
      await page.context().close();
    }
  });
});

Deno.test("a passkey that is gone, or a device that does not know who holds it, opens nothing and says so", async () => {
  cites("owner.passkeys");
  await withServer(async (url, chromium) => {
    const { page } = await openPage(chromium, phone);
    await authenticator(page, { knows: true });
    await signIn(page, url);
    await typeSecret(page, "not this one at all");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("alert").getByText("That is not the owner’s secret").waitFor();
    assert.equal(await page.getByRole("button", { name: "Remove" }).count(), 0);
    const blind = await openPage(chromium, phone);
    await authenticator(blind.page, { knows: false });
    await signIn(blind.page, url);
    await typeSecret(blind.page);
    await blind.page.getByRole("button", { name: "Add a passkey" }).click();
    await blind.page.getByText("No passkey came").waitFor();
    await inspect(blind.page, "passkeys-none-came");
    await typeSecret(page);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "Remove" }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${url}/owner/state`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Use a passkey" }).waitFor();
    const second = await openPage(chromium, phone);
    await signIn(second.page, url);
    await second.page.getByRole("button", { name: "Remove" }).click();
    await second.page.locator(".notice").waitFor();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("alert").getByText("That passkey was not taken").waitFor();
    await inspect(page, "passkeys-refused");
  });
});

Deno.test("without a script the page works as before, and offers no passkey", async () => {
  await withServer(async (url, chromium) => {
    const context = await chromium.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await signIn(page, url);
    assert.equal(await page.getByRole("button", { name: "Add a passkey" }).isVisible(), false);
    assert.equal(await page.getByRole("button", { name: "Sign out" }).isVisible(), true);
    await context.close();
  });
});
