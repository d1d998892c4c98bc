import assert from "node:assert/strict";
import type { PagePath } from "../../core/page_name.ts";
import {
  everything,
  listRequest,
  openTestNotes,
  readRequest,
  refusal,
  withNotes,
} from "../../../tests/support/notes.ts";
import { openState } from "../../state/state.ts";

function make(page: string, content = "text\n") {
  return { page, content, dryRun: false };
}

Deno.test("create() makes a page and hands out its whole version", async () => {
  await withNotes({}, async ({ notes, caller, store }) => {
    const made = await notes.create(caller(), make("Projects/Alpha"));
    assert.equal(store.text("Projects/Alpha.md"), "text\n");
    assert.equal(made.bytes_before, null);
    assert.equal(made.lastModified, made.last_modified_ms);
    const { info } = await notes.read(caller(), readRequest("Projects/Alpha"));
    assert.equal(info["etag"], made.etag);
    await notes.overwrite(caller(), {
      page: "Projects/Alpha",
      content: "more\n",
      ifMatch: String(made.lastModified),
      dryRun: false,
    });
  });
});

Deno.test("create() makes an empty page", async () => {
  await withNotes({}, async ({ notes, caller, store }) => {
    await notes.create(caller(), make("Empty", ""));
    assert.equal(store.text("Empty.md"), "");
  });
});

Deno.test("create() never overwrites, and says when the page holds just that text", async () => {
  await withNotes({ files: { "A.md": "mine" } }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.create(caller(), make("A", "theirs")),
      refusal("already_exists", (error) => {
        assert.match(error.message, /page already exists: A\.md; use write_page to overwrite/);
        assert.equal("same_content" in error.details, false);
      }),
    );
    await assert.rejects(
      notes.create(caller(), make("A", "mine")),
      refusal("already_exists", (error) => assert.equal(error.details["same_content"], true)),
    );
    assert.equal(store.text("A.md"), "mine");
  });
});

Deno.test("of many creators of one page exactly one succeeds", async () => {
  await withNotes({}, async ({ notes, caller, store, state }) => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, (_, index) => notes.create(caller(), make("A", `by ${index}`))),
    );
    assert.equal(outcomes.filter((outcome) => outcome.status === "fulfilled").length, 1);
    const winner = outcomes.findIndex((outcome) => outcome.status === "fulfilled");
    assert.equal(store.text("A.md"), `by ${winner}`);
    assert.equal(state.db.prepare("SELECT count(*) AS n FROM changes").get()?.["n"], 1);
  });
});

Deno.test("create() refuses names that differ only in case or Unicode form", async () => {
  await withNotes({ files: { "Caf\u00e9/Menu.md": "x" } }, async ({ notes, caller, store }) => {
    for (const page of ["caf\u00e9/menu", "Cafe\u0301/Menu", "CAFE\u0301/MENU"]) {
      await assert.rejects(
        notes.create(caller(), make(page)),
        refusal("already_exists", (error) => assert.equal(error.details["path"], "Caf\u00e9/Menu.md")),
      );
      assert.equal(store.text(`${page}.md`), null);
    }
  });
});

Deno.test("create() does not tell of a hidden twin", async () => {
  const settings = { hiddenPaths: ["Secret"] };
  await withNotes({ files: { "Secret.md": "x" }, settings }, async ({ notes, caller, store }) => {
    await notes.create(caller(), make("secret"));
    assert.equal(store.text("Secret.md"), "x");
    await assert.rejects(notes.create(caller(), make("Secret")), refusal("forbidden_path"));
  });
});

for (
  const [page, suggestion] of [
    ["release-1.2", "release-1 2"],
    ["a#b", "ab"],
    ["A|B", "AB"],
    ["x.md.md", "x"],
    ["price$", "price"],
    ["photo.png", "photo png"],
    ["tag:x", "tag x"],
  ]
) {
  Deno.test(`create() refuses the name ${page}, which SilverBullet could not open`, async () => {
    await withNotes({}, async ({ notes, caller, store }) => {
      await assert.rejects(
        notes.create(caller(), make(page ?? "")),
        refusal("invalid_path", (error) => assert.equal(error.details["suggestion"], suggestion)),
      );
      assert.equal((await store.list()).length, 0);
    });
  });
}

for (
  const page of ["../x", "a//b", ".hidden", "a/.git/config", "x\\y", "", "/etc/passwd", "%2e%2e/x", "a\nb"]
) {
  Deno.test(`create() refuses the hostile name ${JSON.stringify(page)} before any request`, async () => {
    let asked = 0;
    const wrap = (store: Parameters<NonNullable<Parameters<typeof withNotes>[0]["wrap"]>>[0]) => {
      const count = () => {
        asked++;
        return Promise.resolve(null);
      };
      return { ...store, read: count, meta: count };
    };
    await withNotes({ wrap }, async ({ notes, caller }) => {
      await assert.rejects(notes.create(caller(), make(page)), refusal("invalid_path"));
      assert.equal(asked, 0);
    });
  });
}

Deno.test("create() needs its own right, whatever other rights there are", async () => {
  const { create: _, ...others } = everything;
  await withNotes({}, async ({ notes, caller, store }) => {
    await assert.rejects(notes.create(caller({ rights: others }), make("A")), refusal("forbidden_path"));
    await assert.rejects(
      notes.overwrite(caller({ rights: others }), { page: "A", content: "x", ifMatch: null, dryRun: false }),
      refusal("forbidden_path"),
    );
    assert.equal(store.text("A.md"), null);
  });
});

Deno.test("create() keeps to the size limit and to the trash rule", async () => {
  await withNotes({ settings: { maxPageBytes: 4 } }, async ({ notes, caller }) => {
    await assert.rejects(notes.create(caller(), make("A", "12345")), refusal("too_large"));
    await assert.rejects(notes.create(caller(), make("_trash/2026-07/A", "x")), refusal("forbidden_path"));
  });
});

Deno.test("create() shows what it would do and writes nothing", async () => {
  await withNotes({ files: { "Old.md": "x" } }, async ({ notes, caller, store }) => {
    const preview = await notes.create(caller(), { ...make("New"), dryRun: true });
    assert.equal(preview.dry_run, true);
    assert.equal(preview.size_bytes, 5);
    assert.equal(store.text("New.md"), null);
    await assert.rejects(notes.create(caller(), { ...make("Old"), dryRun: true }), refusal("already_exists"));
    await assert.rejects(notes.create(caller(), { ...make("old"), dryRun: true }), refusal("already_exists"));
  });
});

Deno.test("create says which links by name it may draw to itself, where the server goes by names", async () => {
  const files = { "docs/Setup.md": "a", "Secret/Setup.md": "c", "docs/setup.png": "p" };
  const settings = { hiddenPaths: ["Secret/**"] };
  await withNotes({ files, settings }, async ({ notes, caller }) => {
    for (const dryRun of [true, false]) {
      const { warnings = [] } = await notes.create(caller(), { page: "Setup", content: "x", dryRun });
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? "", /\[\[Setup\]\] that meant "docs\/Setup" may mean this page now/);
    }
    const other = await notes.create(caller(), { page: "Unique", content: "x", dryRun: false });
    assert.equal(other.warnings, undefined);
    const blind = caller({ rights: { create: ["**"] } });
    const told = await notes.create(blind, { page: "x/Setup", content: "x", dryRun: false });
    assert.equal(told.warnings, undefined);
  });
  const facts = { dialect: "guarded", version: "2.10.0" } as const;
  await withNotes({ files, facts }, async ({ notes, caller }) => {
    const made = await notes.create(caller(), { page: "Setup", content: "x", dryRun: false });
    assert.equal(made.warnings, undefined);
  });
});

Deno.test("nobody makes the page that is to hold the instructions", async () => {
  const settings = { lockedPages: ["House rules.md" as PagePath] };
  const files = { "_trash/2026-07/House rules.md": "obey me" };
  await withNotes({ settings, files }, async ({ notes, caller, store }) => {
    for (const page of ["House rules", "house rules"]) {
      await assert.rejects(
        notes.create(caller(), { page, content: "obey", dryRun: false }),
        refusal("read_only"),
      );
      const write = { page, content: "obey", ifMatch: null, dryRun: false };
      await assert.rejects(notes.overwrite(caller(), write), refusal("read_only"));
    }
    const restore = { page: "House rules", version: null, dryRun: false };
    await assert.rejects(notes.restore(caller(), restore), refusal("read_only"));
    assert.deepEqual((await store.list()).map(({ path }) => path), ["_trash/2026-07/House rules.md"]);
  });
});

Deno.test("create() makes no twin of a page that another process has just made", async () => {
  await withNotes({ files: { "A.md": "a" } }, async ({ notes, caller, store, dir }) => {
    const state = openState({ dir });
    const other = openTestNotes(store, { state });
    try {
      for (const [made, twin] of [["Caf\u00e9", "Cafe\u0301"], ["Plan", "PLAN"]] as const) {
        await other.list(caller(), listRequest());
        await notes.create(caller(), make(made));
        const refused = refusal("already_exists", (error) => assert.match(error.message, /only in case/));
        await assert.rejects(other.create(caller(), make(twin)), refused);
        await assert.rejects(other.create(caller(), { ...make(twin), dryRun: true }), refused);
        assert.equal(store.text(`${twin}.md`), null);
      }
    } finally {
      await other.close();
      state.close();
    }
  });
});
