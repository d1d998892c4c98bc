import assert from "node:assert/strict";
import { findConflicts, isLocked, withSide } from "./conflict_markers.ts";

const hash = "0123456789abcdef".repeat(4);
const whole = `<<<<<<< SB sha256:${hash}
one
||||||| SB BASE sha256:${hash}
base
=======
two
>>>>>>> SB sha256:${hash}
`;
const git = "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> branch\n";

Deno.test("findConflicts() finds whole conflicts with both sides and the base", () => {
  const text = `a\n${whole}b\n${git}c\n`;
  const conflicts = findConflicts(text);
  assert.deepEqual(conflicts.map(({ origin, line }) => [origin, line]), [["silverbullet", 2], ["git", 10]]);
  const parts = conflicts.map(({ sides, start, end }) => {
    assert.ok(sides);
    const { first, base, second } = sides;
    return [first, base, second, { start, end }].map((range) => range && text.slice(range.start, range.end));
  });
  assert.deepEqual(parts, [["one\n", "base\n", "two\n", whole], ["one\n", null, "two\n", git]]);
});

Deno.test("isLocked() holds for SilverBullet's markers at the start of a line outside code", () => {
  const locked = [
    whole,
    `a\n${whole}`,
    "<<<<<<< SB sha256:abc\n",
    `\`\`\`\n${whole}\`\`\`\n`,
    whole.replaceAll("\n", "\r\n"),
    `---\na: 1\n---\n${whole}`,
    `- a\n\n<<<<<<< SB sha256:${hash}\n`,
  ];
  for (const text of locked) assert.ok(isLocked(text), JSON.stringify(text));
  const free = [
    git,
    "",
    "text <<<<<<< SB sha256:abc",
    " <<<<<<< SB sha256:abc",
    "```\n<<<<<<< SB sha256:<hash>\n```\n",
    "    <<<<<<< SB sha256:abc",
    "<<<<<<< SB\n",
    `~~~\n${whole.replaceAll(hash, "<hash>")}~~~\n`,
  ];
  for (const text of free) assert.ok(!isLocked(text), JSON.stringify(text));
});

Deno.test("findConflicts() takes no conflict of git for one that is not whole or quoted in code", () => {
  for (const text of ["<<<<<<< HEAD\none\n", "<<<<<<<< x\na\n=======\nb\n>>>>>>> y\n", "a\n=======\nb"]) {
    assert.deepEqual(findConflicts(text), [], text);
  }
  assert.ok(findConflicts(`\`\`\`\n${git}\`\`\`\n`)[0]?.inCode);
  assert.equal(findConflicts(`<<<<<<< HEAD\nopen\n${git}`).length, 1);
});

Deno.test("withSide() leaves one side of each whole conflict and every byte around", () => {
  const text = `a\n${whole}b\n${git}c`;
  assert.equal(withSide(text, findConflicts(text), "first"), "a\none\nb\none\nc");
  assert.equal(withSide(text, findConflicts(text), "second"), "a\ntwo\nb\ntwo\nc");
  const half = `${whole}<<<<<<< SB sha256:x\n`;
  assert.equal(withSide(half, findConflicts(half), "second"), "two\n<<<<<<< SB sha256:x\n");
});

Deno.test("findConflicts() is done with 300 KB of markers at once", () => {
  const started = performance.now();
  for (const part of ["<<<<<<< SB sha256:\n", "<<<<<<< a\n=======\n", "<<<<<<< a\n"]) {
    findConflicts(part.repeat(Math.ceil(100_000 / part.length)));
  }
  assert.ok(performance.now() - started < 4000);
});
