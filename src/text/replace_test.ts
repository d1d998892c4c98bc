import assert from "node:assert/strict";
import { contentText, fc, forAll, pageText } from "../../tests/support/page_texts.ts";
import { replaceLiterally, type Replacement } from "./replace.ts";

function replaced(page: string, edits: readonly Replacement[], all = false): unknown {
  const result = replaceLiterally(page, edits, { all });
  return result.kind === "replaced" ? result.text : result;
}

Deno.test("replaceLiterally() takes what is sought and what comes for text and nothing else", () => {
  const literal = [
    "$&",
    "$1",
    "$$",
    "$`",
    "\\1",
    ".*",
    "a|b",
    "^",
    "(?:",
    "[a-z]",
    "\0",
    "👩‍💻",
    "\u200f",
    "e\u0301",
  ];
  for (const find of literal) {
    for (const replace of literal) {
      assert.equal(replaced(`x ${find} y`, [{ find, replace }]), `x ${replace} y`);
    }
  }
  assert.equal(replaced("ab", [{ find: "b", replace: "" }]), "a");
});

Deno.test("replaceLiterally() matches every edit against the text as it was", () => {
  assert.equal(replaced("a b", [{ find: "a", replace: "b" }, { find: "b", replace: "a" }]), "b a");
  assert.equal(replaced("aXb", [{ find: "X", replace: "" }, { find: "b", replace: "c" }]), "ac");
  assert.deepEqual(replaced("abc", [{ find: "ab", replace: "" }, { find: "bc", replace: "" }]), {
    kind: "overlap",
    edits: [0, 1],
    line: 1,
  });
});

Deno.test("replaceLiterally() says how often and where a text is found that is not unique", () => {
  assert.deepEqual(replaced("a\na\nba", [{ find: "a", replace: "x" }]), {
    kind: "ambiguous",
    edit: 0,
    count: 3,
    lines: [1, 2, 3],
  });
  // Overlapping places leave open which one is meant.
  assert.deepEqual(replaced("aaa", [{ find: "aa", replace: "x" }]), {
    kind: "ambiguous",
    edit: 0,
    count: 2,
    lines: [1, 1],
  });
  assert.equal(replaced("aaaaa", [{ find: "aa", replace: "x" }], true), "xxa");
  assert.deepEqual(replaceLiterally("a a", [{ find: "a", replace: "b" }], { all: true }), {
    kind: "replaced",
    text: "b b",
    count: 2,
  });
});

Deno.test("replaceLiterally() shows the nearest line where nothing is found", () => {
  assert.deepEqual(replaced("one\nBuy  Milk\n", [{ find: "buy milk", replace: "" }]), {
    kind: "no_match",
    edit: 0,
    near: { line: 2, text: "Buy  Milk" },
  });
  assert.deepEqual(replaced("", [{ find: "a", replace: "b" }]), { kind: "no_match", edit: 0, near: null });
  assert.deepEqual(replaced("a", [{ find: "", replace: "b" }]), { kind: "empty_find", edit: 0 });
  assert.deepEqual(replaced("😀", [{ find: "\ud83d", replace: "b" }]), {
    kind: "no_match",
    edit: 0,
    near: null,
  });
});

Deno.test("replaceLiterally() finds lines whatever their breaks and writes the page's own", () => {
  assert.equal(replaced("a\r\nb\r\nc\r\n", [{ find: "a\nb", replace: "x\ny" }]), "x\r\ny\r\nc\r\n");
  assert.equal(replaced("a\nb\n", [{ find: "a\r\nb", replace: "x\r\ny" }]), "x\ny\n");
  assert.equal(replaced("a\r\nb\r\n", [{ find: "a", replace: "x\ny" }]), "x\r\ny\r\nb\r\n");
  assert.equal(replaced("a\r\nb\nc\r\n", [{ find: "b\nc\n", replace: "" }]), "a\r\n");
  // A caller who names breaks that are there rules over them.
  assert.equal(replaced("a\r\nb\r\n", [{ find: "\r\n", replace: "\n" }], true), "a\nb\n");
});

Deno.test("replaceLiterally() changes nothing outside the place that was found", () => {
  forAll(
    fc.tuple(pageText, contentText, fc.nat(100), fc.integer({ min: 1, max: 20 })),
    ([page, replace, at, length]) => {
      const find = page.slice(at, at + length);
      const result = replaceLiterally(page, [{ find, replace }], { all: false });
      if (result.kind !== "replaced") {
        return assert.ok(
          ["ambiguous", "empty_find", "no_match"].includes(result.kind),
        );
      }
      assert.ok(result.text.startsWith(page.slice(0, at)) && result.text.endsWith(page.slice(at + length)));
    },
  );
});

Deno.test("replaceLiterally() and back gives the page again", () => {
  forAll(fc.tuple(pageText, fc.nat(100), fc.integer({ min: 1, max: 20 })), ([page, at, length]) => {
    const find = page.slice(at, at + length);
    const there = replaceLiterally(page, [{ find, replace: "\u0001unique\u0001" }], { all: false });
    if (there.kind !== "replaced" || find.includes("\n")) return;
    assert.equal(replaced(there.text, [{ find: "\u0001unique\u0001", replace: find }]), page);
  });
});
