import assert from "node:assert/strict";
import { handExchange } from "../../tests/support/exchange.ts";
import { createUrlTokenGate } from "./url_token.ts";

function judge(target: string, allowed = false): string | null | "refused" {
  const answer = createUrlTokenGate({ allowed })(handExchange({ target }));
  if (!(answer instanceof Response)) return answer.queryToken;
  assert.equal(answer.status, 403);
  return "refused";
}

Deno.test("a token in the address is refused on every path, in every spelling of its name", () => {
  for (
    const target of [
      "/mcp?token=x",
      "/?token",
      "/health?a=1&token=",
      "/mcp?access_token=x",
      "/mcp?TOKEN=x",
      "/mcp?%74oken=x",
      "/nowhere?Access_Token=x",
    ]
  ) {
    assert.equal(judge(target), "refused", target);
  }
  for (const target of ["/mcp", "/mcp?tokens=x", "/mcp?q=token", "/mcp?", "/token"]) {
    assert.equal(judge(target), null, target);
  }
});

Deno.test("where the old switch is set one token may come in the address, and only as token", () => {
  assert.equal(judge("/read?token=abc&root=docs", true), "abc");
  assert.equal(judge("/read?root=docs", true), null);
  for (
    const target of [
      "/read?token=a&token=b",
      "/read?access_token=a",
      "/read?token=a&access_token=a",
      "/?Token=a",
    ]
  ) {
    assert.equal(judge(target, true), "refused", target);
  }
});
