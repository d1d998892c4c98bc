/**
 * A real Chromium, the one of the machine, behind playwright-core. `SILVERBRIDGE_TEST_SCREENSHOTS` names a folder for
 * pictures of every state that a test looks at.
 */

import axe from "axe-core";
import assert from "node:assert/strict";
import { type Browser, chromium, type Page } from "playwright-core";

export interface View {
  readonly name: string;
  readonly width: number;
  readonly dark: boolean;
}

export const phone: View = { name: "phone-light", width: 390, dark: false };

/** A phone and a desktop, each in light and in dark. */
export const views: readonly View[] = [
  phone,
  { name: "phone-dark", width: 390, dark: true },
  { name: "desktop-light", width: 1280, dark: false },
  { name: "desktop-dark", width: 1280, dark: true },
];

export async function withChromium<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** A page of a browser that has never been here, in that view. Collects what the console says. */
export async function openPage(
  browser: Browser,
  view: View,
): Promise<{ readonly page: Page; readonly complaints: string[] }> {
  const context = await browser.newContext({
    viewport: { width: view.width, height: view.width < 500 ? 844 : 800 },
    colorScheme: view.dark ? "dark" : "light",
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return { page, complaints };
}

/** Nothing that axe calls serious, nothing that sticks out to the side, one heading; and a picture where one is wanted. */
export async function inspect(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("SILVERBRIDGE_TEST_SCREENSHOTS");
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  await page.evaluate(axe.source);
  const found: string[] = await page.evaluate(`axe.run().then(({ violations }) =>
    violations.filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => id + ": " + nodes.map((node) => node.html + " " + node.failureSummary).join(" | ")))`);
  assert.deepEqual(found, [], name);
  const width: { readonly page: number; readonly view: number } = await page.evaluate(
    "({ page: document.documentElement.scrollWidth, view: document.documentElement.clientWidth })",
  );
  assert.ok(width.page <= width.view, `${name} is ${width.page} wide in ${width.view}`);
  assert.equal(await page.locator("h1").count(), 1, name);
}
