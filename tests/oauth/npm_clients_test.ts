/**
 * Two clients as people install and run them, `mcp-remote` and the official Inspector, signed in by an owner in a real
 * Chromium. Skipped, and said so, where there is no Node or npm reaches no registry.
 */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Browser as Chromium } from "playwright-core";
import { cites } from "../requirements.ts";
import { type Program, withProgram } from "../support/app.ts";
import { runCommand } from "../support/command.ts";
import { NodeProgram, reachable, withInstalled } from "../support/npm_program.ts";
import { openPage, phone, withChromium } from "../support/real_browser.ts";
import { ownerSecret } from "../support/sign_in.ts";

const mcpRemote = "mcp-remote@0.15.1";
const inspector = "@modelcontextprotocol/inspector@2.12.0";
const inspectorScript = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js";
const env = { SILVERBRIDGE_TOKEN: null, SILVERBRIDGE_OWNER_SECRET: ownerSecret };
const space = { files: { "Projects/Alpha.md": "# Alpha\n" } };

/** The owner opens what the client printed, approves, and sees the client's own page. */
async function approve(browser: Chromium, opened: string): Promise<void> {
  const { page, complaints } = await openPage(browser, phone);
  await page.goto(opened);
  await page.getByLabel("Owner’s secret").fill(ownerSecret);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.waitForURL((url) => url.pathname.endsWith("/oauth/callback"));
  assert.match(await page.textContent("body") ?? "", /success|complete|close this/i);
  assert.deepEqual(complaints.filter((each) => /policy|form-action/i.test(each)), []);
  await page.context().close();
}

/** The address that a client printed after what it had printed before. */
function addressIn(text: string, { url }: Program): string | undefined {
  return new RegExp(`${url}/authorize\\?\\S+(?=\\s)`).exec(text)?.[0];
}

/** What an MCP client says to mcp-remote, one line each, and what comes back. */
class Conversation {
  readonly #program: NodeProgram;
  #id = 0;

  constructor(program: NodeProgram) {
    this.#program = program;
  }

  async begin(): Promise<void> {
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    await this.ask("initialize", params);
    await this.#program.say({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  // deno-lint-ignore no-explicit-any
  async ask(method: string, params: unknown = {}): Promise<any> {
    const id = await this.send(method, params);
    return await this.answer(id);
  }

  async send(method: string, params: unknown = {}): Promise<number> {
    this.#id += 1;
    await this.#program.say({ jsonrpc: "2.0", id: this.#id, method, params });
    return this.#id;
  }

  // deno-lint-ignore no-explicit-any
  async answer(id: number): Promise<any> {
    return await this.#program.until(({ out }) =>
      out.split("\n").filter((line) => line.startsWith("{")).map((line) => parsed(line))
        .find((message) => message?.id === id)
    );
  }
}

// deno-lint-ignore no-explicit-any
function parsed(line: string): any {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function readAlpha(conversation: Conversation) {
  return conversation.ask("tools/call", { name: "read_page", arguments: { page: "Projects/Alpha" } });
}

const remoteReady = await reachable(mcpRemote);

Deno.test({
  name:
    `mcp-remote signs in through a real browser, keeps it over restarts, refreshes, and asks again when it was ended${
      remoteReady ? "" : " (skipped: no Node here, or npm reaches no registry)"
    }`,
  ignore: !remoteReady,
  fn: async () => {
    cites("oauth.clients");
    await withInstalled(
      mcpRemote,
      (folder) =>
        withProgram({ env, space }, (program) =>
          withChromium(async (browser) => {
            const start = () =>
              new NodeProgram([`${folder}/node_modules/mcp-remote/dist/proxy.js`, `${program.url}/mcp`], {
                home: folder,
                env: { MCP_REMOTE_CONFIG_DIR: `${folder}/kept` },
              });
            const first = start();
            try {
              const conversation = new Conversation(first);
              const begun = conversation.begin();
              await approve(browser, await first.until(({ err }) => addressIn(err, program)));
              await begun;
              const { result } = await conversation.ask("tools/list");
              assert.ok(result.tools.some(({ name }: { readonly name: string }) => name === "write_page"));
              assert.equal((await readAlpha(conversation)).result.content[1].text, "# Alpha\n");
            } finally {
              await first.end();
            }
            const second = start();
            try {
              const conversation = new Conversation(second);
              await conversation.begin();
              assert.equal((await readAlpha(conversation)).result.content[1].text, "# Alpha\n");
              forgetAccessTokens(program);
              assert.equal(
                (await readAlpha(conversation)).result.content[1].text,
                "# Alpha\n",
                "it refreshed",
              );
              assert.equal(addressIn(second.err, program), undefined, "and opened no page");
              const ended = await runCommand(["grants", "revoke", "all"], { stateDir: program.stateDir });
              assert.equal(ended.out, "Ended: 1\n");
              const asked = await conversation.send("tools/list");
              await approve(browser, await second.until(({ err }) => addressIn(err, program)));
              const answer = await conversation.answer(asked);
              const again = answer.error === undefined ? answer : await conversation.ask("tools/list");
              assert.ok(again.result.tools.length > 5, JSON.stringify(again));
            } finally {
              await second.end();
            }
          })),
    );
  },
});

/** As after their day: what is asked with one of them is refused, and the client has to renew it. */
function forgetAccessTokens({ stateDir }: Program): void {
  const state = new DatabaseSync(`${stateDir}/state.db`);
  assert.ok(state.prepare("DELETE FROM tokens WHERE kind = 'access'").run().changes > 0);
  state.close();
}

const inspectorReady = await reachable(inspector);

Deno.test({
  name: `the Inspector signs in through a real browser, and calls with what it kept${
    inspectorReady ? "" : " (skipped: no Node here, or npm reaches no registry)"
  }`,
  ignore: !inspectorReady,
  fn: async () => {
    cites("oauth.clients");
    await withInstalled(
      inspector,
      (folder) =>
        withProgram({ env, space }, (program) =>
          withChromium(async (browser) => {
            const start = (...more: string[]) =>
              new NodeProgram([
                ...[`${folder}/${inspectorScript}`, "--cli", `${program.url}/mcp`, "--transport", "http"],
                ...["--callback-url", "http://127.0.0.1:0/oauth/callback", ...more],
              ], {
                home: folder,
                env: { MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" },
              });
            const listing = start("--protocol-era", "modern", "--method", "tools/list");
            try {
              await approve(browser, await listing.until(({ err, out }) => addressIn(err + out, program)));
              assert.equal(await listing.code(), 0, listing.err);
              assert.match(listing.out, /"name": "write_page"/);
            } finally {
              await listing.end();
            }
            const arguments_ = ["--tool-name", "read_page", "--tool-arg", "page=Projects/Alpha"];
            const calling = start("--stored-auth-only", "--method", "tools/call", ...arguments_);
            try {
              assert.equal(await calling.code(), 0, calling.err);
              assert.match(calling.out, /# Alpha/);
            } finally {
              await calling.end();
            }
          })),
    );
  },
});
