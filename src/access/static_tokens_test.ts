import assert from "node:assert/strict";
import { sha256Hex } from "../core/secrets.ts";
import { createCeiling } from "./ceiling.ts";
import { createStaticTokens } from "./static_tokens.ts";
import { firstOf } from "./verifier.ts";

const admit = createCeiling({
  readPaths: ["**"],
  writePaths: ["**"],
  hiddenPaths: [],
  readOnly: false,
  profile: "standard",
});

function tokens(...names: string[]) {
  return createStaticTokens(
    names.map((name) => ({
      name,
      hash: sha256Hex(`secret-of-${name}`),
      rights: null,
      roots: "all" as const,
      profile: null,
    })),
    admit,
  );
}

Deno.test("static tokens know each holder by its own token alone", async () => {
  const verifier = tokens("laptop", "phone");
  assert.equal((await verifier.verify("secret-of-laptop"))?.id, "token:laptop");
  assert.equal((await verifier.verify("secret-of-phone"))?.id, "token:phone");
});

Deno.test("static tokens refuse everything else: prefixes, other case, spaces, the hash itself, nothing", async () => {
  const verifier = tokens("laptop");
  for (
    const guess of [
      "",
      "secret-of-lapto",
      "secret-of-laptop ",
      " secret-of-laptop",
      "Secret-of-laptop",
      "secret-of-laptop\0",
      sha256Hex("secret-of-laptop"),
      "secret-of-laptop".repeat(500),
    ]
  ) {
    assert.equal(await verifier.verify(guess), null, JSON.stringify(guess.slice(0, 40)));
  }
});

Deno.test("no static token at all refuses everyone", async () => {
  assert.equal(await tokens().verify(""), null);
});

Deno.test("firstOf() lets the first verifier that knows a token decide", async () => {
  const verifier = firstOf([tokens("a"), tokens("b")]);
  assert.equal((await verifier.verify("secret-of-b"))?.id, "token:b");
  assert.equal(await verifier.verify("secret-of-c"), null);
  assert.equal(await firstOf([]).verify("anything"), null);
});
