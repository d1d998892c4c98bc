import assert from "node:assert/strict";
import { readRequest, refusal, withNotes } from "../../tests/support/notes.ts";
import { cites } from "../../tests/requirements.ts";

function write(page: string, content: string, ifMatch: string | null = "*") {
  return { page, content, ifMatch, dryRun: false };
}

const lua = "```space-lua\nprint(1)\n```\n";

for (
  const [reason, text] of [
    ["space-lua", lua],
    ["space-style", "```space-style\nhtml {}\n```\n"],
    ["lua", "Now ${os.time()}\n"],
    ["baked", "<!--#lua query[[]]-->\nx\n<!--/lua-->\n"],
  ] as const
) {
  Deno.test(`an edit may not add or change ${reason}, but everything around it`, async () => {
    cites("notes.protected");
    await withNotes({ files: { "A.md": `one\n${text}two\n` } }, async ({ notes, caller, store }) => {
      await notes.overwrite(caller(), write("A", `ONE\n${text}TWO\n`));
      for (const other of [`ONE\n${text}${text}TWO\n`, `ONE\n${text.replace(/[1x{o]/, "9 ${1}")}TWO\n`]) {
        await assert.rejects(notes.overwrite(caller(), write("A", other)), refusal("protected"));
      }
      await assert.rejects(
        notes.create(caller(), { page: "B", content: `x\n${text}`, dryRun: false }),
        refusal("protected", (error) => {
          assert.equal(error.details["reason"], reason);
          assert.equal(error.details["line"], 2);
          assert.equal(error.status, 403);
        }),
      );
      const dry = { ...write("A", text + text), dryRun: true };
      await assert.rejects(notes.overwrite(caller(), dry), refusal("protected"));
      assert.equal(store.text("A.md"), `ONE\n${text}TWO\n`);
      assert.equal(store.text("B.md"), null);
      await notes.overwrite(caller(), write("A", "plain\n"));
    });
  });
}

for (const page of ["CONFIG", "config", "Library/Mine", "Library/Std/x", "library/Mine", "LIBRARY/x"]) {
  Deno.test(`nothing is written to ${page}`, async () => {
    await withNotes({ files: { [`${page}.md`]: "x" } }, async ({ notes, caller, store }) => {
      await assert.rejects(notes.overwrite(caller(), write(page, "y")), refusal("protected"));
      assert.equal(store.text(`${page}.md`), "x");
      await notes.remove(caller(), { page, permanent: false, ifMatch: null, dryRun: false });
      await assert.rejects(
        notes.create(caller(), { page, content: "y", dryRun: false }),
        refusal("protected"),
      );
      await notes.restore(caller(), { page, version: null, dryRun: false });
      assert.equal(store.text(`${page}.md`), "x");
    });
  });
}

Deno.test("the operator may allow protected content", async () => {
  await withNotes({ settings: { protectedContent: true } }, async ({ notes, caller, store }) => {
    await notes.create(caller(), { page: "CONFIG", content: lua, dryRun: false });
    assert.equal(store.text("CONFIG.md"), lua);
  });
});

Deno.test("what went with a deletion comes back with it, an older version with Lua does not", async () => {
  await withNotes({ files: { "A.md": lua } }, async ({ notes, caller, store }) => {
    await notes.remove(caller(), { page: "A", permanent: false, ifMatch: null, dryRun: false });
    await notes.restore(caller(), { page: "A", version: null, dryRun: false });
    assert.equal(store.text("A.md"), lua);
    const version = String((await notes.read(caller(), readRequest("A"))).info["etag"]);
    await notes.overwrite(caller(), write("A", "plain\n"));
    await notes.remove(caller(), { page: "A", permanent: false, ifMatch: null, dryRun: false });
    for (const dryRun of [true, false]) {
      await assert.rejects(notes.restore(caller(), { page: "A", version, dryRun }), refusal("protected"));
    }
    assert.equal(store.text("A.md"), null);
  });
});

Deno.test("a page that SilverBullet locked over a conflict is not written, but can be deleted", async () => {
  const hash = "0".repeat(64);
  const page = `a\n<<<<<<< SB sha256:${hash}\nx\n=======\ny\n>>>>>>> SB sha256:${hash}\n`;
  for (const protectedContent of [false, true]) {
    await withNotes(
      { files: { "A.md": page }, settings: { protectedContent } },
      async ({ notes, caller, store }) => {
        await assert.rejects(
          notes.overwrite(caller(), write("A", "mine")),
          refusal("protected", (error) => assert.equal(error.details["reason"], "conflict_markers")),
        );
        assert.equal(store.text("A.md"), page);
        await notes.remove(caller(), { page: "A", permanent: false, ifMatch: null, dryRun: false });
      },
    );
  }
});
