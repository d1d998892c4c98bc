import assert from "node:assert/strict";
import { append } from "../../../tests/support/edits.ts";
import { refusal, withNotes } from "../../../tests/support/notes.ts";

async function appended(
  page: string,
  content: string,
  section: string | null = null,
): Promise<string | null> {
  let result: string | null = null;
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
    await notes.append(caller(), append(content, { section }));
    result = store.text("A.md");
  });
  return result;
}

Deno.test("append() starts on a line of its own and ends as the page did", async () => {
  const cases: readonly (readonly [page: string, content: string, after: string])[] = [
    ["", "x", "x\n"],
    ["a", "x", "a\n\nx"],
    ["a\n", "x", "a\n\nx\n"],
    ["a\n\n\n", "x", "a\n\n\nx\n"],
    ["- a\n", "- b\n", "- a\n- b\n"],
    ["a\r\n", "x\ny", "a\r\n\r\nx\r\ny\r\n"],
    ["---\nk: v\n---\n", "x", "---\nk: v\n---\nx\n"],
    ["- [ ] a\n", "- [ ] b [[R]]", "- [ ] a\n- [ ] b [[R]]\n"],
  ];
  for (const [page, content, after] of cases) {
    assert.equal(await appended(page, content), after, JSON.stringify([page, content]));
  }
});

Deno.test("append() to a section adds at its end, before the next one, and repeats no heading", async () => {
  const page = "# A\n\na\n\n## B\n\nb\n\n# C\nc\n";
  assert.equal(await appended(page, "x", "B"), "# A\n\na\n\n## B\n\nb\n\nx\n\n# C\nc\n");
  assert.equal(await appended(page, "## B\nx", "A > B"), "# A\n\na\n\n## B\n\nb\n\nx\n\n# C\nc\n");
  assert.equal(await appended(page, "x", "# C"), "# A\n\na\n\n## B\n\nb\n\n# C\nc\n\nx\n");
  assert.equal(await appended("# A\n- a\n\n# B\n", "- x", "A"), "# A\n- a\n- x\n\n# B\n");
});

Deno.test("append() refuses an unknown or ambiguous section with those that there are", async () => {
  const files = { "A.md": "# Log\n# Log\n# Tasks\n" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.append(caller(), append("x", { section: "Task" })),
      refusal("no_match", (error) => {
        assert.match(error.remedy, /"Tasks"/);
        assert.deepEqual((error.details["sections"] as unknown[])[0], { section: "Tasks", line: 3 });
      }),
    );
    await assert.rejects(
      notes.append(caller(), append("x", { section: "Log" })),
      refusal("ambiguous", (error) => {
        assert.match(error.message, /2 sections are called "Log", in lines 1, 2/);
        assert.match(error.remedy, /"Log#1", "Log#2"/);
      }),
    );
    assert.equal(store.text("A.md"), files["A.md"]);
    await notes.append(caller(), append("x", { section: "Log#2" }));
    assert.equal(store.text("A.md"), "# Log\n# Log\n\nx\n\n# Tasks\n");
  });
});

Deno.test("append() refuses to add nothing, whatever white space it is made of", async () => {
  await withNotes({ files: { "A.md": "a\n" } }, async ({ notes, caller, store }) => {
    for (const content of ["", " ", "\n\n", "\t\r\n"]) {
      await assert.rejects(
        notes.append(caller(), append(content)),
        refusal("invalid_argument", ({ message }) => assert.match(message, /content must not be empty/)),
      );
    }
    assert.equal(store.text("A.md"), "a\n");
  });
});

Deno.test("append() takes 256 KB at once", async () => {
  const content = "0123456789abcde\n".repeat(16_000);
  assert.equal(await appended("a\n", content), `a\n\n${content}`);
});
