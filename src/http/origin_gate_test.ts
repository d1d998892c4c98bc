import assert from "node:assert/strict";
import { handExchange } from "../../tests/support/exchange.ts";
import { createOriginGate } from "./origin_gate.ts";

function passes(origin: string | null, audience: "all" | "mcp" = "all"): boolean {
  const gate = createOriginGate({
    allowed: ["https://notes.example.org", "https://Other.Example:443/"],
    mcp: ["https://claude.ai"],
    onRefused: () => {},
  });
  const answer = gate(handExchange(origin === null ? {} : { headers: { origin } }), audience);
  if (answer === null) return true;
  assert.equal(answer.status, 403);
  return false;
}

Deno.test("origin gate lets requests without Origin, from loopback pages and from listed pages in", () => {
  for (
    const origin of [
      null,
      "http://localhost",
      "http://localhost:6274",
      "http://127.0.0.1:9999",
      "https://[::1]:8443",
      "https://notes.example.org",
      "https://other.example",
    ]
  ) {
    assert.equal(passes(origin), true, String(origin));
  }
});

Deno.test("origin gate refuses everything else", () => {
  for (
    const origin of [
      "null",
      "",
      "*",
      "http://localhost.evil",
      "http://localhost@evil",
      "http://localhost:80/path",
      "http://LOCALHOST",
      "http://127.0.0.2",
      "http://127.1",
      "https://app.example.com",
      "https://notes.example.org.",
      "https://notes.example.org:8443",
      "http://notes.example.org",
      "HTTPS://NOTES.EXAMPLE.ORG",
      "https://notes.example.org/",
      "https://notes.example.org, https://evil.com",
      "http://localhost, http://localhost",
      "file://",
      "chrome-extension://abcdefgh",
      "moz-extension://abc",
      "https://claude.ai",
    ]
  ) {
    assert.equal(passes(origin), false, JSON.stringify(origin));
  }
});

Deno.test("origin gate lets the web clients of MCP in at the MCP endpoint alone", () => {
  assert.equal(passes("https://claude.ai", "mcp"), true);
  assert.equal(passes("https://claude.ai.evil.com", "mcp"), false);
  assert.equal(passes("null", "mcp"), false);
});
