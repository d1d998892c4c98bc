import { applyPatch } from "diff";
import assert from "node:assert/strict";
import { fc, forAll, pageText } from "../../../tests/support/page_texts.ts";
import { unifiedDiff } from "./diff.ts";
import { utf8Length } from "../utf8.ts";

const unlimited = { maxBytes: 1_000_000 };

Deno.test("unifiedDiff() of equal texts is empty and complete", () => {
  assert.deepEqual(unifiedDiff("a\n", "a\n", unlimited), { text: "", complete: true });
});

Deno.test("unifiedDiff() writes hunks with three lines of context", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n";
  const { text } = unifiedDiff(before, before.replace("5", "five"), {
    ...unlimited,
    names: { before: "A", after: "B" },
  });
  assert.equal(text, "--- A\n+++ B\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
});

Deno.test("unifiedDiff() shows line breaks and a missing last one as changes", () => {
  assert.equal(
    unifiedDiff("a\n", "a", unlimited).text,
    "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n",
  );
  assert.equal(unifiedDiff("a\n", "a\r\n", unlimited).text, "@@ -1 +1 @@\n-a\n+a\r\n");
  assert.equal(unifiedDiff("", "a\n", unlimited).text, "@@ -0,0 +1 @@\n+a\n");
  assert.equal(unifiedDiff("a\n", "", unlimited).text, "@@ -1 +0,0 @@\n-a\n");
});

Deno.test("unifiedDiff() that is complete turns the one text into the other", () => {
  forAll(fc.tuple(pageText, pageText), ([one, other]) => {
    // The library that applies patches takes a lone carriage return for a line break of its own.
    const [before, after] = [one.replace(/\r(?!\n)/g, ""), other.replace(/\r(?!\n)/g, "")];
    const { text, complete } = unifiedDiff(before, after, {
      ...unlimited,
      names: { before: "a", after: "b" },
    });
    assert.ok(complete);
    const applied = text === "" ? before : applyPatch(before, text, { autoConvertLineEndings: false });
    assert.equal(applied, after);
  });
});

Deno.test("unifiedDiff() stays within its bytes and says when it was cut", () => {
  forAll(fc.tuple(pageText, pageText, fc.nat(200)), ([before, after, maxBytes]) => {
    const whole = unifiedDiff(before, after, unlimited).text;
    const { text, complete } = unifiedDiff(before, after, { maxBytes });
    assert.ok(utf8Length(text) <= maxBytes && whole.startsWith(text));
    assert.equal(complete, text === whole);
  });
});

Deno.test("unifiedDiff() of two texts with nothing in common is given up in time, not in content", () => {
  const before = Array.from({ length: 5000 }, (_, index) => `old ${index}\n`).join("");
  const after = Array.from({ length: 5000 }, (_, index) => `new ${index}\n`).join("");
  const started = performance.now();
  const { text, complete } = unifiedDiff(before, after, unlimited);
  assert.ok(performance.now() - started < 5000);
  assert.ok(complete && text.includes("-old 4999\n") && text.includes("+new 4999\n"));
});

Deno.test("unifiedDiff() says of texts too long to compare only that they differ", () => {
  const long = "\n".repeat(4 * 1024 * 1024 + 1);
  assert.deepEqual(unifiedDiff(long, "a", { maxBytes: 100 }), { text: "", complete: false });
  assert.deepEqual(unifiedDiff("a", long, { maxBytes: 100 }), { text: "", complete: false });
  assert.deepEqual(unifiedDiff(long, long, { maxBytes: 100 }), { text: "", complete: true });
});
