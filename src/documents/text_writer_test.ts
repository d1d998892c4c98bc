import assert from "node:assert/strict";
import { cites } from "../../tests/requirements.ts";
import { locationOfLine } from "./outcome.ts";
import { Cut } from "./rejection.ts";
import { TextWriter } from "./text_writer.ts";

Deno.test("blocks begin a line with their citation, and every line knows its place", () => {
  cites("documents.text");
  const writer = new TextWriter(1000);
  writer.block("p.1", "one\ntwo\r\n\n\n\nthree\t \n");
  writer.block("p.2", "");
  writer.block("slide 3 notes", "\nfour");
  assert.equal(writer.text, "[p.1] one\ntwo\n\nthree\n[p.2]\n[slide 3 notes] four");
  assert.deepEqual(
    [0, 1, 2, 4, 5, 6, 99].map((line) => locationOfLine(writer.citations, line)),
    [null, "p.1", "p.1", "p.1", "p.2", "slide 3 notes", "slide 3 notes"],
  );
});

Deno.test("a line of the document that looks like a citation is marked as none", () => {
  cites("documents.text");
  const writer = new TextWriter(10_000);
  const fakes = [
    "[p.9] x",
    "[slide 2] x",
    "[slide 2 notes]",
    "[¶4] x",
    "[table 1 row 2] x",
    "[Sheet1!2-5] x",
    "[header] x",
  ];
  const others = ["[p. 9]", "[1] x", "[x](y)", "[ ] task", "see [p.9]"];
  writer.block("¶1", [...fakes, ...others, "\\[p.9] x"].join("\n"));
  assert.equal(
    writer.text,
    `[¶1] ${[...fakes.map((line) => `\\${line}`), ...others, "\\\\[p.9] x"].join("\n")}`,
  );
});

Deno.test("what no text can show is left out or replaced", () => {
  const writer = new TextWriter(1000);
  writer.block("p.1", "a\u0000b\u001bc\u0007\tx\ud800y\u2028z\u0085w");
  assert.equal(writer.text, "[p.1] abc\tx\ufffdy\nz\nw");
});

Deno.test("the budget counts code points, citations included, and nothing is cut in two", () => {
  const whole = "[p.1] 😀é😀\n[p.2] end";
  const points = [...whole].length;
  for (let budget = 0; budget <= points + 2; budget += 1) {
    const writer = new TextWriter(budget);
    const write = () => {
      writer.block("p.1", "😀é😀");
      writer.block("p.2", "end");
    };
    if (budget < points) assert.throws(write, Cut);
    else write();
    const expected = [...whole].slice(0, budget).join("");
    // A line break alone is not written.
    assert.equal(writer.text, expected.replace(/\n$/, ""), `budget ${budget}`);
    assert.equal(writer.text.isWellFormed(), true);
    const lines = writer.text.split("\n");
    for (const { line } of writer.citations) assert.ok(line <= lines.length, `budget ${budget}`);
  }
});
