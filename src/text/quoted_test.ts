import assert from "node:assert/strict";
import { quoted } from "./quoted.ts";

Deno.test("quoted() keeps what is short to the letter and shows the beginning of what is long", () => {
  assert.equal(quoted('a "b"\n'), '"a \\"b\\"\\n"');
  assert.equal(quoted("x".repeat(120)), `"${"x".repeat(120)}"`);
  assert.equal(quoted("x".repeat(3_000_000)), `"${"x".repeat(120)}…"`);
  const cut = quoted(`${"x".repeat(119)}😀y`);
  assert(cut.isWellFormed() && cut.length < 130, "no half of a character is left");
});
