import assert from "node:assert/strict";
import { fc, forAll, pageText } from "../../../tests/support/page_texts.ts";
import { editSurvives } from "./surviving_edit.ts";

const j = JSON.stringify;

Deno.test("editSurvives() tells an edit that is still there from one that is not", () => {
  const cases: Array<[before: string, after: string, now: string, survives: boolean]> = [
    ["a\n", "a\nb\n", "a\nb\n", true],
    ["a\n", "a\nb\n", "a\nb\nc\n", true],
    ["a\n", "a\nb\n", "x\na\nb\n", true],
    ["a\n", "a\nb\n", "a\n", false],
    ["a\n", "a\nb\n", "a\nc\n", false],
    ["a\n", "a\nb\n", "a\nB\n", false],
    ["a\n", "a\nb\n", "", false],
    ["a\n", "a\nb\n", "A\nb\n", true],
    ["a\n", "a\nb\nc\n", "a\nb\nx\nc\n", true],
    ["a\nb\nc\n", "a\nc\n", "a\nc\nd\n", true],
    ["a\nb\nc\n", "a\nc\n", "a\nb\nc\n", false],
    ["a\nb\nc\n", "a\nc\n", "a\nb\nc\nd\n", false],
    ["- [ ] t\n", "- [x] t\n", "- [x] t\nmore\n", true],
    ["- [ ] t\n", "- [x] t\n", "- [ ] t\nmore\n", false],
    ["a\r\n", "a\r\nb\r\n", "a\nb\nc\n", true],
    ["", "x\n", "x\ny\n", true],
  ];
  for (const [before, after, now, survives] of cases) {
    assert.equal(editSurvives({ before, after, now }), survives, j([before, after, now]));
  }
});

Deno.test("editSurvives() never sees an edit in the text that it began with", () => {
  const lines = (text: string) => text.replaceAll("\r\n", "\n").replace(/\n$/, "");
  forAll(fc.tuple(pageText, pageText), ([before, after]) => {
    if (lines(before) === lines(after)) return;
    assert.equal(editSurvives({ before, after, now: before }), false);
  });
});

Deno.test("editSurvives() is quick for long texts that have nothing in common", () => {
  const lines = (word: string) => Array.from({ length: 20_000 }, (_, line) => `${word} ${line}\n`).join("");
  const started = performance.now();
  assert.equal(editSurvives({ before: lines("a"), after: lines("b"), now: lines("c") }), false);
  assert(performance.now() - started < 20_000);
});
