import assert from "node:assert/strict";
import { type PagePath, parsePageName } from "./page_name.ts";
import { compileGlobs, createRights } from "./rights.ts";

const composed = "Geheim\u00e9/\u00dcbung".normalize("NFC");
const apart = composed.normalize("NFD");

function path(name: string): PagePath {
  return parsePageName(name).path;
}

Deno.test("compileGlobs() covers a name however its accents are stored, and however the glob's are", () => {
  assert.notEqual(composed, apart);
  const globs = [
    "Geheim\u00e9/**",
    "Geheim\u00e9/\u00dcb*",
    "Geheim\u00e9/?bung",
    "**/\u00dcbung",
    "Geheim?/*.md",
  ];
  for (const glob of globs) {
    for (const typed of [glob.normalize("NFC"), glob.normalize("NFD")]) {
      for (const stored of [composed, apart]) {
        assert.equal(compileGlobs([typed])(path(stored)), true, `${JSON.stringify(typed)} ${stored}`);
      }
      assert.equal(compileGlobs([typed])(path("Geheime/Ubung")), typed.includes("?/*"), typed);
    }
  }
});

Deno.test("compileGlobs() tells cases apart, and letters that only look alike", () => {
  const covers = compileGlobs(["Geheim\u00e9/**"]);
  assert.equal(covers(path("geheim\u00e9/a")), false);
  assert.equal(covers(path("Geheime/a")), false);
  assert.equal(covers(path("Geheim\uff45/a")), false);
});

Deno.test("createRights() hides and grants pages of either form", () => {
  for (const form of ["NFC", "NFD"]) {
    const other = form === "NFC" ? "NFD" : "NFC";
    const glob = "Geheim\u00e9/**".normalize(form);
    const stored = path(composed.normalize(other));
    const hiding = createRights({ layers: [{ read: ["**"] }], hidden: [glob], roots: "all" });
    assert.equal(hiding.hides(stored), true, form);
    assert.equal(hiding.allows("read", stored), false, form);
    const granting = createRights({ layers: [{ read: [glob] }], hidden: [], roots: "all" });
    assert.equal(granting.allows("read", stored), true, form);
    assert.equal(granting.allows("read", path("Other/\u00dcbung".normalize(other))), false, form);
  }
});
