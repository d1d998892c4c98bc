/** Attacks on signing in that are made of bytes: what the listener, the parser of forms and the head of an answer do. */

import assert from "node:assert/strict";
import { SignJWT } from "jose";
import { cites } from "../requirements.ts";
import { type Program, withProgram } from "../support/app.ts";
import { sendRaw, statusOf } from "../support/raw_http.ts";
import { Browser, ownerSecret, verifier, WireClient } from "../support/sign_in.ts";

const env = { SILVERBRIDGE_TOKEN: null, SILVERBRIDGE_OWNER_SECRET: ownerSecret };
const redirectUri = "http://localhost:4444/callback";

interface World {
  readonly program: Program;
  readonly client: WireClient;
  readonly browser: Browser;
  readonly clientId: string;
}

async function withClient(
  work: (world: World) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  await withProgram({ env: { ...env, ...more } }, async (program) => {
    const client = new WireClient(program.url, (url, init) => fetch(url, init));
    const { client_id: id } = await client.register({ client_name: "Raw", redirect_uris: [redirectUri] });
    const browser = new Browser((url, init) => fetch(url, init));
    await work({ program, client, browser, clientId: String(id) });
  });
}

async function freshCode({ client, browser, clientId }: World): Promise<Record<string, string>> {
  const back = await browser.approve(client.authorizeUrl({ client_id: clientId, redirect_uri: redirectUri }));
  return { code: back.searchParams.get("code") ?? "", client_id: clientId, redirect_uri: redirectUri };
}

/** The head of an answer, line by line, and nothing of the body. */
function headOf(text: string): string[] {
  return text.split("\r\n\r\n")[0]?.split("\r\n") ?? [];
}

Deno.test("no state becomes a header, a second parameter or another address, on success or error", async () => {
  cites("oauth.attacks");
  await withClient(async ({ program, client, browser, clientId }) => {
    const states = [
      "a\r\nSet-Cookie: injected=1",
      "a\r\n\r\n<script>injected</script>",
      "a\nX-Injected: 1",
      "a\rX-Injected: 1",
      "\u2028X-Injected: 1",
      "a\u0000b",
      "é\u560d\u560aX-Injected: 1",
      "a&code=injected&iss=https://evil.example",
      "a#code=injected",
      "a%0d%0aX-Injected: 1",
      "javascript:injected",
      "x".repeat(3000),
    ];
    for (const state of states) {
      const good = client.authorizeUrl({ client_id: clientId, redirect_uri: redirectUri, state });
      const bad = `${good}&response_mode=fragment`;
      const { pathname, search } = new URL(bad);
      const host = `127.0.0.1:${program.port}`;
      const { text } = await sendRaw(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
        { port: program.port, waitMs: 5000 },
      );
      const head = headOf(text);
      assert.equal(statusOf(text), 302, JSON.stringify(state));
      assert.equal(head.some((line) => /^(x-injected|set-cookie):/i.test(line)), false, head.join("\n"));
      const locations = head.filter((line) => /^location:/i.test(line));
      assert.equal(locations.length, 1);
      const location = new URL(locations[0]?.slice("location:".length).trim() ?? "");
      assert.deepEqual([location.origin + location.pathname, location.hash], [redirectUri, ""]);
      assert.deepEqual(location.searchParams.getAll("iss"), [program.url]);
      assert.equal(location.searchParams.has("code"), false);
      const given = location.searchParams.get("state");
      assert.ok(given === null || given === state, "as it was, or not at all");
      if (given === null) continue;
      const back = await browser.approve(good);
      assert.deepEqual([back.searchParams.get("state"), back.searchParams.getAll("code").length], [state, 1]);
      assert.equal(back.hash, "");
    }
  });
});

Deno.test("forms of a megabyte, of a length that is a lie and without end are refused before they are read, and cost nobody a code", async () => {
  cites("oauth.attacks");
  await withClient(async (world) => {
    const { program, client } = world;
    const code = await freshCode(world);
    const { port } = program;
    for (const path of ["/token", "/revoke", "/register", `/authorize?client_id=${world.clientId}`]) {
      const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: ${program.url}\r\n` +
        "Content-Type: application/x-www-form-urlencoded\r\n";
      const chunk = `${(16_384).toString(16)}\r\n${"a".repeat(16_384)}\r\n`;
      const bodies = [
        `Content-Length: 1000000\r\n\r\n${"a=".padEnd(1_000_000, "x")}`,
        "Content-Length: 1000000000\r\n\r\na=b",
        `Transfer-Encoding: chunked\r\n\r\n${chunk.repeat(64)}0\r\n\r\n`,
        `Transfer-Encoding: chunked\r\n\r\nffffffff\r\n${"a".repeat(200_000)}`,
      ];
      for (const body of bodies) {
        const { text } = await sendRaw(head + body, {
          port,
          waitMs: 10_000,
          until: (so) => so.includes("\r\n\r\n"),
        });
        assert.equal(statusOf(text), 413, `${path} ${body.slice(0, 40)}: ${text.slice(0, 200)}`);
        assert.equal(/aaaa|xxxx/.test(text), false);
      }
    }
    assert.equal((await client.exchange(code)).status, 200);
  });
});

Deno.test("what a program sends counts from its body alone, once, whatever stands in the address or in another header", async () => {
  cites("oauth.attacks");
  await withClient(async (world) => {
    const { program, client, clientId } = world;
    const code = await freshCode(world);
    const form = new URLSearchParams({ grant_type: "authorization_code", code_verifier: verifier, ...code });
    const type = "application/x-www-form-urlencoded";
    const send = async (path: string, body: BodyInit, headers: Record<string, string> = {}) => {
      const response = await fetch(program.url + path, {
        method: "POST",
        headers: { "content-type": type, ...headers },
        body,
      });
      return { status: response.status, body: await response.json() };
    };
    const query = new URLSearchParams({ grant_type: "authorization_code", client_id: clientId });
    assert.deepEqual(
      (await send(`/token?${query}`, "")).body.error,
      "invalid_request",
      "not from the address",
    );
    const both = await send("/token", form, { authorization: `Basic ${btoa("other-client:")}` });
    assert.deepEqual([both.status, both.body.error], [401, "invalid_client"], "two identities are none");
    for (
      const bad of ["Basic !!!", "Basic YQ==", `Basic ${btoa("%zz:%zz")}`, `Basic ${btoa("\xff\xfe:x")}`]
    ) {
      const answer = await send("/token", form, { authorization: bad });
      assert.deepEqual([answer.status, answer.body.error], [401, "invalid_client"], bad);
    }
    for (const wrong of [`${type}x`, "multipart/form-data; boundary=a", "application/json"]) {
      assert.equal((await send("/token", form.toString(), { "content-type": wrong })).status, 400, wrong);
    }
    const right = await send("/token", form, { "content-type": `${type}; charset=UTF-8` });
    assert.equal(right.status, 200, "as hosted clients send it, and nothing before cost the code");
    assert.equal(await client.opens(right.body.access_token), true);
  });
});

Deno.test("two hundred exchanges of one code and two hundred guesses at once give one pair and three guesses", async () => {
  cites("oauth.codes");
  await withClient(async (world) => {
    const { client, browser, clientId } = world;
    const code = await freshCode(world);
    const answers = await Promise.all(Array.from({ length: 200 }, () => client.exchange(code)));
    assert.deepEqual(answers.filter(({ status }) => status === 200).length, 1);
    const pair = answers.find(({ status }) => status === 200) ?? assert.fail();
    assert.equal(await client.opens(pair.accessToken), false, "the replays ended it");
    const url = client.authorizeUrl({ client_id: clientId, redirect_uri: redirectUri });
    const stranger = new Browser((target, init) => fetch(target, init));
    const page = await stranger.open(url);
    const guesses = await Promise.all(Array.from({ length: 200 }, async (_, round) => {
      const response = await stranger.submit(page, { decision: "approve", secret: `guess number ${round}` });
      await response.body?.cancel();
      return response.status;
    }));
    assert.equal(guesses.filter((status) => status === 401).length, 3);
    assert.equal(guesses.filter((status) => status === 429).length, 197);
    assert.equal((await browser.approve(url)).searchParams.has("code"), true, "the owner gets in");
  }, { SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "100000" });
});

Deno.test("a token that somebody signs with the predecessor's key, or makes up in the shape of ours, opens nothing", async () => {
  cites("oauth.attacks");
  const key = "0123456789abcdef0123456789abcdef";
  await withClient(async (world) => {
    const { client, program } = world;
    const forged = await new SignJWT({ scope: "mcp" }).setProtectedHeader({ alg: "HS256" }).setIssuer(
      program.url,
    )
      .setAudience(program.url).setSubject("owner").setIssuedAt().setExpirationTime("90d")
      .sign(new TextEncoder().encode(key));
    const tokens = await client.exchange(await freshCode(world));
    const { accessToken: good, refreshToken } = tokens;
    assert.equal(await client.opens(good), true);
    const last = good.at(-1) === "A" ? "B" : "A";
    for (
      const token of [
        forged,
        refreshToken,
        "A".repeat(43),
        good.slice(0, -1) + last,
        good.slice(0, -1),
        `${good}A`,
        good.toUpperCase(),
        `${good}=`,
        `${good},${good}`,
        "' OR '1'='1",
        "%",
        "null",
        "x".repeat(16_000),
      ]
    ) {
      assert.equal(await client.opens(token), false, token.slice(0, 60));
    }
  }, { JWT_SIGNING_KEY: key });
});

Deno.test("a fault in the middle of signing in tells nothing of this machine", async () => {
  cites("oauth.attacks");
  await withClient(async ({ program, client, clientId }) => {
    const texts: string[] = [];
    const ask = async (path: string, init?: RequestInit) => {
      const response = await fetch(program.url + path, { redirect: "manual", ...init });
      texts.push(`${response.headers.get("location") ?? ""} ${await response.text()}`);
      assert.ok(response.status >= 300 && response.status < 500, `${path}: ${response.status}`);
    };
    for (const uri of ["not a url", "http://[", "%", "//", "http://\u0000/", "x".repeat(9000)]) {
      await ask(`/authorize?${new URLSearchParams({ client_id: clientId, redirect_uri: uri })}`);
    }
    for (
      const id of [
        "sbc1.",
        "sbc1.%%%",
        "sbc1.bnVsbA",
        "https://[::",
        "x".repeat(9000),
        "__proto__",
        "constructor",
      ]
    ) {
      await ask(`/authorize?${new URLSearchParams({ client_id: id, redirect_uri: redirectUri })}`);
      const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x", client_id: id });
      await ask("/token", { method: "POST", body: form });
      await ask("/revoke", { method: "POST", body: new URLSearchParams({ token: "x", client_id: id }) });
    }
    for (
      const body of [
        "",
        "null",
        "[]",
        "{",
        '{"redirect_uris":{}}',
        '{"redirect_uris":[1,null,{}]}',
        "[".repeat(9000),
      ]
    ) {
      await ask("/register", { method: "POST", body, headers: { "content-type": "application/json" } });
    }
    for (const text of texts) {
      assert.equal(
        /\bat \w+.*:\d+:\d+|\/tmp\/|\/src\/|node:|Error:|SQLITE/.test(text),
        false,
        text.slice(0, 300),
      );
    }
    assert.equal(program.log.includes('"incident"'), false, "none of it was unexpected");
    assert.ok((await client.register({ redirect_uris: [redirectUri] }))["client_id"]);
  });
});
