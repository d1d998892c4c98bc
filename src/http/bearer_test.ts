import assert from "node:assert/strict";
import { handExchange } from "../../tests/support/exchange.ts";
import type { Principal } from "../core/principal.ts";
import { createRights } from "../core/rights.ts";
import { createBearer, presentedToken } from "./bearer.ts";

const principal: Principal = {
  id: "token:a",
  kind: "token",
  name: "a",
  rights: createRights({ layers: [], hidden: [], roots: "all" }),
  profile: "standard",
};

const verifier = { verify: (token: string) => token === "right" ? principal : null };

function withTokens() {
  return createBearer({ verifier, local: null, assertion: null, challenge: [] });
}

Deno.test("bearer token is read from the header in every allowed spelling", () => {
  for (const header of ["Bearer right", "bearer right", "BEARER   right  ", " Bearer right"]) {
    assert.equal(presentedToken(header), "right", header);
  }
  for (const header of [null, "", "Basic abc", "Token right", "Bearerright", "right"]) {
    assert.equal(presentedToken(header), null, String(header));
  }
  assert.equal(presentedToken("Bearer"), "");
  assert.equal(presentedToken("Bearer right, Bearer right"), "right, Bearer right");
});

Deno.test("bearer knows the holder of a token and tells bad credentials from none", async () => {
  const identify = async (authorization: string | null) => {
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    return (await withTokens().identify(handExchange({ headers }), null)).kind;
  };
  assert.equal(await identify("Bearer right"), "known");
  assert.equal(await identify(null), "none");
  assert.equal(await identify("Basic cmlnaHQ="), "none");
  for (
    const bad of ["Bearer", "Bearer wrong", "Bearer right right", "Bearer right, Bearer right", "Bearer righ"]
  ) {
    assert.equal(await identify(bad), "bad", bad);
  }
});

Deno.test("a query token counts only where it is handed in, and the header goes first", async () => {
  const identify = async (authorization: string | null, query: string | null) => {
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    return (await withTokens().identify(handExchange({ headers }), query)).kind;
  };
  assert.equal(await identify(null, "right"), "known");
  assert.equal(await identify("Bearer wrong", "right"), "bad");
});

Deno.test("401 challenges, and says invalid_token only when credentials came", async () => {
  const none = withTokens().refusal({ kind: "none" });
  assert.equal(none.status, 401);
  assert.equal(none.headers.get("www-authenticate"), 'Bearer realm="silverbridge"');
  assert.equal((await none.json()).error, "invalid-token");
  const bad = createBearer({
    verifier,
    local: null,
    assertion: null,
    challenge: ['resource_metadata="https://x/y"'],
  })
    .refusal({ kind: "bad" });
  assert.equal(
    bad.headers.get("www-authenticate"),
    'Bearer realm="silverbridge", error="invalid_token", resource_metadata="https://x/y"',
  );
});

Deno.test("without any way to sign in only a direct caller on this machine is let in", async () => {
  const bearer = createBearer({ verifier: null, local: principal, assertion: null, challenge: [] });
  const kind = async (peer: string, headers: Record<string, string> = {}) =>
    (await bearer.identify(handExchange({ peer, headers }), null)).kind;
  assert.equal(await kind("127.0.0.1"), "known");
  assert.equal(await kind("::1"), "known");
  assert.equal(await kind("10.0.0.9"), "none");
  assert.equal(await kind(""), "none");
  for (const name of ["x-forwarded-for", "forwarded", "x-real-ip", "via", "cf-connecting-ip"]) {
    assert.equal(await kind("127.0.0.1", { [name]: "" }), "none", name);
  }
  const refusal = bearer.refusal({ kind: "none" });
  assert.equal(refusal.status, 403);
  assert.equal((await refusal.json()).error, "remote-without-token");
});
