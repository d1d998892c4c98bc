/** Tokens of an identity provider against the running program: discovery, its own header, all ways in at once. */

import assert from "node:assert/strict";
import { exportSPKI, importJWK, SignJWT } from "jose";
import { cites } from "../requirements.ts";
import { type Program, token as staticToken, withProgram } from "../support/app.ts";
import { providerKey, withIdentityProvider } from "../support/identity_provider.ts";
import { Browser, ownerSecret, WireClient } from "../support/sign_in.ts";

const issuer = "https://team.cloudflareaccess.com";

async function statusOf({ url }: Program, headers: Record<string, string>): Promise<number> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test("with an identity provider alone its tokens open, and discovery names it", async () => {
  cites("jwt.provider");
  await withIdentityProvider(({ env, sign }) =>
    withProgram({ env: { ...env, SILVERBRIDGE_TOKEN: null } }, async (program) => {
      assert.equal(await statusOf(program, { authorization: `Bearer ${await sign()}` }), 200);
      assert.equal(await statusOf(program, { authorization: `Bearer ${await sign({ aud: "x" })}` }), 401);
      assert.equal(
        await statusOf(program, { "cf-access-jwt-assertion": await sign() }),
        401,
        "not the header that counts",
      );
      const document = await (await fetch(`${program.url}/.well-known/oauth-protected-resource/mcp`)).json();
      assert.deepEqual(document, {
        resource: `${program.url}/mcp`,
        resource_name: `silverbridge at ${new URL(program.url).host}`,
        authorization_servers: [issuer],
        bearer_methods_supported: ["header"],
      });
      for (const path of ["/.well-known/oauth-authorization-server", "/authorize", "/token", "/register"]) {
        const response = await fetch(program.url + path);
        assert.deepEqual(
          [response.status, response.headers.get("content-type")],
          [404, "application/json"],
          path,
        );
        await response.body?.cancel();
      }
      const refused = await fetch(`${program.url}/mcp`, { method: "POST", body: "{}" });
      await refused.body?.cancel();
      assert.equal(
        refused.headers.get("www-authenticate"),
        `Bearer realm="silverbridge", resource_metadata="${program.url}/.well-known/oauth-protected-resource/mcp"`,
      );
    })
  );
});

Deno.test("the header of Cloudflare Access is read directly, and then decides", async () => {
  cites("jwt.provider");
  await withIdentityProvider(({ env, sign }) =>
    withProgram({ env: { ...env, SILVERBRIDGE_JWT_HEADER: "Cf-Access-Jwt-Assertion" } }, async (program) => {
      const good = await sign();
      assert.equal(await statusOf(program, { "cf-access-jwt-assertion": good }), 200);
      assert.equal(await statusOf(program, { "cf-access-jwt-assertion": `Bearer ${good}` }), 200);
      assert.equal(
        await statusOf(program, { authorization: `Bearer ${good}` }),
        401,
        "not in the other header",
      );
      assert.equal(
        await statusOf(program, { authorization: `Bearer ${staticToken}` }),
        200,
        "static tokens beside it",
      );
      const both = { authorization: `Bearer ${staticToken}` };
      assert.equal(
        await statusOf(program, { ...both, "cf-access-jwt-assertion": "forged" }),
        401,
        "where it is, it decides",
      );
      assert.equal(await statusOf(program, { ...both, "cf-access-jwt-assertion": `${good}, ${good}` }), 401);
    })
  );
});

Deno.test("all three ways in work at once, each with its own callers", async () => {
  cites("jwt.provider");
  await withIdentityProvider(({ env, sign }) =>
    withProgram({ env: { ...env, SILVERBRIDGE_OWNER_SECRET: ownerSecret } }, async (program) => {
      const client = new WireClient(program.url, (url, init) => fetch(url, init));
      const redirectUri = "http://localhost:1/cb";
      const { client_id: id } = await client.register({ redirect_uris: [redirectUri] });
      const browser = new Browser((url, init) => fetch(url, init));
      const back = await browser.approve(
        client.authorizeUrl({ client_id: String(id), redirect_uri: redirectUri }),
      );
      const issued = await client.exchange({
        code: back.searchParams.get("code") ?? "",
        client_id: String(id),
      });
      for (const each of [staticToken, issued.accessToken, await sign()]) {
        assert.equal(await client.opens(each), true);
      }
      const document = await client.json("/.well-known/oauth-protected-resource");
      assert.deepEqual(document["authorization_servers"], [program.url]);
      await program.until(({ log }) =>
        log.includes('"client":"jwt:ann"') && log.includes('"client":"token:token"')
      );
    })
  );
});

/** What a caller gets for that token in the header that counts. */
function bearerStatus(program: Program, token: string): Promise<number> {
  return statusOf(program, { authorization: `Bearer ${token}` });
}

Deno.test("no trick with algorithm, key, header or claims makes a token of somebody else's count", async () => {
  cites("jwt.provider");
  await withIdentityProvider((provider) =>
    withProgram({ env: { ...provider.env, SILVERBRIDGE_TOKEN: null } }, async (program) => {
      const { sign, key, published } = provider;
      const stranger = await providerKey("k");
      const elliptic = await providerKey("e", "ES256");
      published.push(elliptic.jwk, { kty: "oct", kid: "shared", alg: "HS256", k: "c2VjcmV0" });
      const good = await sign();
      const [head = "", body = "", signature = ""] = good.split(".");
      const now = Math.floor(Date.now() / 1000);
      const claims = { iss: issuer, aud: "aud", sub: "ann", iat: now, exp: now + 300 };
      const part = (value: unknown) =>
        new TextEncoder().encode(JSON.stringify(value)).toBase64({
          alphabet: "base64url",
          omitPadding: true,
        });
      const shared = (secret: string, header: Record<string, unknown>) =>
        new SignJWT(claims).setProtectedHeader({ alg: "HS256", ...header }).sign(
          new TextEncoder().encode(secret),
        );
      const pem = await exportSPKI(await importJWK(key.jwk, "RS256") as CryptoKey);
      const brought = { jwk: stranger.jwk, jku: "https://evil.example/k", x5u: "https://evil.example/k" };
      const tricks: Array<[string, string]> = [
        ["none", `${part({ alg: "none" })}.${body}.`],
        ["None with a signature", `${part({ alg: "None", kid: "k" })}.${body}.${signature}`],
        ["the public key as a shared secret", await shared(JSON.stringify(key.jwk), { kid: "k" })],
        ["its PEM as one", await shared(pem, { kid: "k" })],
        ["a published shared secret", await shared("secret", { kid: "shared" })],
        ["a key of the same name", await sign({}, stranger)],
        ["keys brought along", await sign({}, stranger, brought)],
        ["an algorithm off the list", await sign({}, elliptic)],
        ["a path as key name", await sign({}, stranger, { kid: "../../../dev/null" })],
        ["a query as key name", await sign({}, stranger, { kid: "k' OR '1'='1" })],
        ["an endless key name", await sign({}, stranger, { kid: "k".repeat(5000) })],
        ["a key name that is no text", `${part({ alg: "RS256", kid: { a: 1 } })}.${body}.${signature}`],
        [
          "a demand that nobody knows",
          await sign({}, key, { crit: ["exp2"], exp2: 1 }).catch(() =>
            `${part({ alg: "RS256", kid: "k", crit: ["exp2"], exp2: 1 })}.${body}.${signature}`
          ),
        ],
        ["another head", `${part({ alg: "RS256", kid: "k", typ: "JWT" })}.${body}.${signature}`],
        ["another body", `${head}.${part({ ...claims, sub: "bob" })}.${signature}`],
        ["no signature", `${head}.${body}.`],
        ["encrypted in form", `${head}.${body}.${signature}.${signature}.${signature}`],
        ["two in one", `${good},${good}`],
        ["huge", await sign({ more: "x".repeat(20_000) }).then((token) => token.slice(0, 30_000))],
        ["another issuer", await sign({ iss: "https://evil.example" })],
        ["the issuer with a slash", await sign({ iss: `${issuer}/` })],
        ["issuers in a list", await sign({ iss: [issuer] })],
        ["another audience", await sign({ aud: "aud2" })],
        ["run out", await sign({ exp: now - 31 })],
        ["without an end", await sign({ exp: undefined })],
        ["an end in words", `${head}.${part({ ...claims, exp: "9999999999" })}.${signature}`],
        ["issued tomorrow", await sign({ iat: now + 86_400 })],
        ["not yet", await sign({ nbf: now + 86_400 })],
        ["nobody's", await sign({ sub: undefined })],
      ];
      assert.equal(await bearerStatus(program, good), 200);
      for (const [what, token] of tricks) {
        const status = await bearerStatus(program, token);
        assert.ok(status === 401 || (status === 431 && token.length > 8000), `${what}: ${status}`);
      }
      assert.equal(
        await bearerStatus(program, await sign({ exp: now - 5, nbf: now + 5, iat: now + 5 })),
        200,
      );
      assert.equal(program.log.includes(body), false);
      assert.equal(program.log.includes('"incident"'), false, "none of it was unexpected");
    })
  );
});

Deno.test("two hundred callers and strangers ask the provider once, its outage signs nobody out, and a new key counts", async () => {
  cites("jwt.provider");
  await withIdentityProvider((provider) => {
    const limits = { SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "100000" };
    return withProgram({ env: { ...provider.env, ...limits, SILVERBRIDGE_TOKEN: null } }, async (program) => {
      const stranger = await providerKey("made-up");
      const tokens = await Promise.all(
        Array.from(
          { length: 200 },
          (_, index) =>
            index % 2 === 0
              ? provider.sign({ jti: `${index}` })
              : provider.sign({}, stranger, { kid: `made-up-${index}` }),
        ),
      );
      const statuses: number[] = [];
      for (let at = 0; at < tokens.length; at += 50) {
        statuses.push(
          ...await Promise.all(tokens.slice(at, at + 50).map((token) => bearerStatus(program, token))),
        );
      }
      assert.deepEqual([200, 401].map((status) => statuses.filter((each) => each === status).length), [
        100,
        100,
      ]);
      assert.equal(provider.asked(), 1);
      provider.answer({ status: 503, body: "down" });
      assert.equal(await bearerStatus(program, await provider.sign({ jti: "later" })), 200);
    });
  });
});

Deno.test("an issuer that ends in a slash is taken and told as it is written", async () => {
  cites("jwt.provider");
  const slashed = "https://tenant.auth.example/";
  await withIdentityProvider(
    ({ env, sign }) =>
      withProgram({ env: { ...env, SILVERBRIDGE_TOKEN: null } }, async (program) => {
        assert.equal(await bearerStatus(program, await sign()), 200);
        assert.equal(await bearerStatus(program, await sign({ iss: slashed.slice(0, -1) })), 401);
        const document = await (await fetch(`${program.url}/.well-known/oauth-protected-resource`)).json();
        assert.deepEqual(document.authorization_servers, [slashed]);
      }),
    slashed,
  );
});
