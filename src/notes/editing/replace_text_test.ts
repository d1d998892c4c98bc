import assert from "node:assert/strict";
import { replace } from "../../../tests/support/edits.ts";
import { refusal, withNotes } from "../../../tests/support/notes.ts";

Deno.test("replace() takes both texts literally, whatever they look like to a pattern", async () => {
  const odd = [
    "$& $1 $$ $` $'",
    ".*+?^${}()|[\\]".replace("${}", "{}"),
    "\0",
    "😀👩‍💻",
    "\u200f\u202e",
    "\\n",
    "\u2028",
  ];
  for (const text of odd) {
    await withNotes({ files: { "A.md": `a ${text} b\n` } }, async ({ notes, caller, store }) => {
      const found = await notes.replace(caller(), replace(text, `<${text}>`));
      assert.equal(store.text("A.md"), `a <${text}> b\n`);
      assert.equal(found.replaced, 1);
      await notes.replace(caller(), replace("a <", text));
      assert.equal(store.text("A.md"), `${text}${text}> b\n`);
    });
  }
});

Deno.test("replace() finds white space and line breaks too", async () => {
  await withNotes({ files: { "A.md": "a\n\n\nb  \n" } }, async ({ notes, caller, store }) => {
    await notes.replace(caller(), replace("\n\n\n", "\n\n"));
    await notes.replace(caller(), replace("  ", ""));
    assert.equal(store.text("A.md"), "a\n\nb\n");
  });
  await withNotes({ files: { "A.md": "a\r\nb\r\n" } }, async ({ notes, caller, store }) => {
    await notes.replace(caller(), replace("a\nb", "c\nd"));
    assert.equal(store.text("A.md"), "c\r\nd\r\n");
  });
});

Deno.test("replace() without a match shows the nearest line and the number of matches", async () => {
  await withNotes({ files: { "A.md": "# Title\nThe quick brown fox\n" } }, async ({ notes, caller }) => {
    await assert.rejects(
      notes.replace(caller(), replace("The quick  brown fox", "x")),
      refusal("no_match", (error) => {
        assert.match(
          error.message,
          /find not found in body: 0 matches; most like it is line 2: "The quick brown fox"/,
        );
        assert.deepEqual(error.details["nearest"], { line: 2, text: "The quick brown fox" });
      }),
    );
  });
});

Deno.test("replace() with several matches says how many and where, and takes them all when told", async () => {
  await withNotes({ files: { "A.md": "aa a\nb\na\n" } }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.replace(caller(), replace("a", "x")),
      refusal("ambiguous", (error) => {
        assert.match(error.message, /find matched 4 times, in lines 1, 1, 1, 3/);
        assert.match(error.remedy, /`replace_all`/);
      }),
    );
    const all = await notes.replace(caller(), replace("a", "x", { all: true }));
    assert.equal(all.replaced, 4);
    assert.equal(store.text("A.md"), "xx x\nb\nx\n");
  });
});

Deno.test("replace() makes all edits of a batch against the text as it was, or none", async () => {
  await withNotes({ files: { "A.md": "one two three\n" } }, async ({ notes, caller, store }) => {
    const edits = (...pairs: (readonly [string, string])[]) =>
      replace("", "", { edits: pairs.map(([find, replace]) => ({ find, replace })) });
    await notes.replace(caller(), edits(["one", "two"], ["two", "one"]));
    assert.equal(store.text("A.md"), "two one three\n");
    const before = store.text("A.md");
    await assert.rejects(
      notes.replace(caller(), edits(["two", "x"], ["four", "y"])),
      refusal(
        "no_match",
        ({ message }) => assert.match(message, /edit 2 of 2\); none of the edits was made/),
      ),
    );
    await assert.rejects(
      notes.replace(caller(), edits(["two one", "x"], ["one three", "y"])),
      refusal(
        "invalid_argument",
        ({ message }) => assert.match(message, /edits 1 and 2 both want to change/),
      ),
    );
    await assert.rejects(notes.replace(caller(), edits()), refusal("invalid_argument"));
    await assert.rejects(
      notes.replace(caller(), edits(["two", "x"], ["", "y"])),
      refusal("invalid_argument"),
    );
    const many = Array.from({ length: 201 }, () => ["two", "x"] as const);
    await assert.rejects(notes.replace(caller(), edits(...many)), refusal("invalid_argument"));
    assert.equal(store.text("A.md"), before);
  });
});

Deno.test("replace() refuses an empty find", async () => {
  await withNotes({ files: { "A.md": "a" } }, async ({ notes, caller }) => {
    await assert.rejects(
      notes.replace(caller(), replace("", "x")),
      refusal("invalid_argument", ({ message }) => assert.match(message, /find must not be empty/)),
    );
  });
});

Deno.test("replace() is quick on pages and texts that are made to be slow", async () => {
  const files = { "A.md": "a".repeat(200_000) };
  await withNotes({ files }, async ({ notes, caller }) => {
    const started = performance.now();
    await assert.rejects(
      notes.replace(caller(), replace(`${"a".repeat(50_000)}b`, "x")),
      refusal("no_match"),
    );
    await assert.rejects(notes.replace(caller(), replace("a".repeat(50_000), "x")), refusal("ambiguous"));
    assert(performance.now() - started < 20_000);
  });
});
