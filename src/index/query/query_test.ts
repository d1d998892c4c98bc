import assert from "node:assert/strict";
import fc from "fast-check";
import { parseQuery } from "./query.ts";

function terms(input: string): string[] {
  return parseQuery(input).terms.map(({ kind, text }) => kind === "word" ? text : `${kind}:${text}`);
}

Deno.test("parseQuery() takes words as they are and punctuation around them off", () => {
  assert.deepEqual(terms("hello, (world)! foo-bar's"), ["hello", "world", "foo-bar"]);
  assert.deepEqual(terms("C++, (.NET) F#? a.b ...x... C"), ["C++", ".NET", "F#", "a.b", "x", "C"]);
  assert.deepEqual(terms("Word word WORD"), ["Word"]);
  assert.deepEqual(terms("a AND b OR c and"), ["a", "b", "c", "and"]);
  assert.deepEqual(terms("pro* *y* z*"), ["prefix:pro", "y", "z"]);
  assert.deepEqual(terms("🚀 ->"), ["🚀"]);
});

Deno.test("parseQuery() takes quotes of both kinds, and an open one for none", () => {
  assert.deepEqual(terms('"a b" “c d” e'), ["phrase:a b", "phrase:c d", "e"]);
  assert.deepEqual(parseQuery('"a b" x').must.phrases, ["a b"]);
  assert.deepEqual(terms('say "hello world'), ["say", "hello", "world"]);
  assert.deepEqual(terms('"" "!" x'), ["x"]);
});

Deno.test("parseQuery() knows tags, paths, conditions, and what must not be", () => {
  const query = parseQuery(
    'x tag:a tags:"b c" #d/e #<f g> path:Projects/ -tag:h -#i -path:"J K" -no -"no such" status=open "k"',
  );
  assert.deepEqual(query.must, { phrases: ["k"], tags: ["a", "b c"], paths: ["Projects/"] });
  assert.deepEqual(query.hashtags, ["d/e", "f g"]);
  assert.deepEqual(query.mustNot.tags, ["h", "i"]);
  assert.deepEqual(query.mustNot.paths, ["J K"]);
  assert.deepEqual(query.mustNot.words.map(({ text }) => text), ["no"]);
  assert.deepEqual(query.mustNot.phrases, ["no such"]);
  assert.deepEqual(query.conditions.map(({ text }) => text), ["status=open"]);
  assert.deepEqual(parseQuery("well-known a-b - --flag").mustNot.words, []);
  assert.deepEqual(
    parseQuery('due<2026-12-01 title="in two words"').conditions.map(({ condition }) => condition),
    [
      { key: "due", operator: "<", value: "2026-12-01" },
      { key: "title", operator: "=", value: "in two words" },
    ],
  );
  assert.deepEqual(parseQuery("#1234 #").hashtags, []);
});

Deno.test("parseQuery() reads any text in little time, and says when it took only the beginning", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (input) => void parseQuery(input)));
  const begun = performance.now();
  for (const input of ['"', "-", "#", "a", "a ", "“", "a=", '="', "tag:", '-"', "(", "\\", "é", "系"]) {
    const query = parseQuery(input.repeat(10_000));
    assert.ok(query.terms.length <= 32);
    assert.equal(query.cut, true);
  }
  assert.ok(performance.now() - begun < 2000);
});
