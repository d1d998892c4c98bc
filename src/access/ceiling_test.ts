import assert from "node:assert/strict";
import type { PagePath } from "../core/page_name.ts";
import type { Profile } from "../core/principal.ts";
import { type Verb, type VerbGlobs, verbs } from "../core/rights.ts";
import { type CeilingOptions, createCeiling } from "./ceiling.ts";

const open: CeilingOptions = {
  readPaths: ["**"],
  writePaths: ["**"],
  hiddenPaths: [],
  readOnly: false,
  profile: "standard",
};

function page(path: string): PagePath {
  return path as PagePath;
}

function admit(
  ceiling: Partial<CeilingOptions>,
  rule: { rights?: VerbGlobs; roots?: string[]; profile?: Profile } = {},
) {
  return createCeiling({ ...open, ...ceiling })({
    id: "token:x",
    kind: "token",
    name: "x",
    rights: rule.rights ?? null,
    roots: rule.roots ?? "all",
    profile: rule.profile ?? null,
  });
}

function granted(ceiling: Partial<CeilingOptions>, rule: Parameters<typeof admit>[1], path: string): Verb[] {
  const { rights } = admit(ceiling, rule);
  return verbs.filter((verb) => rights.allows(verb, page(path)));
}

const all: Verb[] = ["read", "append", "create", "write", "delete"];

Deno.test("a rule without rights has everything within the ceiling and nothing beyond", () => {
  assert.deepEqual(granted({}, {}, "A.md"), all);
  assert.deepEqual(granted({ readOnly: true }, {}, "A.md"), ["read"]);
  assert.deepEqual(granted({ writePaths: ["In/**"] }, {}, "A.md"), ["read"]);
  assert.deepEqual(granted({ writePaths: ["In/**"] }, {}, "In/A.md"), all);
  assert.deepEqual(granted({ readPaths: ["Pub/**"] }, {}, "A.md"), ["append", "create", "write", "delete"]);
  assert.deepEqual(granted({ hiddenPaths: ["Private/**"] }, {}, "Private/A.md"), []);
});

Deno.test("a rule cannot widen the ceiling, whatever it names", () => {
  const greedy = { rights: { read: ["**"], write: ["**"], create: ["**"], append: ["**"], delete: ["**"] } };
  assert.deepEqual(granted({ readOnly: true }, greedy, "A.md"), ["read"]);
  assert.deepEqual(granted({ writePaths: [] }, greedy, "A.md"), ["read"]);
  assert.deepEqual(granted({ hiddenPaths: ["A"] }, greedy, "A.md"), []);
});

Deno.test("verbs that a rule does not name are not granted", () => {
  assert.deepEqual(granted({}, { rights: { append: ["Inbox/**"] } }, "Inbox/A.md"), ["append"]);
  assert.deepEqual(granted({}, { rights: {} }, "A.md"), []);
});

Deno.test("the profiles read, chatgpt and files lower rights in the ceiling and in the rule", () => {
  for (const profile of ["read", "chatgpt"] as const) {
    assert.deepEqual(granted({}, { profile }, "A.md"), ["read"], profile);
    assert.deepEqual(granted({ profile }, {}, "A.md"), ["read"], profile);
    assert.deepEqual(granted({ profile }, { profile: "full" }, "A.md"), ["read"], profile);
  }
  assert.deepEqual(granted({}, { profile: "files" }, "A.md"), []);
  assert.equal(admit({}, { profile: "files" }).rights.allowsSomewhere("read"), false);
  assert.equal(admit({}, { profile: "files" }).rights.allowsRoot("docs"), true);
  assert.deepEqual(granted({}, { profile: "full" }, "A.md"), all);
});

Deno.test("the profile of a rule is shown, the operator's where it has none", () => {
  assert.equal(admit({ profile: "full" }).profile, "full");
  assert.equal(admit({ profile: "full" }, { profile: "read" }).profile, "read");
});

Deno.test("roots of a rule are the only ones it reaches", () => {
  const { rights } = admit({}, { roots: ["docs"] });
  assert.deepEqual([rights.allowsRoot("docs"), rights.allowsRoot("home")], [true, false]);
});
