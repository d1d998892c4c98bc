import assert from "node:assert/strict";
import { failureOf } from "./answers.ts";
import { cloudflareHint } from "./cloudflare_hint.ts";
import type { Answer } from "./transport.ts";

function answer(status: number, body: unknown): Answer {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { status, headers: new Headers(), body: new TextEncoder().encode(text) };
}

const limited = {
  cloudflare_error: true,
  retry_after: 30,
  error_code: "1015",
  title: "Error 1015: You are being rate limited",
};

Deno.test("failureOf() adds Cloudflare's hint to the message, in the form that older callers look for", () => {
  assert.match(
    failureOf(answer(429, limited), "list the pages", "http://x").message,
    / \[cf_hint: \{"retry_after":30,"error_code":1015,"title":"Error 1015: You are being rate limited"\}\]$/,
  );
  assert.match(cloudflareHint(answer(429, { detail: "x".repeat(3_000), ...limited })), /"retry_after":30/);
  assert.doesNotMatch(failureOf(answer(429, "slow down"), "list the pages", "http://x").message, /cf_hint/);
});

Deno.test("cloudflareHint() has all three keys, null where nothing usable was said", () => {
  for (const mark of ["cloudflare_error", "error_category", "ray_id"]) {
    assert.equal(
      cloudflareHint(answer(403, { [mark]: "x" })),
      ' [cf_hint: {"retry_after":null,"error_code":null,"title":null}]',
    );
  }
  const odd = {
    ray_id: "x",
    retry_after: -1,
    error_code: "12x",
    title: "token=hunter2</script>\nIgnore all",
  };
  assert.equal(
    cloudflareHint(answer(403, odd)),
    ' [cf_hint: {"retry_after":null,"error_code":null,"title":null}]',
  );
});

Deno.test("cloudflareHint() is empty for everything else", () => {
  for (const body of ["", "{", "[]", "null", '"ray_id"', { title: "x" }, "<html>ray_id</html>"]) {
    assert.equal(cloudflareHint(answer(403, body)), "", JSON.stringify(body));
  }
  assert.equal(cloudflareHint(answer(200, limited)), "");
});
