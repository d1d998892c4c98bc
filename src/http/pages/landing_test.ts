import assert from "node:assert/strict";
import { type LandingFacts, renderLanding } from "./landing.ts";

const facts: LandingFacts = {
  address: "https://notes.example.org/mcp",
  signIn: false,
  token: true,
  version: "9.8.7",
  revisions: ["2026-07-28", "2025-11-25"],
};

Deno.test("landing page has one heading, the address in a labelled field, and a folded list for every client", () => {
  const page = renderLanding(facts);
  assert.equal(page.match(/<h1>/g)?.length, 1);
  assert.match(page, /<label for="address">/);
  assert.match(page, /<input id="address" type="text" readonly value="https:\/\/notes\.example\.org\/mcp"/);
  const clients = [...page.matchAll(/<summary>([^<]+)<\/summary>/g)].map((match) => match[1]);
  assert.deepEqual(clients, [
    "Claude Code",
    "Codex",
    "Cursor",
    "VS Code",
    "Claude Desktop and others, through mcp-remote",
    "Any MCP client",
    "curl",
    "Claude (web, desktop, mobile)",
    "ChatGPT",
    "Grok",
  ]);
  assert.equal(page.includes("<details open"), false);
  assert.match(page, /9\.8\.7/);
  assert.match(page, /2026-07-28, 2025-11-25/);
});

Deno.test("landing page needs no script, no inline style and nothing from elsewhere", () => {
  const page = renderLanding(facts);
  assert.equal(/<script|<style|\sstyle=|\son[a-z]+=|javascript:/i.test(page), false);
  const references = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map((match) => match[1]);
  assert.deepEqual(references, ["data:,", "/style.css", "#main"]);
});

Deno.test("landing page gives every field a label", () => {
  const page = renderLanding(facts);
  const ids = [...page.matchAll(/<(?:input|textarea) id="([^"]+)"/g)].map((match) => match[1]);
  assert.ok(ids.length > 5);
  for (const id of ids) assert.ok(page.includes(`<label for="${id}">`), id);
});

Deno.test("landing page tells clients that cannot send a token so, unless they can sign in", () => {
  assert.match(renderLanding(facts), /sign-in page, and this server does not offer one/);
  assert.doesNotMatch(renderLanding({ ...facts, signIn: true }), /does not offer one/);
});

Deno.test("landing page begins with the clients of the internet where they can connect, and says why where not", () => {
  const first = (page: string) => /<summary>([^<]+)</.exec(page)?.[1];
  const open = renderLanding({ ...facts, signIn: true });
  assert.equal(first(open), "Claude (web, desktop, mobile)");
  const inside = renderLanding({ ...facts, signIn: true, address: "http://127.0.0.1:8787/mcp" });
  assert.equal(first(inside), "Claude Code");
  assert.match(inside, /wants https;[\s\S]*SILVERBRIDGE_PUBLIC_URL/);
});

Deno.test("landing page asks for the token before the step that uses it, and shows every line of a block", () => {
  const page = renderLanding(facts);
  assert.match(
    page,
    /<ol><li>Write your own token where it says <code>YOUR_TOKEN<\/code>\.<\/li><li>Run the command/,
  );
  const [, rows, text = ""] = /<textarea[^>]* rows="(\d+)"[^>]*>(claude mcp add[^<]*)</.exec(page) ?? [];
  assert.equal(text.split("\n").length, 2);
  assert.equal(rows, "3");
});

Deno.test("landing page starts mcp-remote with a header that has no space, and without one where no token is wanted", () => {
  const blockOf = (page: string) => {
    const block = /<textarea[^>]*>(\{[^<]*mcp-remote[^<]*)</.exec(page)?.[1] ?? assert.fail();
    return JSON.parse(block.replaceAll("&quot;", '"')).mcpServers.silverbridge;
  };
  assert.deepEqual(blockOf(renderLanding(facts)), {
    command: "npx",
    args: ["-y", "mcp-remote", facts.address, "--header", "Authorization:${SILVERBRIDGE_AUTH}"],
    env: { SILVERBRIDGE_AUTH: "Bearer YOUR_TOKEN" },
  });
  assert.deepEqual(blockOf(renderLanding({ ...facts, token: false })), {
    command: "npx",
    args: ["-y", "mcp-remote", facts.address],
  });
});

Deno.test("landing page of a server without tokens asks for none", () => {
  const page = renderLanding({ ...facts, token: false, address: "http://127.0.0.1:8787/mcp" });
  assert.equal(page.includes("YOUR_TOKEN"), false);
  assert.equal(page.includes("bearer_token_env_var"), false);
  assert.match(page, /on this computer only/);
});

Deno.test("landing page escapes what it is given", () => {
  const page = renderLanding({ ...facts, address: 'https://x/"><script>alert(1)</script>' });
  assert.equal(page.includes("<script"), false);
});
