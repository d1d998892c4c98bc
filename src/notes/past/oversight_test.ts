import assert from "node:assert/strict";
import { type TestNotes, withNotes } from "../../../tests/support/notes.ts";
import { systemClock } from "../../core/clock.ts";
import type { DeletionsQuestion } from "./deletions.ts";
import type { ChangesQuestion, Oversight } from "./oversight.ts";

const day = 86_400_000;
const create = (page: string, content = "new\n") => ({ page, content, dryRun: false });
const write = (page: string, content: string) => ({ page, content, ifMatch: "*", dryRun: false });
const remove = (page: string) => ({ page, permanent: false, ifMatch: null, dryRun: false });
const move = (from: string, to: string) => ({ from, to, updateLinks: true, ifMatch: null, dryRun: false });
const undo = (change: string) => ({ change, ifMatch: null, dryRun: false });

/** Only the time of day is moved by hand. */
function calendar() {
  let time = 1_800_000_000_000;
  return {
    now: () => time,
    elapsed: systemClock.elapsed,
    sleep: systemClock.sleep,
    advance: (ms: number) => void (time += ms),
  };
}

function oversightOf({ notes }: TestNotes): Oversight {
  assert.ok(notes.oversight !== null);
  return notes.oversight;
}

function question(more: Partial<ChangesQuestion> = {}): ChangesQuestion {
  return { before: null, limit: 50, principal: null, page: null, ...more };
}

Deno.test("the owner sees the changes of everybody, newest first, with what changed, in parts", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async (test) => {
    const { notes, caller } = test;
    await notes.overwrite(caller({ id: "grant:1" }), write("A", "two\n"));
    await notes.create(caller({ id: "token:x" }), create("B"));
    await notes.remove(caller({ id: "grant:1" }), remove("B"));
    const oversight = oversightOf(test);
    const owner = caller({ id: "owner" });
    const { rows, older } = oversight.changes(owner, question());
    assert.deepEqual(rows.map(({ page, principal, entry: { action } }) => [page, principal, action]), [
      ["B", "grant:1", "delete"],
      ["B", "token:x", "create"],
      ["A", "grant:1", "write"],
    ]);
    assert.equal(older, null);
    assert.match(rows[2]?.entry.diff ?? "", /^-one\n\+two$/m);
    assert.deepEqual(rows.map(({ isFollowed, canUndo }) => [isFollowed, canUndo]), [
      [false, true],
      [true, true],
      [false, true],
    ]);
    const first = oversight.changes(owner, question({ limit: 2 }));
    assert.equal(first.rows.length, 2);
    const rest = oversight.changes(owner, question({ limit: 2, before: first.older }));
    assert.deepEqual(rest.rows.map(({ page }) => page), ["A"]);
    assert.equal(rest.older, null);
    assert.deepEqual(oversight.callers(10).toSorted(), ["grant:1", "token:x"]);
    assert.deepEqual(oversight.changedSince("grant:1", 0), { changed: 2, deleted: 1 });
  });
});

Deno.test("changes are found by who made them and by the page as somebody types it", async () => {
  await withNotes({}, async (test) => {
    const { notes, caller } = test;
    await notes.create(caller({ id: "grant:1" }), create("A"));
    await notes.create(caller({ id: "grant:2" }), create("Notes 1.2/x"));
    const pages = (more: Partial<ChangesQuestion>) =>
      oversightOf(test).changes(caller(), question(more)).rows.map(({ page }) => page);
    assert.deepEqual(pages({ principal: "grant:1" }), ["A"]);
    assert.deepEqual(pages({ page: "A" }), ["A"]);
    assert.deepEqual(pages({ page: "A.md" }), ["A"]);
    assert.deepEqual(pages({ page: "Notes 1.2/x" }), ["Notes 1.2/x"]);
    assert.deepEqual(pages({ page: " " }).length, 2);
    assert.deepEqual(pages({ page: "A", principal: "grant:2" }), []);
    assert.deepEqual(pages({ page: "../etc" }), []);
  });
});

Deno.test("a move is one row, undone as a whole, and on a page that followed it is that page's", async () => {
  await withNotes({ files: { "A.md": "x\n", "L.md": "[[A]]\n" } }, async (test) => {
    const { notes, caller } = test;
    const moved = await notes.move(caller({ id: "grant:1" }), move("A", "B"));
    const oversight = oversightOf(test);
    const [row, ...others] = oversight.changes(caller(), question()).rows;
    assert.deepEqual(others, []);
    assert.deepEqual([row?.page, row?.entry.action, row?.entry.moved_from, row?.entry.change], [
      "B",
      "move",
      "A",
      moved.change,
    ]);
    const [link] = oversight.changes(caller(), question({ page: "L" })).rows;
    assert.deepEqual([link?.page, link?.entry.action, link?.entry.change], ["L", "links", moved.change]);
    const found = oversight.find(caller(), moved.change ?? "");
    assert.deepEqual([found?.page, found?.canUndo], ["B", true]);
    await notes.undo(caller({ id: "owner" }), undo(moved.change ?? ""));
    assert.equal(oversight.find(caller(), moved.change ?? "")?.canUndo, false);
    assert.deepEqual(oversight.changes(caller(), question()).rows.map(({ principal }) => principal), [
      "owner",
      "grant:1",
    ]);
  });
});

Deno.test("what is hidden by now is left out, and what the caller may not read has no diff", async () => {
  await withNotes({ files: { "A.md": "secret words\n" } }, async (test) => {
    const { notes, caller } = test;
    const { change = "" } = await notes.overwrite(caller(), write("A", "other words\n"));
    const oversight = oversightOf(test);
    const hidden = caller({ hidden: ["A"] });
    assert.deepEqual(oversight.changes(hidden, question()).rows, []);
    assert.equal(oversight.find(hidden, change), null);
    const blind = oversight.changes(caller({ rights: { write: ["**"] } }), question());
    assert.equal(blind.rows.length, 1);
    assert.ok(!JSON.stringify(blind).includes("words"));
    assert.equal(oversight.find(caller(), "c000000000000"), null);
    assert.equal(oversight.find(caller(), "nonsense"), null);
  });
});

Deno.test("a large text is not compared for a list, so that looking takes no time", async () => {
  const large = `${"x".repeat(79)}\n`.repeat(4000);
  await withNotes({ files: { "A.md": large }, settings: { maxPageBytes: 2 ** 22 } }, async (test) => {
    const { notes, caller } = test;
    const { change = "" } = await notes.overwrite(caller(), write("A", `${large}end\n`));
    const oversight = oversightOf(test);
    const [row] = oversight.changes(caller(), question()).rows;
    assert.deepEqual([row?.entry.diff, row?.entry.diff_cut], [undefined, true]);
    assert.match(oversight.find(caller(), change)?.entry.diff ?? "", /^\+end$/m);
  });
});

Deno.test("deletions are those that can be had again: of the history and of the space's own trash folder", async () => {
  const files = {
    "A.md": "a\n",
    "B.md": "b\n",
    "C.md": "c\n",
    "_trash/2026-01/Old.md": "o\n",
    "_trash/readme.md": "no copy\n",
  };
  await withNotes({ files }, async (test) => {
    const { notes, caller, store } = test;
    const seen = async (who = caller()) => {
      const { rows, isPartial } = await oversightOf(test).deletions(who, { limit: 50 });
      assert.equal(isPartial, false);
      return rows.map(({ page, principal, copy }) => [page, principal, copy]).sort();
    };
    for (const page of ["A", "B", "C"]) await notes.remove(caller({ id: "grant:1" }), remove(page));
    const old = ["Old", null, "_trash/2026-01/Old.md"];
    assert.deepEqual(await seen(), [
      ["A", "grant:1", null],
      ["B", "grant:1", null],
      ["C", "grant:1", null],
      old,
    ]);
    await notes.restore(caller(), { page: "A", version: null, dryRun: false });
    store.put("B.md", "made anew elsewhere\n");
    assert.deepEqual(await seen(), [["C", "grant:1", null], old]);
    assert.deepEqual(await seen(caller({ hidden: ["C", "Old"] })), []);
  });
});

Deno.test("emptying the trash forgets what is old enough, for good, and nothing younger", async () => {
  const clock = calendar();
  const files = { "Old.md": "old words\n", "Young.md": "young words\n", "Back.md": "back words\n" };
  await withNotes({ files, clock }, async (test) => {
    const { notes, caller, store, state, audits } = test;
    await notes.overwrite(caller(), write("Old", "older words\n"));
    for (const page of ["Old", "Back"]) await notes.remove(caller(), remove(page));
    clock.advance(40 * day);
    await notes.remove(caller(), remove("Young"));
    await notes.restore(caller(), { page: "Back", version: null, dryRun: false });
    const before = clock.now() - 30 * day;
    assert.deepEqual(await notes.emptyTrash(caller({ id: "owner" }), { before }), {
      forgotten: 1,
      failed: 0,
      more: false,
    });
    const { rows } = await oversightOf(test).deletions(caller(), { limit: 50 });
    assert.deepEqual(rows.map(({ page }) => page), ["Young"]);
    assert.equal(store.text("Back.md"), "back words\n");
    const kept = state.db.prepare("SELECT count(*) AS n FROM texts").get()?.["n"];
    assert.equal(kept, 2, "of the young one and of the one that is back");
    assert.deepEqual(
      state.db.prepare("SELECT path, action, principal FROM changes WHERE path = 'Old.md'").all().map((
        row,
      ) => ({
        ...row,
      })),
      [{ path: "Old.md", action: "purge", principal: "owner" }],
    );
    assert.ok(
      audits.some(({ action, page, principal }) =>
        action === "purge" && page === "Old.md" && principal === "owner"
      ),
    );
    await notes.restore(caller(), { page: "Young", version: null, dryRun: false });
    assert.equal(store.text("Young.md"), "young words\n");
  });
});

Deno.test("emptying the trash takes old copies of the trash folder, and leaves a younger past of the same page", async () => {
  const clock = calendar();
  await withNotes(
    { files: { "_trash/2026-12/A.md": "first\n", "_trash/2026-12/B.md": "b\n" }, clock },
    async (test) => {
      const { notes, caller, store } = test;
      clock.advance(40 * day);
      await notes.create(caller(), create("A", "second\n"));
      await notes.remove(caller(), remove("A"));
      const before = clock.now() - 30 * day;
      assert.deepEqual(await notes.emptyTrash(caller(), { before }), {
        forgotten: 2,
        failed: 0,
        more: false,
      });
      assert.deepEqual((await store.list()).map(({ path }) => path), []);
      await notes.restore(caller(), { page: "A", version: null, dryRun: false });
      assert.equal(store.text("A.md"), "second\n");
    },
  );
});

Deno.test("emptying the trash takes the copies that deletions made, with all that is kept of the page", async () => {
  const clock = calendar();
  await withNotes({ files: { "A.md": "a\n" }, clock, settings: { trash: "space" } }, async (test) => {
    const { notes, caller, store, state } = test;
    await notes.remove(caller(), remove("A"));
    assert.equal((await store.list()).length, 1);
    clock.advance(1000);
    assert.deepEqual(await notes.emptyTrash(caller(), { before: clock.now() }), {
      forgotten: 1,
      failed: 0,
      more: false,
    });
    assert.deepEqual(await store.list(), []);
    assert.equal(state.db.prepare("SELECT count(*) AS n FROM texts").get()?.["n"], 0);
    assert.deepEqual((await oversightOf(test).deletions(caller(), { limit: 5 })).rows, []);
  });
});

Deno.test("nothing is emptied without the right to delete, or on a server that only reads", async () => {
  const clock = calendar();
  await withNotes({ files: { "A.md": "a\n" }, clock }, async (test) => {
    const { notes, caller } = test;
    await notes.remove(caller(), remove("A"));
    clock.advance(1000);
    const reader = caller({ rights: { read: ["**"] } });
    assert.deepEqual(await notes.emptyTrash(reader, { before: clock.now() }), {
      forgotten: 0,
      failed: 1,
      more: false,
    });
    assert.equal((await oversightOf(test).deletions(caller(), { limit: 5 })).rows.length, 1);
  });
  await withNotes({ settings: { readOnly: true } }, async ({ notes, caller }) => {
    await assert.rejects(notes.emptyTrash(caller(), { before: 1 }), { code: "read_only" });
  });
});

Deno.test("old deletions are found and emptied behind any number of young ones", async () => {
  const clock = calendar();
  await withNotes(
    { files: { "Old.md": "old\n", "Young.md": "y\n", "Younger.md": "y\n" }, clock },
    async (test) => {
      const { notes, caller } = test;
      await notes.remove(caller(), remove("Old"));
      clock.advance(40 * day);
      for (const page of ["Young", "Younger"]) await notes.remove(caller(), remove(page));
      const before = clock.now() - 30 * day;
      const found = async (question: DeletionsQuestion) => {
        const { rows, more } = await oversightOf(test).deletions(caller(), question);
        return [rows.map(({ page }) => page), more];
      };
      assert.deepEqual(await found({ limit: 1, before }), [["Old"], false]);
      assert.deepEqual(await found({ limit: 1 }), [["Younger"], true]);
      await notes.emptyTrash(caller(), { before });
      assert.deepEqual(await found({ limit: 5 }), [["Younger", "Young"], false]);
    },
  );
});
