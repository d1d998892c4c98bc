import assert from "node:assert/strict";
import fc from "fast-check";
import { parseListedPath } from "../core/page_name.ts";
import { createRights, verbs } from "../core/rights.ts";
import { type Consent, consentRights } from "./consent.ts";
import { widens } from "./widening.ts";

const base: Consent = {
  write: true,
  sees: ["Projects/**", "Inbox"],
  changes: ["Inbox"],
  roots: ["files"],
  profile: null,
};

Deno.test("widens() asks again for whatever was not there before", () => {
  const wider: ReadonlyArray<readonly [string, Partial<Consent>, Partial<Consent>?]> = [
    ["writing", { write: true }, { write: false, changes: [] }],
    ["pages seen", { sees: ["**"] }],
    ["one more page seen", { sees: ["Projects/**", "Inbox", "Diary"] }],
    ["pages changed", { changes: ["Projects/**"] }],
    ["a folder", { roots: ["files", "photos"] }],
    ["tools", { profile: "full" }],
    ["from reading tools to those of the settings", { profile: null }, { profile: "read" }],
    ["from folders alone to reading", { profile: "read" }, { profile: "files" }],
  ];
  for (const [what, next, before = {}] of wider) {
    assert.equal(widens({ ...base, ...next }, { ...base, ...before }), true, what);
  }
});

Deno.test("widens() lets everything pass that only takes away", () => {
  const narrower: ReadonlyArray<readonly [string, Partial<Consent>, Partial<Consent>?]> = [
    ["the same", {}],
    ["reading alone", { write: false, changes: [] }],
    ["fewer pages", { sees: ["Inbox"], changes: [] }],
    ["some of all pages", { sees: ["A/**"], changes: ["A/b"] }, { sees: ["**"], changes: ["**"] }],
    ["no folder", { roots: [] }],
    ["reading tools", { profile: "read" }],
  ];
  for (const [what, next, before = {}] of narrower) {
    assert.equal(widens({ ...base, ...next }, { ...base, ...before }), false, what);
  }
});

Deno.test("what widens() lets pass gives no right to any page or folder that was not given before", () => {
  const globs = fc.uniqueArray(fc.constantFrom("**", "A/**", "A/*", "A/b", "*", "B"), { maxLength: 3 });
  const consent = fc.record({
    write: fc.boolean(),
    sees: globs,
    changes: globs,
    roots: fc.uniqueArray(fc.constantFrom("r", "s")),
    profile: fc.constant(null),
  });
  const paths = ["A/b.md", "A/c/d.md", "B.md", "C.md"].flatMap((path) => parseListedPath(path) ?? []);
  const rightsOf = (one: Consent) =>
    createRights({ layers: [consentRights(one)], hidden: [], roots: one.roots });
  fc.assert(fc.property(consent, consent, (next, before) => {
    if (widens(next, before)) return;
    const [now, then] = [rightsOf(next), rightsOf(before)];
    for (const path of paths) {
      for (const verb of verbs) {
        assert.ok(!now.allows(verb, path) || then.allows(verb, path), `${verb} ${path}`);
      }
    }
    for (const root of ["r", "s"]) assert.ok(!now.allowsRoot(root) || then.allowsRoot(root));
  }));
});
