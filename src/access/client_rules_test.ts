import assert from "node:assert/strict";
import { createCeiling } from "./ceiling.ts";
import { type ClientRule, createFindRule } from "./client_rules.ts";
import { createConsentBounds } from "./consent_bounds.ts";

function rule(
  name: string,
  client: string | null,
  redirectHost: string | null,
  more: Partial<ClientRule> = {},
): ClientRule {
  return { name, match: { client, redirectHost }, rights: null, roots: "all", profile: null, ...more };
}

function named(rules: ClientRule[], id: string, redirectHost: string): string | null {
  return createFindRule(rules)({ id, redirectHost })?.name ?? null;
}

Deno.test("a rule fits when everything that it names fits, and the first that fits counts", () => {
  const rules = [
    rule("both", "https://claude.ai/*", "claude.ai"),
    rule("document", "https://claude.ai/*", null),
    rule("host", null, "chatgpt.com"),
    rule("exact", "my-client", null),
    rule("loopback", null, "localhost"),
  ];
  const claude = "https://claude.ai/oauth/mcp-oauth-client-metadata";
  assert.equal(named(rules, claude, "claude.ai"), "both");
  assert.equal(named(rules, claude, "claude.com"), "document");
  assert.equal(named(rules, "sbc1.x", "chatgpt.com"), "host");
  assert.equal(named(rules, "my-client", "x.example"), "exact");
  assert.equal(named(rules, "sbc1.x", "localhost:51234"), "loopback");
  assert.equal(named(rules, "sbc1.x", "x.example"), null);
});

Deno.test("no spelling of an identifier or a host gets the rule of another", () => {
  const rules = [rule("claude", "https://claude.ai/*", null), rule("host", null, "claude.ai")];
  for (
    const [id, host] of [
      ["https://claude.ai.evil.example/x", "evil.example"],
      ["http://claude.ai/x", "evil.example"],
      ["xhttps://claude.ai/x", "evil.example"],
      ["https://claudeXai/x", "evil.example"],
      ["evil", "claude.ai.evil.example"],
      ["evil", "evil-claude.ai"],
      ["evil", "claude.ai:evil"],
      ["evil", "claudeXai"],
    ] as const
  ) {
    assert.equal(named(rules, id, host), null, `${id} ${host}`);
  }
  assert.equal(named([rule("nothing", null, null)], "a", "b"), null, "a rule without a match fits nobody");
});

Deno.test("the page that asks the owner is told what the settings leave, and nothing that is hidden", () => {
  const open = {
    readPaths: ["**"],
    writePaths: ["**"],
    hiddenPaths: ["Secret/**"],
    readOnly: false,
  } as const;
  const boundsWith = (change: object, rules: ClientRule[] = []) =>
    createConsentBounds({
      admit: createCeiling({ ...open, profile: "standard", ...change }),
      findRule: createFindRule(rules),
      roots: ["docs", "papers"],
    })({ id: "x", redirectHost: "a.example" });
  assert.deepEqual(boundsWith({}), {
    write: true,
    sees: ["**"],
    changes: ["**"],
    roots: ["docs", "papers"],
    profile: "standard",
    rule: null,
  });
  assert.equal(JSON.stringify(boundsWith({})).includes("Secret"), false);
  assert.deepEqual([boundsWith({ readOnly: true }).write, boundsWith({ readOnly: true }).changes], [
    false,
    [],
  ]);
  assert.equal(boundsWith({ profile: "read" }).write, false);
  assert.deepEqual(boundsWith({ writePaths: ["In/**"] }).changes, ["In/**"]);
  const narrow = rule("Narrow", "x", null, {
    rights: { read: ["Pub/**"], append: ["In/**"] },
    roots: ["docs"],
    profile: "full",
  });
  assert.deepEqual(boundsWith({}, [narrow]), {
    write: true,
    sees: ["Pub/**"],
    changes: ["In/**"],
    roots: ["docs"],
    profile: "full",
    rule: "Narrow",
  });
});
