import assert from "node:assert/strict";
import { prepend } from "../../../tests/support/edits.ts";
import { refusal, withNotes } from "../../../tests/support/notes.ts";

Deno.test("prepend() goes after the frontmatter, or on top when that is asked for", async () => {
  const cases: readonly (readonly [page: string, after: string, top: string])[] = [
    ["", "x\n", "x\n"],
    ["a\n", "x\n\na\n", "x\n\na\n"],
    ["---\nk: v\n---\na\n", "---\nk: v\n---\nx\n\na\n", "x\n\n---\nk: v\n---\na\n"],
    ["---\nk: v\n---", "---\nk: v\n---\nx", "x\n\n---\nk: v\n---"],
    [
      "\ufeff---\r\nk: v\r\n---\r\na\r\n",
      "\ufeff---\r\nk: v\r\n---\r\nx\r\n\r\na\r\n",
      "\ufeffx\r\n\r\n---\r\nk: v\r\n---\r\na\r\n",
    ],
    ["----\na\n", "x\n\n----\na\n", "x\n\n----\na\n"],
    ["- a\n", "x\n\n- a\n", "x\n\n- a\n"],
  ];
  for (const [page, after, top] of cases) {
    for (const position of ["after_frontmatter", "top"] as const) {
      await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
        await notes.prepend(caller(), prepend("x", { position }));
        assert.equal(store.text("A.md"), position === "top" ? top : after, JSON.stringify([page, position]));
      });
    }
  }
});

Deno.test("prepend() goes on with a list that begins the page", async () => {
  await withNotes({ files: { "A.md": "- a\n" } }, async ({ notes, caller, store }) => {
    await notes.prepend(caller(), prepend("- x"));
    assert.equal(store.text("A.md"), "- x\n- a\n");
  });
});

Deno.test("prepend() warns of frontmatter that nothing closes and of text that swallows what follows", async () => {
  await withNotes({ files: { "A.md": "---\nopen\n", "B.md": "b\n" } }, async ({ notes, caller, store }) => {
    const open = await notes.prepend(caller(), prepend("x"));
    assert.match(String(open.warnings), /opens frontmatter that nothing closes/);
    assert.equal(store.text("A.md"), "x\n\n---\nopen\n");
    const fence = await notes.prepend(caller(), prepend("```\ncode", { page: "B" }));
    assert.match(String(fence.warnings), /leaves a code fence or comment open/);
    const closed = await notes.prepend(caller(), prepend("```\ncode\n```", { page: "B" }));
    assert.equal(closed.warnings, undefined);
  });
});

Deno.test("prepend() refuses to add nothing", async () => {
  await withNotes({ files: { "A.md": "a\n" } }, async ({ notes, caller }) => {
    await assert.rejects(notes.prepend(caller(), prepend(" \n")), refusal("invalid_argument"));
  });
});
