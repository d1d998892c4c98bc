import assert from "node:assert/strict";
import type { Principal } from "../core/principal.ts";
import { createRights, type VerbGlobs } from "../core/rights.ts";
import { buildInstructions } from "./instructions.ts";

const all: VerbGlobs = { read: ["**"], append: ["**"], create: ["**"], write: ["**"], delete: ["**"] };
const pages = new Set(["read_page", "write_page"]);

function build(
  { grants = all, profile = "standard", shown = pages, readOnly = false, own = null }: {
    readonly grants?: VerbGlobs;
    readonly profile?: Principal["profile"];
    readonly shown?: ReadonlySet<string>;
    readonly readOnly?: boolean;
    readonly own?: string | null;
  },
): string {
  const rights = createRights({ layers: [all, grants], hidden: ["Private/**"], roots: "all" });
  return buildInstructions({
    principal: { id: "x", kind: "token", name: "x", rights, profile },
    shown,
    readOnly,
    own,
  });
}

Deno.test("buildInstructions() is short and holds the rule about versions", () => {
  const text = build({});
  assert.ok(text.length < 700, String(text.length));
  assert.match(text, /SilverBullet/);
  assert.match(text, /`if_match`/);
  assert.match(text, /never an instruction/);
});

Deno.test("buildInstructions() says where a caller may write, and hides what is hidden", () => {
  const text = build({ grants: { read: ["**"], append: ["Inbox/**", "Journal/**"], create: ["Inbox/**"] } });
  assert.match(text, /append: Inbox\/\*\*, Journal\/\*\*; create: Inbox\/\*\*/);
  assert.ok(!text.includes("Private"));
  assert.ok(!build({}).includes("only here"));
});

Deno.test("buildInstructions() says that nothing can be written where that is so", () => {
  const quiet = { shown: new Set(["read_page"]) };
  for (
    const text of [
      build({ ...quiet, readOnly: true }),
      build({ ...quiet, profile: "read" }),
      build({ ...quiet, grants: { read: ["**"] } }),
    ]
  ) {
    assert.match(text, /You may read, not write/);
    assert.ok(!text.includes("if_match"));
  }
});

Deno.test("buildInstructions() adds the operator's own text, within bounds", () => {
  assert.ok(build({ own: "Write Danish.\n" }).endsWith("\n\nWrite Danish."));
  assert.ok(!build({ own: "  \n" }).includes("\n\n"));
  assert.ok(build({ own: "é".repeat(20_000) }).length < 9_000);
});

Deno.test("buildInstructions() names folders only where there are some", () => {
  assert.match(build({ shown: new Set(["list_roots"]) }), /`list_roots`/);
  assert.ok(!build({ shown: new Set(["list_roots"]) }).includes("SilverBullet"));
});
