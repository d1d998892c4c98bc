/** Tokens of an identity provider against the running program: discovery, its own header, all ways in at once. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { cites } from "../requirements.ts";
import { type Program, token as staticToken, withProgram } from "../support/app.ts";
import { Browser, ownerSecret, WireClient } from "../support/sign_in.ts";

const issuer = "https://team.cloudflareaccess.com";

interface Provider {
  readonly env: Readonly<Record<string, string | null>>;
  sign(claims?: Record<string, unknown>): Promise<string>;
}

async function withProvider(work: (provider: Provider) => Promise<void>): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const keys = JSON.stringify({ keys: [{ ...await exportJWK(publicKey), kid: "k", alg: "RS256" }] });
  const server = createServer((_request, response) => response.end(keys));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    await work({
      env: {
        SILVERBRIDGE_JWT_ISSUER: issuer,
        SILVERBRIDGE_JWT_AUDIENCE: "aud",
        SILVERBRIDGE_JWT_JWKS_URL: `http://127.0.0.1:${port}/certs`,
      },
      sign: (claims = {}) =>
        new SignJWT({ iss: issuer, aud: "aud", sub: "ann", ...claims }).setProtectedHeader({
          alg: "RS256",
          kid: "k",
        })
          .setIssuedAt().setExpirationTime("5m").sign(privateKey),
    });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

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
  await withProvider(({ env, sign }) =>
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
  await withProvider(({ env, sign }) =>
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
  await withProvider(({ env, sign }) =>
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
