import assert from "node:assert/strict";
import { wikilinksIn } from "./wikilinks.ts";

Deno.test("wikilinksIn() finds links on one line, embeds with their exclamation mark", () => {
  const cases: Array<[string, string[]]> = [
    ["a [[b]] ![[c|d]]", ["[[b]]", "![[c|d]]"]],
    ["[[a\nb]] [[c]]", ["[[c]]"]],
    ["[[a\u2028b]]", []],
    ["[[[a]]]", ["[[[a]]"]],
    ["[[a", []],
    ["!![[a]]", ["![[a]]"]],
  ];
  for (const [text, links] of cases) {
    assert.deepEqual(
      wikilinksIn(text).map(({ from, to }) => text.slice(from, to)),
      links,
      JSON.stringify(text),
    );
  }
});

Deno.test("wikilinksIn() is done with hostile text at once", () => {
  const started = performance.now();
  for (const part of ["[[", "[[\n", "[[a\n]", "![["]) wikilinksIn(`${part.repeat(100_000)}]]`);
  assert.ok(performance.now() - started < 4000);
});
