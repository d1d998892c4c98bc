import assert from "node:assert/strict";
import { countInvisible, visibly } from "./invisible.ts";

Deno.test("countInvisible() counts what a reader cannot see and what reorders text", () => {
  const cases: Array<[string, number, number]> = [
    ["plain text\twith\r\nbreaks", 0, 0],
    ["Grüße, 日本語, עברית, 😀 👩‍👩‍👧‍👦 ❤️ 👍🏽 1️⃣", 0, 0],
    ["zero\u200bwidth\u2060", 2, 0],
    ["\ufefftext", 1, 0],
    ["soft\u00adhyphen\u034f", 2, 0],
    ["tags \u{e0041}\u{e0042}\u{e007f}", 3, 0],
    ["variation\u{e0100}selectors\ufe00", 2, 0],
    ["bidi \u202eevil\u202c \u2066x\u2069 \u200f", 0, 5],
    ["\0\u001b[31m\u0085", 3, 0],
    ["fillers \u3164\u115f\uffa0", 3, 0],
    ["joiner between a\u200db", 1, 0],
  ];
  for (const [text, invisible, bidi] of cases) {
    assert.deepEqual(countInvisible(text), { invisible, bidi }, JSON.stringify(text));
  }
});

Deno.test("visibly() names what countInvisible() counts, and leaves everything else as it is", () => {
  const cases: Array<[string, string]> = [
    ["plain text\twith\r\nbreaks", "plain text\twith\r\nbreaks"],
    ["Grüße, עברית, 👩‍👩‍👧‍👦 ❤️ 1️⃣", "Grüße, עברית, 👩‍👩‍👧‍👦 ❤️ 1️⃣"],
    ["bidi \u202eevil\u202c", "bidi <U+202E>evil<U+202C>"],
    ["\u200bzero\u200b\u{e0041}", "<U+200B>zero<U+200B><U+E0041>"],
    ["a\0", "a<U+0000>"],
    ["", ""],
  ];
  for (const [text, seen] of cases) {
    const shown = visibly(text).map(({ text, isMark }) => isMark ? `<${text}>` : text).join("");
    assert.equal(shown, seen);
  }
});

Deno.test("countInvisible() takes 300 KB of anything in stride", () => {
  const started = performance.now();
  for (const part of ["\u200b", "👩‍", "a\u200d", "\u202e\ufe0f"]) countInvisible(part.repeat(100_000));
  assert.ok(performance.now() - started < 4000);
});
