import assert from "node:assert/strict";
import { type ExchangeParts, handExchange } from "../../../tests/support/exchange.ts";
import { refuse } from "../refusals.ts";
import { presentRefusal } from "./error_page.ts";

function present(parts: ExchangeParts) {
  return presentRefusal(handExchange(parts), refuse("not-found"));
}

const browser = { accept: "text/html,application/xhtml+xml", "sec-fetch-mode": "navigate" };

Deno.test("a refusal is a page for a browser that opens an address, and JSON for everybody else", async () => {
  const page = present({ target: "/nowhere", headers: browser });
  assert.equal(page.status, 404);
  assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
  const text = await page.text();
  assert.match(text, /<h1>There is nothing at this address<\/h1>/);
  assert.match(text, /start page/i);
  for (
    const parts of [
      { target: "/nowhere" },
      { target: "/nowhere", headers: { accept: "*/*" } },
      { target: "/nowhere", headers: { accept: "application/json, text/html" } },
      { target: "/nowhere", headers: { accept: "text/html", "sec-fetch-mode": "cors" } },
      { target: "/nowhere", method: "POST", headers: browser },
      { target: "/mcp", headers: { accept: "text/html" } },
      { target: "/mcp", method: "POST", headers: browser },
      { target: "/.well-known/oauth-protected-resource", headers: browser },
    ]
  ) {
    assert.equal(present(parts).headers.get("content-type"), "application/json", JSON.stringify(parts));
  }
});

Deno.test("a page of an error keeps the headers that the refusal had, and names the incident", async () => {
  const refusal = refuse("internal-error", { incident: "abc123", headers: { "retry-after": "7" } });
  const page = presentRefusal(handExchange({ target: "/", headers: browser }), refusal);
  assert.equal(page.status, 500);
  assert.equal(page.headers.get("retry-after"), "7");
  assert.match(await page.text(), /<code>abc123<\/code>/);
});

Deno.test("pages forbid scripts, framing, storing and sniffing", () => {
  const { headers } = present({ target: "/nowhere", headers: browser });
  const policy = headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.equal(/unsafe-inline|script-src|\*/.test(policy), false);
  assert.equal(headers.get("x-frame-options"), "DENY");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("referrer-policy"), "same-origin");
});

Deno.test("a person who opens the MCP address in a browser is sent to the start page", async () => {
  const refusal = refuse("invalid-token", { headers: { "www-authenticate": "Bearer" } });
  const page = presentRefusal(handExchange({ target: "/mcp", headers: browser }), refusal);
  assert.deepEqual([page.status, page.headers.get("www-authenticate")], [401, "Bearer"]);
  assert.match(
    await page.text(),
    /<h1>This address is for assistants<\/h1>[\s\S]*how to connect one\.[\s\S]*<a href="\/">/,
  );
});
