import assert from "node:assert/strict";
import type { SectionAction } from "../../text/markdown/section_edit.ts";
import { section } from "../../../tests/support/edits.ts";
import { refusal, withNotes } from "../../../tests/support/notes.ts";

const page = "# A\n\na\n\n## B ##\n\nb\n\n# C\n\nc\n";

Deno.test("patchSection() changes the section that is named and not a byte besides", async () => {
  const cases: readonly (readonly [SectionAction, string | null, string])[] = [
    ["replace", "x", "# A\n\na\n\n## B ##\n\nx\n\n# C\n\nc\n"],
    ["replace", "## B\n\nx", "# A\n\na\n\n## B ##\n\nx\n\n# C\n\nc\n"],
    ["replace", "", "# A\n\na\n\n## B ##\n\n\n# C\n\nc\n"],
    ["append", "x", "# A\n\na\n\n## B ##\n\nb\n\nx\n\n# C\n\nc\n"],
    ["prepend", "x", "# A\n\na\n\n## B ##\n\nx\n\nb\n\n# C\n\nc\n"],
    ["insert_before", "x", "# A\n\na\n\nx\n\n## B ##\n\nb\n\n# C\n\nc\n"],
    ["insert_after", "## D\nx", "# A\n\na\n\n## B ##\n\nb\n\n## D\nx\n\n# C\n\nc\n"],
    ["delete", null, "# A\n\na\n\n# C\n\nc\n"],
    ["rename", "D", "# A\n\na\n\n## D ##\n\nb\n\n# C\n\nc\n"],
    ["rename", "## D", "# A\n\na\n\n## D ##\n\nb\n\n# C\n\nc\n"],
  ];
  for (const [action, content, after] of cases) {
    for (const name of ["B", "## B", "A > B", "A > B#1"]) {
      await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
        await notes.patchSection(caller(), section(name, { action, content }));
        assert.equal(store.text("A.md"), after, `${action} ${name}`);
      });
    }
  }
});

Deno.test("patchSection() finds a heading that is written with its number signs, at any level", async () => {
  const files = { "A.md": "# Meetings\n### People\n- a\n" };
  for (const name of ["### People", "People", "Meetings > People"]) {
    await withNotes({ files }, async ({ notes, caller, store }) => {
      await notes.patchSection(caller(), section(name, { action: "append", content: "### People\n- b" }));
      assert.equal(store.text("A.md"), "# Meetings\n### People\n- a\n- b\n");
    });
  }
});

Deno.test("patchSection() never doubles a heading and never swallows one", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
    const refused = [
      section("B", { action: "insert_after", content: "## B\nagain" }),
      section("B", { action: "replace", content: "x\n\n## B\n\ny" }),
      section("B", { action: "append", content: "```\nopen" }),
      section("B", { action: "rename", content: "two\nlines" }),
    ];
    for (const request of refused) {
      await assert.rejects(
        notes.patchSection(caller(), request),
        refusal(
          "invalid_argument",
          ({ message }) => assert.match(message, /section "B" cannot be changed so: /),
        ),
      );
    }
    assert.equal(store.text("A.md"), page);
  });
});

Deno.test("patchSection() refuses unknown and ambiguous names with the candidates, their lines and names that fit", async () => {
  const files = { "A.md": "# A\n## Log\n# B\n## Log\n", "B.md": "no headings\n" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const rename = (name: string, more = {}) =>
      notes.patchSection(caller(), section(name, { action: "rename", content: "New", ...more }));
    await assert.rejects(
      rename("Log"),
      refusal("ambiguous", (error) => {
        assert.deepEqual(error.details["sections"], [
          { section: "A > Log", line: 2 },
          { section: "B > Log", line: 4 },
        ]);
      }),
    );
    await assert.rejects(
      rename("Logs"),
      refusal("no_match", (error) => assert.match(error.message, /no section "Logs" among its 4/)),
    );
    await assert.rejects(
      rename("Log", { page: "B" }),
      refusal("no_match", (error) => assert.match(error.remedy, /`append_to_page` without `section`/)),
    );
    await rename("B > Log");
    assert.equal(store.text("A.md"), "# A\n## Log\n# B\n## New\n");
  });
});

Deno.test("patchSection() takes no heading in code, frontmatter or comments for a section", async () => {
  const text = "---\n# A: 1\n---\n```\n# A\n```\n<!--\n# A\n-->\n# A\nx\n";
  await withNotes({ files: { "A.md": text } }, async ({ notes, caller, store }) => {
    await notes.patchSection(caller(), section("A", { action: "replace", content: "y" }));
    assert.equal(store.text("A.md"), text.replace(/x\n$/, "y\n"));
  });
});

Deno.test("patchSection() needs content where the action does", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller }) => {
    for (const action of ["append", "prepend", "insert_before", "insert_after", "rename"] as const) {
      for (const content of [null, "", " \n"]) {
        await assert.rejects(
          notes.patchSection(caller(), section("B", { action, content })),
          refusal("invalid_argument"),
        );
      }
    }
    await assert.rejects(
      notes.patchSection(caller(), section("B", { content: null })),
      refusal("invalid_argument"),
    );
    await assert.rejects(
      notes.patchSection(caller(), section(" ", { content: "x" })),
      refusal("invalid_argument"),
    );
  });
});
