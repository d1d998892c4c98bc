import assert from "node:assert/strict";
import { systemClock } from "../core/clock.ts";
import { silentLogger } from "../core/log.ts";
import { sha256Hex } from "../core/secrets.ts";
import { createCallers } from "./callers.ts";

const base = {
  readPaths: ["**"],
  writePaths: ["**"],
  hiddenPaths: [],
  readOnly: false,
  profile: "standard" as const,
  tokens: [{ name: "a", hash: sha256Hex("t"), rights: null, roots: "all" as const, profile: null }],
  oauth: null,
  clients: [],
  jwt: null,
  fetch: () => Promise.reject(new Error("Nothing is fetched here")),
  origin: "https://n.example",
  rootAliases: [],
  fetchDocument: null,
  hides: () => false,
  state: null,
  clock: systemClock,
  logger: silentLogger,
};

Deno.test("callers of a server without any way to sign in are one local principal", () => {
  const { verifier, local } = createCallers({ ...base, auth: [] });
  assert.equal(verifier, null);
  assert.equal(local?.id, "local");
});

Deno.test("tokens count only where that way is switched on", async () => {
  assert.equal((await createCallers({ ...base, auth: ["token"] }).verifier?.verify("t"))?.id, "token:a");
  assert.equal(await createCallers({ ...base, auth: ["oauth"] }).verifier?.verify("t"), null);
});

Deno.test("a way that this version lacks opens nothing and never makes the server one without sign-in", async () => {
  for (const auth of [["oauth"], ["jwt"], ["oauth", "jwt"]] as const) {
    const { verifier, local } = createCallers({ ...base, auth });
    assert.equal(local, null);
    assert.equal(await verifier?.verify("anything"), null);
  }
});
