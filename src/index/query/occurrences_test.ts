import assert from "node:assert/strict";
import { nearPairs } from "./near.ts";
import { OccurrenceFinder } from "./occurrences.ts";
import { resolved } from "./resolve_terms.ts";
import type { QueryTerm } from "./query.ts";
import { CharacterKinds } from "../analysis/word_forms.ts";

function finderOf(...terms: (string | QueryTerm)[]): OccurrenceFinder {
  const targets = terms.map((term) =>
    resolved(typeof term === "string" ? { kind: "word", text: term } : term)?.target
  );
  return new OccurrenceFinder(targets.flatMap((target) => target ?? []), new CharacterKinds());
}

function found(text: string, ...terms: (string | QueryTerm)[]): string[] {
  return finderOf(...terms).find(text).map(({ target, word, from, to }) =>
    `${target}@${word} ${text.slice(from, to)}`
  );
}

Deno.test("find() sees stems, accents, strokes, case and silent characters as the engine does", () => {
  assert.deepEqual(found("Measuring MEASURES measured measure's", "measure"), [
    "0@0 Measuring",
    "0@1 MEASURES",
    "0@2 measured",
    "0@3 measure",
  ]);
  assert.deepEqual(found("café cafe\u0301 CAFÉ Éclair", "cafe", "eclair"), [
    "0@0 café",
    "0@1 cafe\u0301",
    "0@2 CAFÉ",
    "1@3 Éclair",
  ]);
  assert.deepEqual(found("Øresund Straße in\u00adter", "oresund", "strasse", "inter"), [
    "0@0 Øresund",
    "1@1 Straße",
    "2@2 in\u00adter",
  ]);
});

Deno.test("find() sees scripts without spaces, symbols and signed names", () => {
  assert.deepEqual(found("これは系統図です", "系統"), ["0@3 系統"]);
  assert.deepEqual(found("これは系統図です", "系統図"), ["0@3 系統図"]);
  assert.deepEqual(found("系 系統", "系").length, 2);
  assert.deepEqual(found("go 🚀 now", "🚀"), ["0@1 🚀"]);
  assert.deepEqual(found("C++ is not C, nor .NET, nor ASP.NET", "C++", ".NET"), [
    "0@0 C++",
    "1@5 .NET",
    "1@8 .NET",
  ]);
  assert.deepEqual(found("𝒞 a𠮷b 𠮷野家", "𠮷野"), ["0@4 𠮷野"]);
});

Deno.test("find() sees phrases side by side only, and beginnings", () => {
  const phrase: QueryTerm = { kind: "phrase", text: "quick brown" };
  assert.deepEqual(found("quick brown; quick, brown; quick red brown; quick\nbrown", phrase).length, 3);
  assert.deepEqual(found("foo-bar foo bar foobar", "foo-bar"), ["0@0 foo-bar", "0@2 foo bar"]);
  assert.deepEqual(found("electromagnetic electron", { kind: "prefix", text: "electro" }), [
    "0@0 electromagnetic",
    "0@1 electron",
  ]);
});

Deno.test("nearPairs() counts pairs with up to five words between them", () => {
  const finder = finderOf("alpha", "beta", "gamma");
  const near = (text: string) => nearPairs(finder.find(text), 3).size;
  assert.equal(near("alpha 1 2 3 4 5 beta"), 1);
  assert.equal(near("alpha 1 2 3 4 5 6 beta"), 0);
  assert.equal(near("beta alpha gamma"), 3);
  assert.equal(near("alpha alpha alpha"), 0);
});

Deno.test("find() reads a long text in one pass", () => {
  const text = "alpha-beta ".repeat(100_000);
  const begun = performance.now();
  assert.equal(finderOf("gamma", "alpha-beta").find(text).length, 10_000);
  assert.ok(performance.now() - begun < 2000);
});
