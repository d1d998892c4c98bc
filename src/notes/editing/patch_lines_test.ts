import assert from "node:assert/strict";
import { lines } from "../../../tests/support/edits.ts";
import { refusal, withNotes } from "../../../tests/support/notes.ts";

const page = "a\nb\nc\n";

async function patched(text: string, ...given: Parameters<typeof lines>): Promise<string | null> {
  let result: string | null = null;
  await withNotes({ files: { "A.md": text } }, async ({ notes, caller, store }) => {
    await notes.patchLines(caller(), lines(...given));
    result = store.text("A.md");
  });
  return result;
}

Deno.test("patchLines() replaces, deletes and inserts whole lines", async () => {
  assert.equal(await patched(page, 2, 2, { content: "x" }), "a\nx\nc\n");
  assert.equal(await patched(page, 1, 3, { content: "x\ny\n" }), "x\ny\n");
  assert.equal(await patched(page, 2, 3), "a\n");
  assert.equal(await patched(page, 2, 1, { content: "x" }), "a\nx\nb\nc\n");
  assert.equal(await patched(page, 4, 3, { content: "x" }), "a\nb\nc\nx\n");
  assert.equal(await patched("", 1, 0, { content: "x" }), "x\n");
  assert.equal(await patched("a\r\nb", 2, 2, { content: "x\ny" }), "a\r\nx\r\ny");
  assert.equal(await patched("a\u2028b\rc\nd\n", 2, 2, { content: "x" }), "a\u2028b\rc\nx\n");
});

Deno.test("patchLines() refuses ranges that are none, with the number of lines", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
    const bad = [
      [0, 1, /start_line must be >= 1/],
      [3, 1, /end_line \(1\) must be >= start_line \(3\)/],
      [4, 4, /line range 4\.\.4 out of bounds for page with 3 lines/],
      [2, 9, /line range 2\.\.9 out of bounds for page with 3 lines/],
      [5, 4, /line range 5\.\.4 out of bounds for page with 3 lines/],
    ] as const;
    for (const [start, end, words] of bad) {
      await assert.rejects(
        notes.patchLines(caller(), lines(start, end, { content: "x" })),
        refusal("invalid_argument", ({ message }) => assert.match(message, words)),
      );
    }
    assert.equal(store.text("A.md"), page);
  });
});

Deno.test("patchLines() makes the edit only where the expected text is", async () => {
  assert.equal(await patched(page, 2, 2, { content: "x", expect: "b" }), "a\nx\nc\n");
  assert.equal(await patched("a\r\nb\r\n", 1, 2, { content: "x", expect: "a\nb\n" }), "x\r\n");
  assert.equal(await patched("a\n\nb\n", 2, 2, { content: "x", expect: "" }), "a\nx\nb\n");
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.patchLines(caller(), lines(2, 2, { content: "x", expect: "c" })),
      refusal("no_match", (error) => {
        assert.match(
          error.message,
          /line 2 does not hold the text given as `expect`; the expected text begins in line 3/,
        );
        assert.deepEqual([error.details["actual"], error.details["found_at"]], ["b\n", 3]);
      }),
    );
    await assert.rejects(
      notes.patchLines(caller(), lines(2, 2, { content: "x", expect: "B" })),
      refusal("no_match", ({ details }) => assert.equal("found_at" in details, false)),
    );
    assert.equal(store.text("A.md"), page);
  });
});

Deno.test("patchLines() takes as expected, where it inserts, what will stand below", async () => {
  assert.equal(await patched(page, 2, 1, { content: "x", expect: "b" }), "a\nx\nb\nc\n");
  assert.equal(await patched(page, 2, 1, { content: "x", expect: "b\nc\n" }), "a\nx\nb\nc\n");
  assert.equal(await patched(page, 2, 1, { content: "x", expect: "" }), "a\nx\nb\nc\n");
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
    for (const [start, expect] of [[2, "c"], [4, "c"], [2, "b\nc\nd"]] as const) {
      await assert.rejects(
        notes.patchLines(caller(), lines(start, start - 1, { content: "x", expect })),
        refusal("no_match"),
      );
    }
    assert.equal(store.text("A.md"), page);
  });
});
