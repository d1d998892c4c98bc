import assert from "node:assert/strict";
import { cites } from "../../tests/requirements.ts";
import { type ExchangeParts, type HandExchange, handExchange } from "../../tests/support/exchange.ts";
import type { Clock } from "../core/clock.ts";
import type { Principal } from "../core/principal.ts";
import { createRights } from "../core/rights.ts";
import { createBearer } from "./bearer.ts";
import { createCallerAddress, createTrust } from "./caller_address.ts";
import { createHostGate } from "./host_gate.ts";
import { createOriginGate } from "./origin_gate.ts";
import { createPipeline, type Passed } from "./pipeline.ts";
import { createRateGate } from "./rate_gate.ts";
import type { RouteName } from "./routes.ts";
import { createUrlTokenGate } from "./url_token.ts";

const clock: Clock = { now: () => 0, elapsed: () => 0, sleep: () => Promise.resolve() };

function principal(id: string): Principal {
  return {
    id,
    kind: "token",
    name: id,
    rights: createRights({ layers: [], hidden: [], roots: "all" }),
    profile: "standard",
  };
}

function build(perMinute = 0) {
  const reached: Passed[] = [];
  const answer = (passed: Passed) => {
    reached.push(passed);
    return new Response("handled");
  };
  const names: RouteName[] = ["mcp", "healthz", "readyz", "health", "landing", "style"];
  const handlers = Object.fromEntries(names.map((name) => [name, answer])) as Record<
    RouteName,
    typeof answer
  >;
  const handle = createPipeline({
    bearer: createBearer({
      verifier: { verify: (token) => token.startsWith("good") ? principal(`token:${token}`) : null },
      local: null,
      assertion: null,
      challenge: [],
    }),
    rate: createRateGate({ perMinute, callerAddress: createCallerAddress(createTrust([])), clock }),
    host: createHostGate({ allowed: [], wildcardBind: false, onRefused: () => {} }),
    origin: createOriginGate({ allowed: [], mcp: ["https://claude.ai"], onRefused: () => {} }),
    urlToken: createUrlTokenGate({ allowed: false }),
    scope: null,
    maxBodyBytes: 10,
    handlers,
    present: (_exchange, refusal) => refusal,
  });
  return { handle, reached };
}

async function codeOf(response: Response): Promise<string> {
  return response.status === 200 ? "handled" : `${response.status} ${(await response.json()).error}`;
}

const wrongInEveryWay: ExchangeParts = {
  method: "PUT",
  target: "/nowhere?token=x",
  headers: {
    "host": "evil.com",
    "origin": "null",
    "authorization": "Bearer wrong",
    "content-encoding": "gzip",
    "content-length": "x",
  },
  body: "01234567890",
};

function headers(changes: Record<string, string | null>): Record<string, string> {
  const merged = { ...wrongInEveryWay.headers, ...changes };
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}

Deno.test("gates refuse in one order: each fault mended shows the next", async () => {
  cites("http.order");
  const { handle, reached } = build(1);
  const spent = handExchange({ target: "/health" });
  assert.equal(await codeOf(await handle(spent)), "handled");
  const fine = { host: "localhost" };
  const steps: Array<[string, string, ExchangeParts]> = [
    ["rate limit", "429 rate-limited", { ...wrongInEveryWay }],
    ["host", "403 host-not-allowed", { ...wrongInEveryWay, peer: "10.0.0.1" }],
    ["origin", "403 origin-not-allowed", { ...wrongInEveryWay, peer: "10.0.0.2", headers: headers(fine) }],
    ["token in the address", "403 token-in-url-refused", {
      ...wrongInEveryWay,
      peer: "10.0.0.3",
      headers: headers({ ...fine, origin: null }),
    }],
    ["route", "404 not-found", {
      ...wrongInEveryWay,
      target: "/nowhere",
      peer: "10.0.0.4",
      headers: headers({ ...fine, origin: null }),
    }],
    ["authentication", "401 invalid-token", {
      ...wrongInEveryWay,
      target: "/mcp",
      peer: "10.0.0.5",
      headers: headers({ ...fine, origin: null }),
    }],
    ["method", "405 method-not-allowed", {
      ...wrongInEveryWay,
      target: "/mcp",
      headers: headers({ ...fine, origin: null, authorization: "Bearer good1" }),
    }],
    ["encoding", "415 unsupported-encoding", {
      ...wrongInEveryWay,
      method: "POST",
      target: "/mcp",
      headers: headers({ ...fine, origin: null, authorization: "Bearer good2" }),
    }],
    ["length", "400 invalid-content-length", {
      ...wrongInEveryWay,
      method: "POST",
      target: "/mcp",
      headers: headers({ ...fine, origin: null, authorization: "Bearer good3", "content-encoding": null }),
    }],
    ["size", "413 request-body-too-large", {
      ...wrongInEveryWay,
      method: "POST",
      target: "/mcp",
      headers: headers({
        ...fine,
        origin: null,
        authorization: "Bearer good4",
        "content-encoding": null,
        "content-length": null,
      }),
    }],
  ];
  for (const [name, code, parts] of steps) {
    const exchange: HandExchange = handExchange(parts);
    assert.equal(await codeOf(await handle(exchange)), code, name);
    assert.equal(exchange.noted["code"], code.slice(4), `${name} is noted for the log`);
    const mayRead = ["length", "size"].includes(name);
    assert.equal(exchange.bodyAsked, mayRead, `${name}: the body is ${mayRead ? "" : "not "}asked for`);
  }
  assert.equal(reached.length, 1);
});

Deno.test("a request in order reaches its handler with its caller and its whole body", async () => {
  const { handle, reached } = build();
  const exchange = handExchange({
    method: "POST",
    target: "/mcp",
    headers: { authorization: "Bearer good", origin: "https://claude.ai" },
    body: "0123456789",
  });
  assert.equal((await handle(exchange)).status, 200);
  assert.equal(reached[0]?.principal?.id, "token:good");
  assert.equal(new TextDecoder().decode(reached[0]?.body ?? undefined), "0123456789");
  assert.deepEqual(exchange.noted, { route: "/mcp", client: "token:good" });
});

Deno.test("no known route but /mcp takes the origins of MCP clients", async () => {
  const { handle } = build();
  const exchange = handExchange({ target: "/health", headers: { origin: "https://claude.ai" } });
  assert.equal(await codeOf(await handle(exchange)), "403 origin-not-allowed");
});

Deno.test("paths are compared exactly as sent", async () => {
  const { handle } = build();
  for (
    const target of [
      "//mcp",
      "/mcp/",
      "/MCP",
      "/%6dcp",
      "/x/../mcp",
      "/./mcp",
      "/mcp;x",
      "/mcp%00",
      "/mcp\\",
      "/healthz/",
      "//",
    ]
  ) {
    const exchange = handExchange({ target, headers: { authorization: "Bearer good" } });
    assert.equal(await codeOf(await handle(exchange)), "404 not-found", target);
  }
  for (
    const target of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource/mcp",
      "/register",
    ]
  ) {
    assert.equal(await codeOf(await handle(handExchange({ target }))), "404 no-sign-in", target);
  }
});

Deno.test("methods beside a route's own are refused with the list of its own, HEAD goes where GET goes", async () => {
  const { handle } = build();
  for (const method of ["GET", "HEAD", "DELETE", "PUT", "OPTIONS", "TRACE", "PATCH", "post"]) {
    const exchange = handExchange({ method, target: "/mcp", headers: { authorization: "Bearer good" } });
    const response = await handle(exchange);
    assert.equal(response.status, 405, method);
    assert.equal(response.headers.get("allow"), "POST");
    assert.equal(response.headers.get("access-control-allow-origin"), null);
  }
  assert.equal((await handle(handExchange({ method: "HEAD", target: "/healthz" }))).status, 200);
  assert.equal((await handle(handExchange({ method: "POST", target: "/healthz" }))).status, 405);
});

Deno.test("probes answer under any name, from any page and beyond the rate limit, but take no token in the address", async () => {
  const { handle } = build(1);
  for (const target of ["/healthz", "/readyz"]) {
    for (let round = 0; round < 5; round++) {
      const exchange = handExchange({ target, headers: { host: "evil.com", origin: "null" } });
      assert.equal((await handle(exchange)).status, 200);
    }
    assert.equal(
      await codeOf(await handle(handExchange({ target: `${target}?token=x` }))),
      "403 token-in-url-refused",
    );
  }
});

Deno.test("a flood of strangers and of wrong tokens never makes a known caller wait, nor one known caller another", async () => {
  const { handle } = build(3);
  const call = async (authorization: string | null) => {
    const given: Record<string, string> = authorization === null ? {} : { authorization };
    return (await handle(handExchange({ method: "POST", target: "/mcp", headers: given }))).status;
  };
  const stranger = [
    await call(null),
    await call("Bearer wrong1"),
    await call("Bearer wrong2"),
    await call(null),
  ];
  assert.deepEqual(stranger, [401, 401, 401, 429]);
  assert.equal(await call("Bearer wrong3"), 429);
  assert.deepEqual(
    [
      await call("Bearer good-a"),
      await call("Bearer good-a"),
      await call("Bearer good-a"),
      await call("Bearer good-a"),
    ],
    [200, 200, 200, 429],
  );
  assert.equal(await call("Bearer good-b"), 200);
});

Deno.test("429 says when to come back, in whole seconds", async () => {
  const { handle } = build(1);
  await handle(handExchange({ target: "/health" }));
  const response = await handle(handExchange({ target: "/health" }));
  assert.equal(response.status, 429);
  assert.equal(response.headers.get("retry-after"), "60");
});
