import assert from "node:assert/strict";
import { forAll, pageText } from "../../tests/support/page_texts.ts";
import { foldWord, wordsOf } from "./words.ts";

Deno.test("wordsOf() finds words of any script, folded", () => {
  const cases: Array<[string, string[]]> = [
    ["Café naïve DON'T x2 3.5", ["cafe", "naive", "dont", "x2", "3", "5"]],
    ["系統カフェー test", ["系", "統", "カ", "フ", "ェ", "ー", "test"]],
    ["Straße ﬁne Ⅷ ＡＢ", ["strasse", "fine", "viii", "ab"]],
    ["e\u0301te\u0301 Ёлка İstanbul", ["ete", "елка", "istanbul"]],
    ["[[Page|alias]] #tag-a", ["page", "alias", "tag", "a"]],
    ["안녕하세요 세계", ["안녕하세요", "세계"]],
    ["  \n\0 😀", []],
  ];
  for (const [text, words] of cases) {
    assert.deepEqual(wordsOf(text).map((word) => word.text.normalize("NFC")), words, text);
  }
});

Deno.test("wordsOf() gives places that hold the word", () => {
  forAll(pageText, (text) => {
    let last = 0;
    for (const word of wordsOf(text)) {
      assert.ok(last <= word.start && word.start < word.end);
      last = word.end;
      assert.equal(foldWord(text.slice(word.start, word.end)), word.text);
    }
  });
});

Deno.test("foldWord() folds a folded word to itself", () => {
  forAll(pageText, (text) => assert.equal(foldWord(foldWord(text)), foldWord(text)));
});
