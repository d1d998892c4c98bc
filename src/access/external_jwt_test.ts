import assert from "node:assert/strict";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { HandClock } from "../../tests/support/hand_clock.ts";
import type { Logger } from "../core/log.ts";
import type { PagePath } from "../core/page_name.ts";
import { verbs } from "../core/rights.ts";
import { createCeiling } from "./ceiling.ts";
import type { ClaimRule } from "./claim_rules.ts";
import { createExternalJwt } from "./external_jwt.ts";
import { createKeySet } from "./key_set.ts";

const issuer = "https://team.cloudflareaccess.com";
const audience = "aud-tag";

async function signer(kid: string, alg = "RS256") {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...await exportJWK(publicKey), kid, alg, use: "sig" } };
}

type Signer = Awaited<ReturnType<typeof signer>>;

async function setUp(options: { claims?: readonly ClaimRule[]; keys?: readonly Signer[] } = {}) {
  const clock = new HandClock();
  const first = await signer("first");
  const published: unknown[] = [...options.keys ?? [first]].map(({ jwk }) => jwk);
  const logged: string[] = [];
  const logger: Logger = {
    log: (_level, event, fields = {}) => void logged.push(`${event} ${fields["reason"] ?? ""}`.trim()),
    incident: () => "",
  };
  let answer: () => Response | Promise<Response> = () => Response.json({ keys: published });
  let fetches = 0;
  const keys = createKeySet({
    url: "https://login.example/keys",
    fetch: () => {
      fetches += 1;
      return Promise.resolve(answer());
    },
    clock,
    logger,
  });
  const verifier = createExternalJwt({
    settings: {
      issuer,
      audience: [audience, "other-aud"],
      algorithms: ["RS256"],
      leewaySeconds: 30,
      claims: options.claims ?? [],
    },
    keys,
    admit: createCeiling({
      readPaths: ["**"],
      writePaths: ["**"],
      hiddenPaths: [],
      readOnly: false,
      profile: "standard",
    }),
    clock,
    logger,
  });
  const now = () => Math.floor(clock.now() / 1000);
  const sign = (claims: JWTPayload = {}, by: Signer = first, header: Record<string, unknown> = {}) =>
    new SignJWT({ iss: issuer, aud: audience, sub: "ann", iat: now(), exp: now() + 3600, ...claims })
      .setProtectedHeader({ alg: by.alg, kid: by.kid, ...header }).sign(by.privateKey);
  const accepts = async (token: string) => (await verifier.verify(token)) !== null;
  const answers = (next: typeof answer) => answer = next;
  return { clock, first, published, logged, verifier, sign, accepts, answers, now, fetches: () => fetches };
}

Deno.test("a token of the provider is its subject, with everything within the ceiling where there are no rules", async () => {
  const { verifier, sign, logged } = await setUp();
  const principal = await verifier.verify(await sign({ email: "ann@example.org" }));
  assert.deepEqual([principal?.id, principal?.kind, principal?.name], ["jwt:ann", "jwt", "ann@example.org"]);
  assert.equal(verbs.every((verb) => principal?.rights.allows(verb, "A.md" as PagePath)), true);
  assert.deepEqual(logged, []);
});

Deno.test("every claim must be right, with a leeway for clocks that works both ways", async () => {
  const { sign, accepts, now, logged } = await setUp();
  const table: Array<[JWTPayload, boolean]> = [
    [{}, true],
    [{ aud: ["x", "other-aud"] }, true],
    [{ aud: "x" }, false],
    [{ aud: [] }, false],
    [{ iss: `${issuer}/` }, false],
    [{ iss: "https://evil.example" }, false],
    [{ exp: now() - 29 }, true],
    [{ exp: now() - 31 }, false],
    [{ nbf: now() + 29 }, true],
    [{ nbf: now() + 31 }, false],
    [{ iat: now() + 29 }, true],
    [{ iat: now() + 31 }, false],
    [{ sub: "" }, false],
  ];
  for (const [claims, expected] of table) {
    assert.equal(await accepts(await sign(claims)), expected, JSON.stringify(claims));
  }
  for (const missing of ["exp", "iat", "iss", "aud", "sub"]) {
    assert.equal(await accepts(await sign({ [missing]: undefined })), false, missing);
  }
  assert.ok(logged.some((line) => line.startsWith("jwt_refused ERR_JWT")));
});

Deno.test("a token that was looked at is looked at again after a minute, whatever became of the clock", async () => {
  const { clock, sign, accepts } = await setUp();
  const token = await sign();
  assert.equal(await accepts(token), true);
  clock.setBack(3_600_000);
  clock.advance(61_000);
  assert.equal(await accepts(token), false, "issued in the future by then");
  clock.setBack(-2 * 3_600_000);
  assert.equal(await accepts(token), false, "and over by now");
});

Deno.test("only keys of the provider and algorithms of the list count, whatever the token says of itself", async () => {
  const { first, sign, accepts, published, now } = await setUp();
  const stranger = await signer("first");
  assert.equal(await accepts(await sign({}, stranger)), false);
  const elliptic = await signer("elliptic", "ES256");
  published.push(elliptic.jwk);
  assert.equal(await accepts(await sign({}, elliptic)), false, "not on the list");
  const unsecured = new UnsecuredJWT({ iss: issuer, aud: audience, sub: "ann" }).setIssuedAt(now())
    .setExpirationTime(now() + 60);
  assert.equal(await accepts(unsecured.encode()), false);
  const confused = new SignJWT({ iss: issuer, aud: audience, sub: "ann", iat: now(), exp: now() + 60 })
    .setProtectedHeader({ alg: "HS256", kid: "first" })
    .sign(new TextEncoder().encode(JSON.stringify(first.jwk)));
  assert.equal(await accepts(await confused), false, "the public key is no shared secret");
  const own = await sign({}, stranger, {
    jwk: stranger.jwk,
    jku: "https://evil.example/keys",
    x5u: "https://evil.example",
  });
  assert.equal(await accepts(own), false, "keys that a token brings along do not count");
  const token = await sign();
  const [head, body, signature] = token.split(".");
  for (
    const bent of [
      "",
      "a.b.c",
      `${head}.${body}.`,
      `${head}.${body}`,
      `${token}.x`,
      `${head}.${btoa("{}")}.${signature}`,
      "x".repeat(20_000),
    ]
  ) {
    assert.equal(await accepts(bent), false, bent.slice(0, 40));
  }
});

Deno.test("keys are fetched once for all who wait, and again for an unknown key only every half minute", async () => {
  const { clock, sign, accepts, published, answers, fetches } = await setUp();
  const gate = Promise.withResolvers<Response>();
  answers(() => gate.promise);
  const waiting = Array.from({ length: 10 }, async () => accepts(await sign()));
  gate.resolve(Response.json({ keys: published }));
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set([true]));
  assert.equal(fetches(), 1);
  const second = await signer("second");
  for (let round = 0; round < 50; round++) {
    assert.equal(await accepts(await sign({ jti: String(round) }, second)), false);
  }
  assert.equal(fetches(), 1, "the half minute is not over");
  clock.advance(30_000);
  published.push(second.jwk);
  answers(() => Response.json({ keys: published }));
  assert.equal(await accepts(await sign({}, second)), true, "a rotated key counts");
  assert.equal(fetches(), 2);
});

Deno.test("while the provider does not answer the keys that were had go on counting", async () => {
  const { clock, sign, accepts, answers, logged, fetches } = await setUp();
  assert.equal(await accepts(await sign()), true);
  for (
    const outage of [
      () => Promise.reject(new Error("unreachable")),
      () => new Response("<html>", { status: 200 }),
      () => new Response("down", { status: 503 }),
      () => Response.json({ keys: "none" }),
      () => Response.json([]),
      () => new Response("x".repeat(300_000)),
    ]
  ) {
    answers(outage);
    clock.advance(11 * 60_000);
    assert.equal(await accepts(await sign()), true);
  }
  assert.equal(fetches(), 7);
  assert.ok(logged.includes("signing_keys_unavailable"));
});

Deno.test("in an outage only the first caller waits for the provider, and old keys count for a week at most", async () => {
  const { clock, sign, accepts, answers, published, logged, verifier } = await setUp();
  assert.equal(await accepts(await sign()), true);
  clock.advance(11 * 60_000);
  answers(() => Promise.reject(new Error("unreachable")));
  assert.equal(await accepts(await sign()), true);
  clock.advance(30_000);
  const never = Promise.withResolvers<Response>();
  answers(() => never.promise);
  assert.equal(await accepts(await sign()), true, "nobody waits for a provider that was silent before");
  never.resolve(new Response("down", { status: 503 }));
  const held = await sign({ exp: Math.floor(clock.now() / 1000) + 30 * 86_400 });
  clock.advance(7 * 86_400_000);
  answers(() => Promise.reject(new Error("unreachable")));
  assert.equal(await verifier.verify(held), null);
  assert.ok(logged.includes("jwt_refused no_keys"));
  clock.advance(30_000);
  answers(() => Response.json({ keys: published }));
  assert.equal(await accepts(held), true, "the first call after the outage waits for the keys");
});

Deno.test("a key set that cannot be read changes nothing, and an answer of no keys at all is one", async () => {
  const { clock, sign, accepts, answers, published } = await setUp();
  const token = await sign();
  assert.equal(await accepts(token), true);
  for (const text of ["", "{", "null", '{"keys":{}}', '"keys"']) {
    clock.advance(11 * 60_000);
    answers(() => new Response(text));
    assert.equal(await accepts(token), true, text);
  }
  published.unshift(null, 1, "x", [], { kty: "RSA" }, { kty: "RSA", kid: "other", n: 1 }, { kid: 1, kty: 1 });
  answers(() => Response.json({ keys: published }));
  clock.advance(11 * 60_000);
  assert.equal(await accepts(await sign({ jti: "1" })), true, "strange keys beside the good one");
  answers(() => Response.json({ keys: [] }));
  clock.advance(11 * 60_000);
  assert.equal(await accepts(token), false, "the provider has withdrawn them");
});

Deno.test("a server that never had keys lets nobody in, and does when the provider answers", async () => {
  const { clock, sign, accepts, answers, published } = await setUp();
  answers(() => new Response("down", { status: 503 }));
  assert.equal(await accepts(await sign()), false);
  answers(() => Response.json({ keys: published }));
  assert.equal(await accepts(await sign()), false, "not asked again at once");
  clock.advance(30_000);
  assert.equal(await accepts(await sign()), true);
});

Deno.test("a shared secret among published keys is no key", async () => {
  const { sign, accepts, published, now } = await setUp();
  published.push({ kty: "oct", kid: "shared", alg: "HS256", k: "c2VjcmV0" });
  const forged = new SignJWT({ iss: issuer, aud: audience, sub: "ann", iat: now(), exp: now() + 60 })
    .setProtectedHeader({ alg: "HS256", kid: "shared" }).sign(new TextEncoder().encode("secret"));
  assert.equal(await accepts(await forged), false);
  assert.equal(await accepts(await sign()), true);
});

Deno.test("a token that was good is looked at again after a minute, and never beyond its end", async () => {
  const { clock, sign, accepts, answers, published, now } = await setUp();
  const short = await sign({ exp: now() + 10 });
  const long = await sign();
  assert.deepEqual([await accepts(short), await accepts(long)], [true, true]);
  clock.advance(39_000);
  assert.equal(await accepts(short), true, "within the leeway");
  clock.advance(1_000);
  assert.equal(await accepts(short), false);
  const replacement = await signer("first");
  published.splice(0, published.length, replacement.jwk);
  answers(() => Response.json({ keys: published }));
  clock.advance(10 * 60_000);
  assert.equal(await accepts(long), false, "its key is not published any more");
});

Deno.test("claim rules give rights by values and by members of lists; with rules of which none fits there are none", async () => {
  const claims: ClaimRule[] = [
    { when: { groups: "editors" }, rights: { read: ["**"], write: ["Projects/**"] }, roots: ["docs"] },
    { when: { email: "ann@example.org", email_verified: "true" }, rights: { read: ["**"] }, roots: "all" },
  ];
  const { verifier, sign } = await setUp({ claims });
  const verbsOf = async (more: JWTPayload, path: string) => {
    const principal = await verifier.verify(await sign(more));
    return verbs.filter((verb) => principal?.rights.allows(verb, path as PagePath)).join();
  };
  assert.equal(await verbsOf({ groups: ["readers", "editors"] }, "Projects/A.md"), "read,write");
  assert.equal(await verbsOf({ groups: "editors" }, "Other.md"), "read");
  assert.equal(await verbsOf({ email: "ann@example.org", email_verified: true }, "Other.md"), "read");
  for (
    const none of [
      {},
      { groups: ["editors2"] },
      { groups: { editors: true } },
      { groups: [["editors"]] },
      { email: "ann@example.org" },
      { email: "ann@example.org", email_verified: false },
      { email: ["ann@example.org.evil.example"], email_verified: true },
    ]
  ) {
    assert.equal(await verbsOf(none, "Projects/A.md"), "", JSON.stringify(none));
  }
});

Deno.test("service tokens of Cloudflare Access are known by their common name, and odd subjects by a hash", async () => {
  const { verifier, sign } = await setUp();
  const service = await verifier.verify(await sign({ sub: "", common_name: "0a1b.access" }));
  assert.match(service?.id ?? "", /^jwt:[0-9a-f]{32}$|^jwt:service 0a1b\.access$/);
  assert.equal(service?.name, "0a1b.access");
  const odd = await verifier.verify(await sign({ sub: "a b\n\u202ec" }));
  assert.match(odd?.id ?? "", /^jwt:[0-9a-f]{32}$/);
  assert.equal(/\p{C}/u.test(odd?.name ?? ""), false);
});

Deno.test("refusals are logged by their reason, a few a minute, and never with anything of the token", async () => {
  const { sign, accepts, logged, clock, now } = await setUp();
  const token = await sign({ exp: now() - 3600, sub: "canary-subject" });
  for (let round = 0; round < 50; round++) await accepts(token);
  assert.equal(logged.length, 10);
  assert.deepEqual(new Set(logged), new Set(["jwt_refused ERR_JWT_EXPIRED"]));
  clock.advance(60_000);
  await accepts(token);
  assert.equal(logged.length, 11);
});
