import assert from "node:assert/strict";
import { frontmatter } from "../../../tests/support/edits.ts";
import { refusal, withNotes } from "../../../tests/support/notes.ts";

Deno.test("setFrontmatter() changes the value of a key and no other byte", async () => {
  const page = '---\n# comment\ntitle:   "A: b"   # why\ndate: 2026-01-02\r\ntags: [a,  b]\n---\n\n# A\n';
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
    const answer = await notes.setFrontmatter(caller(), frontmatter("tags: [c]"));
    assert.deepEqual(answer.keys, ["tags"]);
    assert.equal(store.text("A.md"), page.replace("[a,  b]", "[c]"));
    await notes.setFrontmatter(caller(), frontmatter("title: New"));
    assert.equal(store.text("A.md"), page.replace("[a,  b]", "[c]").replace('"A: b"', "New"));
  });
});

Deno.test("setFrontmatter() adds and removes keys, and makes frontmatter where there is none", async () => {
  await withNotes({ files: { "A.md": "text\n", "B.md": "---\na: 1\nb: 2\n---\ntext\n" } }, async (test) => {
    const { notes, caller, store } = test;
    await notes.setFrontmatter(caller(), frontmatter("status: done\nn: 1"));
    assert.equal(store.text("A.md"), "---\nstatus: done\nn: 1\n---\ntext\n");
    const both = frontmatter("c: 3", { page: "B", remove: ["a"] });
    assert.deepEqual((await notes.setFrontmatter(caller(), both)).keys, ["a", "c"]);
    assert.equal(store.text("B.md"), "---\nb: 2\nc: 3\n---\ntext\n");
  });
});

Deno.test("setFrontmatter() writes nothing where every key is as wanted", async () => {
  await withNotes({ files: { "A.md": "---\na: 1\n---\n" } }, async ({ notes, caller }) => {
    const answer = await notes.setFrontmatter(caller(), frontmatter("a: 1", { remove: ["b"] }));
    assert.equal(answer.unchanged, true);
    assert.deepEqual(answer.keys, []);
  });
});

Deno.test("setFrontmatter() refuses malformed frontmatter with the place, and never adds a second block", async () => {
  const files = { "A.md": "---\na: 1\nb: [x\n---\ntext\n", "B.md": "---\nopen\n" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.setFrontmatter(caller(), frontmatter("c: 1")),
      refusal("no_match", (error) => {
        assert.equal(error.details["reason"], "malformed_frontmatter");
        assert.equal(typeof error.details["line"], "number");
        assert.match(error.message, /cannot be read as YAML in line \d/);
      }),
    );
    await assert.rejects(
      notes.setFrontmatter(caller(), frontmatter("c: 1", { page: "B" })),
      refusal("no_match"),
    );
    await assert.rejects(
      notes.setFrontmatter(caller({ rights: { write: ["**"] } }), frontmatter("c: 1")),
      refusal("no_match", ({ message }) => assert.match(message, /as YAML in line \d; nothing was written$/)),
    );
    for (const [path, text] of Object.entries(files)) assert.equal(store.text(path), text);
  });
});

Deno.test("setFrontmatter() refuses arguments that mean nothing", async () => {
  await withNotes({ files: { "A.md": "x" } }, async ({ notes, caller, store }) => {
    const refused = [
      frontmatter(null),
      frontmatter("a: ]["),
      frontmatter("just words"),
      frontmatter("a: 1", { remove: ["a"] }),
    ];
    for (const request of refused) {
      await assert.rejects(notes.setFrontmatter(caller(), request), refusal("invalid_argument"));
    }
    assert.equal(store.text("A.md"), "x");
  });
});
