import assert from "node:assert/strict";
import { fc, forAll, pageText } from "../../../tests/support/page_texts.ts";
import { dominantBreak, splitLines, withBreaks } from "../lines.ts";
import { mergeTexts } from "./merge.ts";

function merged(base: string, ours: string, theirs: string): unknown {
  const result = mergeTexts({ base, ours, theirs });
  return result.kind === "merged" ? result.text : result.conflicts;
}

Deno.test("mergeTexts() puts together what two sides did to different lines", () => {
  const cases: Array<[string, string, string, string]> = [
    ["a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"],
    ["* [ ] a\n* [ ] b\n", "* [x] a\n* [ ] b\n", "* [ ] a\n* [x] b\n", "* [x] a\n* [x] b\n"],
    ["a\nb\nc\n", "b\nc\n", "a\nb\nc\nd\n", "b\nc\nd\n"],
    ["a\nb\nc\n", "a\nx\nb\nc\n", "a\nb\nc\ny\n", "a\nx\nb\nc\ny\n"],
    ["a\n", "a\nb\n", "a\nb\n", "a\nb\n"],
    ["a\nb\n", "", "a\nb\n", ""],
    ["a\nb", "a\nB", "A\nb", "A\nB"],
    ["a\nb", "a\nb\n", "A\nb", "A\nb\n"],
    ["a\nb\n", "a\nb", "A\nb\n", "A\nb"],
    ["a\nb", "a\nb\nc", "A\nb", "A\nb\nc"],
    ["a\nb\nc\n", "x\nb\nc\ny\n", "a\nb1\nc\n", "x\nb1\nc\ny\n"],
  ];
  for (const [base, ours, theirs, expected] of cases) {
    assert.equal(merged(base, ours, theirs), expected, JSON.stringify([base, ours, theirs]));
  }
});

Deno.test("mergeTexts() keeps the line breaks and the byte order mark of the text that is there", () => {
  assert.equal(
    merged("a\r\nb\r\n", "a\nB\nc\n", "A\r\nb\r\n"),
    "A\r\nB\r\nc\r\n".replace("A\r\nB", "A\r\nB"),
  );
  assert.equal(merged("a\r\nb\r\nc\r\n", "a\nb\nC\n", "A\r\nb\r\nc\r\n"), "A\r\nb\r\nC\r\n");
  assert.equal(merged("\ufeffa\nb\nc\n", "x\nb\nc\n", "\ufeffa\nb\nC\n"), "\ufeffx\nb\nC\n");
  assert.equal(merged("a\n", "\ufeffa\nb\n", "a\n"), "a\nb\n");
});

Deno.test("mergeTexts() shows where both sides touched the same lines, and merges nothing", () => {
  assert.deepEqual(merged("a\nb\nc\n", "a\nX\nc\n", "0\na\nY\nc\n"), [{
    line: 3,
    base: "b",
    ours: "X",
    theirs: "Y",
  }]);
  assert.deepEqual(merged("a\n", "a\nx\n", "a\ny\n"), [{ line: 2, base: "", ours: "x", theirs: "y" }]);
  assert.deepEqual(merged("a\nb\n", "b\n", "A\nb\n"), [{ line: 1, base: "a", ours: "", theirs: "A" }]);
  assert.deepEqual(merged("", "x", "y"), [{ line: 1, base: "", ours: "x", theirs: "y" }]);
  const two = merged("a\nb\nc\nd\ne\n", "A\nb\nc\nd\nE\n", "1\nb\nc\nd\n2\n");
  assert.equal(Array.isArray(two) ? two.length : 0, 2);
});

/** A text made from another by replacing, removing and adding lines. */
function variantOf(text: string, changes: ReadonlyArray<readonly [number, string | null]>): string {
  const lineBreak = dominantBreak(text);
  const lines = text.split(/\r?\n/);
  for (const [at, line] of changes) {
    const index = at % Math.max(1, lines.length);
    if (line === null) lines.splice(index, 1);
    else if (at % 2 === 0) lines.splice(index, 0, line);
    else lines[index] = line;
  }
  return lines.join(lineBreak);
}

const changes = fc.array(fc.tuple(fc.nat(30), fc.constantFrom("new", "other", "", "- item", null)), {
  maxLength: 3,
});

Deno.test("mergeTexts() with one side unchanged is the other side, in the breaks that are there", () => {
  forAll(fc.tuple(pageText, changes), ([page, list]) => {
    // A lone carriage return at the very end cannot be told from half a break.
    const base = page.replace(/\r(?!\n)/g, "");
    const other = variantOf(base, list);
    assert.equal(merged(base, base, other), other);
    assert.equal(merged(base, other, other), other);
    const ours = merged(base, other, base);
    assert.equal(typeof ours, "string");
    const plain = (text: string) => withBreaks(text, "\n").replace(/^\ufeff/, "");
    assert.equal(plain(String(ours)), plain(other));
  });
});

Deno.test("mergeTexts() keeps every line that either side added and none that either removed", () => {
  const base = Array.from({ length: 12 }, (_, index) => `line ${index}\n`).join("");
  const edits = fc.array(fc.tuple(fc.nat(11), fc.constantFrom("added", "removed")), { maxLength: 3 });
  forAll(fc.tuple(edits, edits), ([mine, yours]) => {
    const apply = (list: typeof mine, who: string) => {
      const lines = splitLines(base).map((line) => base.slice(line.start, line.next));
      for (const [at, what] of list) lines[at] = what === "added" ? `${lines[at] ?? ""}${who} ${at}\n` : "";
      return lines.join("");
    };
    const [ours, theirs] = [apply(mine, "ours"), apply(yours, "theirs")];
    const result = mergeTexts({ base, ours, theirs });
    if (result.kind === "conflict") return;
    for (const line of [...ours.split("\n"), ...theirs.split("\n")]) {
      const added = !base.includes(`${line}\n`);
      if (added) assert.ok(result.text.includes(`${line}\n`), line);
    }
    for (const line of base.trimEnd().split("\n")) {
      const removed = !ours.includes(`${line}\n`) || !theirs.includes(`${line}\n`);
      assert.equal(result.text.split(`${line}\n`).length - 1, removed ? 0 : 1, line);
    }
  });
});

Deno.test("mergeTexts() gives up in time on texts with nothing in common", () => {
  const lines = (name: string) => Array.from({ length: 4000 }, (_, index) => `${name} ${index}\n`).join("");
  const started = performance.now();
  const result = mergeTexts({ base: lines("a"), ours: lines("b"), theirs: lines("c") });
  assert.equal(result.kind, "conflict");
  assert.ok(performance.now() - started < 5000);
});

Deno.test("mergeTexts() puts together any number of lines", () => {
  const base = "a\n".repeat(600_000);
  const result = mergeTexts({ base, ours: `b\n${base}`, theirs: `${"c\n".repeat(600_000)}d\n` });
  assert.equal(result.kind, "conflict");
});
