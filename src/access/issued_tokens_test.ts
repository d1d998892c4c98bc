import assert from "node:assert/strict";
import { type ApprovalChoices, fullConsent, signIn, signInStore } from "../../tests/support/sign_in_store.ts";
import type { PagePath } from "../core/page_name.ts";
import { type Verb, verbs } from "../core/rights.ts";
import { createCeiling } from "./ceiling.ts";
import { type ClientRule, createFindRule } from "./client_rules.ts";
import { createIssuedTokens } from "./issued_tokens.ts";

const open = {
  readPaths: ["**"],
  writePaths: ["**"],
  hiddenPaths: ["Secret/**"],
  readOnly: false,
  profile: "standard" as const,
};

function setUp(options: { ceiling?: object; rules?: ClientRule[]; resource?: string } = {}) {
  const store = signInStore();
  const verifier = createIssuedTokens({
    ...store,
    admit: createCeiling({ ...open, ...options.ceiling }),
    findRule: createFindRule(options.rules ?? []),
    resource: options.resource ?? "https://n.example/mcp",
  });
  return { ...store, verifier, signIn: (choices: ApprovalChoices = {}) => signIn(store, choices) };
}

async function verbsOf(
  verifier: ReturnType<typeof setUp>["verifier"],
  token: string,
  path: string,
): Promise<Verb[]> {
  const principal = await verifier.verify(token);
  return verbs.filter((verb) => principal?.rights.allows(verb, path as PagePath) ?? false);
}

const all: Verb[] = ["read", "append", "create", "write", "delete"];

Deno.test("an issued token is its grant, with the client's name, and nothing else is anybody", async () => {
  const { state, verifier, signIn } = setUp();
  const { accessToken, refreshToken, code, grantId } = signIn();
  const principal = await verifier.verify(accessToken);
  assert.deepEqual([principal?.id, principal?.kind, principal?.name, principal?.profile], [
    `grant:${grantId}`,
    "oauth",
    "Claude",
    "standard",
  ]);
  for (const other of ["", refreshToken, code, grantId, `${accessToken}x`]) {
    assert.equal(await verifier.verify(other), null);
  }
  state.close();
});

Deno.test("the rights of an issued token are what ceiling, rule, consent and scope have in common", async () => {
  const rules: ClientRule[] = [{
    name: "Rule",
    match: { client: "https://claude.ai/*", redirectHost: null },
    rights: { read: ["**"], append: ["**"], create: ["**"], write: ["A/**", "B/**"], delete: [] },
    roots: ["docs"],
    profile: null,
  }];
  const { state, verifier, signIn } = setUp({ ceiling: { writePaths: ["A/**", "C/**"] }, rules });
  const consent = { ...fullConsent, sees: ["A/**", "C/**"], changes: ["A/In/**"], roots: ["docs", "papers"] };
  const { accessToken } = signIn({ consent });
  const table: Array<[string, Verb[]]> = [
    ["A/In/x.md", ["read", "append", "create", "write"]],
    ["A/x.md", ["read"]],
    ["C/x.md", ["read"]],
    ["B/x.md", []],
    ["x.md", []],
    ["Secret/x.md", []],
  ];
  for (const [path, expected] of table) {
    assert.deepEqual(await verbsOf(verifier, accessToken, path), expected, path);
  }
  const principal = await verifier.verify(accessToken);
  assert.deepEqual(["docs", "papers"].map((alias) => principal?.rights.allowsRoot(alias)), [true, false]);
  assert.deepEqual([principal?.name, principal?.rule], ["Rule", "Rule"]);
  state.close();
});

Deno.test("a token for reading alone reads alone, whatever its grant could do", async () => {
  const { state, tokens, verifier, signIn } = setUp();
  const { refreshToken, clientId } = signIn();
  const narrow = tokens.refresh(refreshToken, { clientId, wanted: { write: false, offline: false } });
  assert.ok("accessToken" in narrow);
  assert.deepEqual(await verbsOf(verifier, narrow.accessToken, "x.md"), ["read"]);
  state.close();
});

Deno.test("a rule's lowering profile holds although the owner chose another one", async () => {
  const rules: ClientRule[] = [{
    name: "Reader",
    match: { client: null, redirectHost: "claude.ai" },
    rights: null,
    roots: "all",
    profile: "read",
  }];
  const { state, verifier, signIn } = setUp({ rules });
  const { accessToken } = signIn({ consent: { ...fullConsent, profile: "full" } });
  assert.equal((await verifier.verify(accessToken))?.profile, "full");
  assert.deepEqual(await verbsOf(verifier, accessToken, "x.md"), ["read"]);
  state.close();
});

Deno.test("what the owner changes or ends counts from the next call on", async () => {
  const { state, grants, verifier, signIn } = setUp();
  const { accessToken, grantId } = signIn();
  assert.deepEqual(await verbsOf(verifier, accessToken, "x.md"), all);
  grants.setConsent(grantId, { ...fullConsent, write: false, changes: [] });
  assert.deepEqual(await verbsOf(verifier, accessToken, "x.md"), ["read"]);
  grants.setConsent(grantId, fullConsent);
  assert.deepEqual(await verbsOf(verifier, accessToken, "x.md"), all);
  grants.end(grantId, "owner");
  assert.equal(await verifier.verify(accessToken), null);
  state.close();
});

Deno.test("two clients have each exactly their own rights at the same time", async () => {
  const { state, verifier, signIn } = setUp();
  const one = signIn({ clientId: "one", consent: { ...fullConsent, sees: ["One/**"], changes: ["One/**"] } });
  const two = signIn({
    clientId: "two",
    consent: { ...fullConsent, write: false, sees: ["Two/**"], changes: [] },
  });
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await verbsOf(verifier, one.accessToken, "One/x.md"), all);
    assert.deepEqual(await verbsOf(verifier, one.accessToken, "Two/x.md"), []);
    assert.deepEqual(await verbsOf(verifier, two.accessToken, "One/x.md"), []);
    assert.deepEqual(await verbsOf(verifier, two.accessToken, "Two/x.md"), ["read"]);
  }
  state.close();
});

Deno.test("a token that was issued under another public address opens nothing", async () => {
  const { state, verifier, signIn } = setUp({ resource: "https://moved.example/mcp" });
  assert.equal(await verifier.verify(signIn().accessToken), null);
  state.close();
});

Deno.test("only who asked for reading alone, and could have more, is told how to come back for it", async () => {
  const mayAsk = async (ceiling: object, choices: ApprovalChoices) => {
    const { state, verifier, signIn } = setUp({ ceiling });
    const principal = await verifier.verify(signIn(choices).accessToken);
    state.close();
    return principal?.mayAskForWrite;
  };
  assert.equal(await mayAsk({}, { asksWrite: false }), true);
  assert.equal(await mayAsk({ readOnly: true }, { asksWrite: false }), false);
  assert.equal(await mayAsk({}, {}), false);
  const refused = { ...fullConsent, write: false, changes: [] };
  assert.equal(await mayAsk({}, { consent: refused }), false, "the owner said no");
});
