import assert from "node:assert/strict";
import { nearestLine } from "./nearest_line.ts";

const page = "# Plan\n\nBuy   milk and bread\n  * [ ] Call Bob\nNothing alike\n";

Deno.test("nearestLine() finds the line that was meant in spite of case, spaces and small slips", () => {
  assert.deepEqual(nearestLine(page, "buy milk and bread"), { line: 3, text: "Buy   milk and bread" });
  assert.equal(nearestLine(page, "\n* [x] call Bob\nmore")?.line, 4);
});

Deno.test("nearestLine() has nothing to say where nothing is alike", () => {
  assert.equal(nearestLine(page, "zzz qqq 123"), null);
  assert.equal(nearestLine(page, " \n "), null);
  assert.equal(nearestLine("", "a"), null);
});

Deno.test("nearestLine() cuts long lines between characters", () => {
  const shown = nearestLine("😀".repeat(300), "😀".repeat(300))?.text;
  assert.equal(shown, "😀".repeat(50));
});

Deno.test("nearestLine() looks at a bounded number of lines", () => {
  const far = `${"some other line\n".repeat(20_000)}the wanted line\n`;
  assert.notEqual(nearestLine(far, "the wanted line")?.line, 20_001);
  assert.equal(
    nearestLine(`${"some other line\n".repeat(19_999)}the wanted line\n`, "the wanted line")?.line,
    20_000,
  );
});
