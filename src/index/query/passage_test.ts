import assert from "node:assert/strict";
import { OccurrenceFinder } from "./occurrences.ts";
import { bestPassage } from "./passage.ts";
import { CharacterKinds } from "../analysis/word_forms.ts";

function passage(text: string, words: readonly string[], { maxBytes = 120, bodyStart = 0 } = {}) {
  const targets = words.map((word) => ({ words: [[word]], isPrefix: false }));
  const found = new OccurrenceFinder(targets, new CharacterKinds()).find(text);
  const { snippet, at } = bestPassage(text, { found, maxBytes, bodyStart });
  assert.ok(new TextEncoder().encode(snippet).length <= maxBytes && snippet.isWellFormed());
  return { snippet, at };
}

Deno.test("bestPassage() shows where most of the words stand together", () => {
  const filler = "nothing of note stands in this sentence at all. ";
  const text = `alpha alone. ${filler.repeat(5)}Here alpha meets beta and gamma. ${
    filler.repeat(5)
  }gamma alone.`;
  assert.match(passage(text, ["alpha", "beta", "gamma"]).snippet, /Here alpha meets beta and gamma/);
});

Deno.test("bestPassage() prefers the body to the frontmatter, and begins there where nothing was found", () => {
  const text = "---\ntitle: alpha\n---\nThe body has alpha too.\n";
  assert.equal(passage(text, ["alpha"], { bodyStart: 21 }).at, text.lastIndexOf("alpha"));
  assert.equal(passage(text, ["zeta"], { bodyStart: 21 }).snippet, "The body has alpha too.");
  assert.equal(passage("", ["zeta"]).snippet, "");
});

Deno.test("bestPassage() cuts no character and keeps to its bytes in any script", () => {
  passage("🚀".repeat(500), ["🚀"]);
  passage(`${"系統".repeat(300)}図`, ["系統"]);
  passage(`${"x".repeat(3000)} alpha ${"y".repeat(3000)}`, ["alpha"]);
});
