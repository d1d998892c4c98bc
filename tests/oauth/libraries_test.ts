/** Client libraries that were written by others, with their own ideas of OAuth, against the running program. */

import assert from "node:assert/strict";
import {
  Client as SecondClient,
  StreamableHTTPClientTransport as SecondTransport,
} from "@modelcontextprotocol/client";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as oauth from "oauth4webapi";
import { cites } from "../requirements.ts";
import { type Program, withProgram } from "../support/app.ts";
import { Browser, ownerSecret } from "../support/sign_in.ts";

const env = { SILVERBRIDGE_TOKEN: null, SILVERBRIDGE_OWNER_SECRET: ownerSecret };
const redirectUrl = "http://localhost:33333/callback";

/** What both generations ask of a program that uses them: somewhere to keep things, and a way to open the browser. */
class Keeper {
  opened: URL | null = null;
  #information: unknown = undefined;
  #tokens: unknown = undefined;
  #verifier = "";
  #discovery: unknown = undefined;
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    client_name: "Library test",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
  state(): string {
    return "library-state";
  }
  // deno-lint-ignore no-explicit-any
  clientInformation(): any {
    return this.#information;
  }
  saveClientInformation(information: unknown): void {
    this.#information = information;
  }
  // deno-lint-ignore no-explicit-any
  tokens(): any {
    return this.#tokens;
  }
  saveTokens(tokens: unknown): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  /** With it the second generation holds the way back against the server that the way there began at. */
  saveDiscoveryState(state: unknown): void {
    this.#discovery = state;
  }
  // deno-lint-ignore no-explicit-any
  discoveryState(): any {
    return this.#discovery;
  }
}

/** The first generation's types predate `exactOptionalPropertyTypes`. */
async function connectFirst(transport: FirstTransport): Promise<FirstClient> {
  const client = new FirstClient({ name: "t", version: "1" });
  await client.connect(transport as unknown as Parameters<FirstClient["connect"]>[0]);
  return client;
}

function browserOf({ url }: Program): Browser {
  return new Browser((target, init) => {
    assert.ok(target.startsWith(url), "the browser is sent nowhere else");
    return fetch(target, init);
  });
}

/** The owner approves what the library opened; answers the parameters that came back. */
async function approve(program: Program, keeper: Keeper): Promise<URLSearchParams> {
  assert.ok(keeper.opened !== null, "the library opened the page");
  const back = await browserOf(program).approve(keeper.opened.href);
  assert.equal(back.origin + back.pathname, redirectUrl);
  return back.searchParams;
}

Deno.test("the first MCP library signs in, calls, and refreshes by itself when its token is refused", async () => {
  cites("oauth.clients");
  await withProgram({ env }, async (program) => {
    const keeper = new Keeper();
    const mcp = new URL(`${program.url}/mcp`);
    const transport = new FirstTransport(mcp, { authProvider: keeper });
    await assert.rejects(connectFirst(transport), /Unauthorized/);
    const parameters = await approve(program, keeper);
    await transport.finishAuth(parameters.get("code") ?? "");
    const names = async () => {
      const client = await connectFirst(new FirstTransport(mcp, { authProvider: keeper }));
      const { tools } = await client.listTools();
      await client.close();
      return tools.map((tool: { readonly name: string }) => tool.name);
    };
    assert.ok((await names()).includes("write_page"));
    const before = keeper.tokens();
    keeper.saveTokens({ ...before, access_token: "no-longer-good" });
    assert.ok((await names()).includes("read_page"));
    assert.notEqual(keeper.tokens().refresh_token, before.refresh_token);
  });
});

Deno.test("the second MCP library signs in, checks the issuer, calls in both eras, and refreshes by itself", async () => {
  cites("oauth.clients");
  await withProgram({ env }, async (program) => {
    const keeper = new Keeper();
    const mcp = new URL(`${program.url}/mcp`);
    const transport = new SecondTransport(mcp, { authProvider: keeper });
    const client = new SecondClient({ name: "t", version: "1" });
    await assert.rejects(client.connect(transport), /Unauthorized/);
    const parameters = await approve(program, keeper);
    const forged = new URLSearchParams(parameters);
    forged.set("iss", "https://evil.example");
    await assert.rejects(transport.finishAuth(forged), "the library holds the issuer against the metadata");
    await transport.finishAuth(parameters);
    for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
      const again = new SecondClient({ name: "t", version: "1" }, { versionNegotiation: { mode } });
      await again.connect(new SecondTransport(mcp, { authProvider: keeper }));
      assert.ok((await again.listTools()).tools.some(({ name }) => name === "write_page"));
      await again.close();
      keeper.saveTokens({ ...keeper.tokens(), access_token: "no-longer-good" });
    }
  });
});

Deno.test("the second MCP library steps up from reading to writing when a call asks for it", async () => {
  cites("oauth.rights");
  await withProgram({ env }, async (program) => {
    const keeper = new Keeper();
    const mcp = new URL(`${program.url}/mcp`);
    const reading = { ...keeper.clientMetadata, scope: "read" };
    Object.assign(keeper, { clientMetadata: reading });
    const transport = new SecondTransport(mcp, { authProvider: keeper });
    const client = new SecondClient({ name: "t", version: "1" });
    await assert.rejects(client.connect(transport), /Unauthorized/);
    assert.ok(keeper.opened !== null);
    keeper.opened.searchParams.set("scope", "read");
    await transport.finishAuth(await approve(program, keeper));
    assert.equal(keeper.tokens().scope, "read");
    const reader = new SecondClient({ name: "t", version: "1" });
    const second = new SecondTransport(mcp, { authProvider: keeper });
    await reader.connect(second);
    keeper.opened = null;
    await assert.rejects(reader.callTool({ name: "create_page", arguments: { page: "A", content: "x" } }));
    assert.ok(keeper.opened !== null, "it opened the browser again");
    const wanted = new URL(String(keeper.opened)).searchParams.get("scope")?.split(" ") ?? [];
    assert.ok(wanted.includes("write"), wanted.join(" "));
    await second.finishAuth(await approve(program, keeper));
    const answer = await reader.callTool({ name: "create_page", arguments: { page: "A", content: "x" } });
    assert.notEqual(answer.isError, true);
    await reader.close();
  });
});

Deno.test("oauth4webapi walks the whole flow with every check that it has", async () => {
  cites("oauth.clients");
  await withProgram({ env }, async (program) => {
    const options = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(program.url);
    const resource = new URL(`${program.url}/mcp`);
    const guarded = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, options),
    );
    assert.deepEqual(guarded.authorization_servers, [program.url]);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options }),
    );
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(server, {
        client_name: "oauth4webapi",
        redirect_uris: [redirectUrl],
        token_endpoint_auth_method: "none",
      }, options),
    );
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(server.authorization_endpoint ?? "");
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: redirectUrl,
      response_type: "code",
      scope: "read write offline_access",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      resource: resource.href,
    }).toString();
    const back = await browserOf(program).approve(url.href);
    const parameters = oauth.validateAuthResponse(server, client, back, state);
    const redeem = () =>
      oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, redirectUrl, verifier, {
        ...options,
        additionalParameters: { resource: resource.href },
      });
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await redeem());
    assert.equal(tokens.scope, "read write offline_access");
    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? "", options),
    );
    assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
    const call = (token: string) =>
      oauth.protectedResourceRequest(
        token,
        "POST",
        resource,
        new Headers({ "content-type": "application/json", accept: "application/json, text/event-stream" }),
        JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
        options,
      );
    const listed = await call(refreshed.access_token);
    assert.match(await listed.text(), /"name":"read_page"/);
    const revoked = await oauth.revocationRequest(
      server,
      client,
      oauth.None(),
      refreshed.refresh_token ?? "",
      options,
    );
    await oauth.processRevocationResponse(revoked);
    await revoked.body?.cancel();
    const refusal = await call(refreshed.access_token).catch((error: unknown) => error);
    assert.ok(refusal instanceof oauth.WWWAuthenticateChallengeError);
    await refusal.response.body?.cancel();
    await assert.rejects(
      redeem().then((response) => oauth.processAuthorizationCodeResponse(server, client, response)),
      { error: "invalid_grant" },
    );
    const denied = await browserOf(program).open(url.href).then((page) =>
      browserOf(program).submit(page, { decision: "deny" })
    );
    assert.throws(
      () => oauth.validateAuthResponse(server, client, new URL(denied.headers.get("location") ?? ""), state),
      { error: "access_denied" },
      "with the issuer that the library demands",
    );
  });
});

Deno.test("oauth4webapi with a secret, shown in the header or in the body, strictly encoded", async () => {
  cites("oauth.clients");
  await withProgram({ env }, async (program) => {
    const options = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(program.url);
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...options }),
    );
    for (
      const [method, authentication] of [
        ["client_secret_basic", oauth.ClientSecretBasic],
        ["client_secret_post", oauth.ClientSecretPost],
      ] as const
    ) {
      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(server, {
          client_name: "A name: with + % signs & é",
          redirect_uris: [redirectUrl],
          token_endpoint_auth_method: method,
        }, options),
      );
      const shown = authentication(String(client["client_secret"]));
      const verifier = oauth.generateRandomCodeVerifier();
      const url = new URL(server.authorization_endpoint ?? "");
      url.search = new URLSearchParams({
        ...{ client_id: client.client_id, redirect_uri: redirectUrl, response_type: "code" },
        ...{
          code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
          code_challenge_method: "S256",
        },
      }).toString();
      const back = oauth.validateAuthResponse(
        server,
        client,
        await browserOf(program).approve(url.href),
        oauth.expectNoState,
      );
      const wrong = await oauth.authorizationCodeGrantRequest(
        ...[server, client, authentication("wrong"), back, redirectUrl, verifier, options] as const,
      );
      assert.deepEqual([wrong.status, (await wrong.json()).error], [401, "invalid_client"], method);
      const tokens = await oauth.processAuthorizationCodeResponse(
        server,
        client,
        await oauth.authorizationCodeGrantRequest(
          server,
          client,
          shown,
          back,
          redirectUrl,
          verifier,
          options,
        ),
      );
      const refreshed = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, shown, tokens.refresh_token ?? "", options),
      );
      const bare = await oauth.refreshTokenGrantRequest(
        ...[server, client, oauth.None(), refreshed.refresh_token ?? "", options] as const,
      );
      assert.deepEqual(
        [bare.status, (await bare.json()).error],
        [401, "invalid_client"],
        "never without its secret",
      );
    }
  });
});
