import assert from "node:assert/strict";
import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { MemoryStore } from "../../silverbullet/memory_store.ts";
import { cites } from "../../../tests/requirements.ts";
import { everything, refusal, withNotes } from "../../../tests/support/notes.ts";

type Test = Parameters<Parameters<typeof withNotes>[1]>[0];

function undo(change: string | null = null, more: { ifMatch?: string; dryRun?: boolean } = {}) {
  return { change, ifMatch: more.ifMatch ?? null, dryRun: more.dryRun ?? false };
}

function write(page: string, content: string) {
  return { page, content, ifMatch: "*", dryRun: false };
}

function remove(page: string) {
  return { page, permanent: false, ifMatch: null, dryRun: false };
}

function move(from: string, to: string) {
  return { from, to, updateLinks: true, ifMatch: null, dryRun: false };
}

async function texts(store: MemoryStore): Promise<Record<string, string | null>> {
  return Object.fromEntries((await store.list()).map(({ path }) => [path, store.text(path)]));
}

Deno.test("undo brings back what was there, byte for byte, and can be undone itself", async () => {
  cites("notes.undo");
  const first = "\ufeffone\r\ntwo";
  await withNotes({ files: { "A.md": first } }, async ({ notes, caller, store }) => {
    await notes.overwrite(caller(), write("A", "new text\n"));
    const back = await notes.undo(caller(), undo());
    assert.equal(store.text("A.md"), first);
    assert.match(back.change ?? "", /^c/);
    await notes.undo(caller(), undo(back.change ?? ""));
    assert.equal(store.text("A.md"), "new text\n");
  });
});

Deno.test("undo without an id walks back through this caller's own changes, one by one", async () => {
  await withNotes({ files: { "A.md": "0\n", "B.md": "0\n" } }, async ({ notes, caller, store }) => {
    const other = caller({ id: "token:other" });
    await notes.overwrite(caller(), write("A", "1\n"));
    await notes.overwrite(caller(), write("B", "1\n"));
    await notes.overwrite(other, write("B", "2\n"));
    await notes.overwrite(caller(), write("A", "2\n"));
    await notes.undo(caller(), undo());
    assert.equal(store.text("A.md"), "1\n");
    await assert.rejects(notes.undo(caller(), undo()), refusal("conflict"));
    assert.equal(store.text("B.md"), "2\n");
    await notes.undo(other, undo());
    await notes.undo(caller(), undo());
    assert.equal(store.text("B.md"), "0\n");
    await notes.undo(caller(), undo());
    assert.equal(store.text("A.md"), "0\n");
    await assert.rejects(notes.undo(caller(), undo()), refusal("not_found"));
  });
});

Deno.test("undo keeps every later edit of other lines", async () => {
  await withNotes({ files: { "A.md": "one\ntwo\nthree\n" } }, async ({ notes, caller, store }) => {
    const { change = "" } = await notes.overwrite(caller(), write("A", "ONE\ntwo\nthree\n"));
    store.put("A.md", "ONE\ntwo\nthree, by hand\nfour\n");
    const preview = await notes.undo(caller(), undo(change, { dryRun: true }));
    assert.equal(store.text("A.md"), "ONE\ntwo\nthree, by hand\nfour\n");
    await notes.undo(
      caller(),
      undo(change, { ifMatch: "if_match" in preview ? preview.if_match ?? "" : "" }),
    );
    assert.equal(store.text("A.md"), "one\ntwo\nthree, by hand\nfour\n");
  });
});

Deno.test("undo never clobbers: later edits of the same lines refuse it, with both sides", async () => {
  await withNotes({ files: { "A.md": "one\ntwo\n" } }, async ({ notes, caller, store }) => {
    const { change = "" } = await notes.overwrite(caller(), write("A", "ONE\ntwo\n"));
    store.put("A.md", "Uno\ntwo\n");
    await assert.rejects(
      notes.undo(caller(), undo(change)),
      refusal("conflict", (error) => {
        assert.deepEqual(error.details["hunks"], [
          { line: 1, changed_to: "ONE", was: "one", is_now: "Uno" },
        ]);
      }),
    );
    const { read: _, ...blind } = everything;
    await assert.rejects(
      notes.undo(caller({ rights: blind }), undo(change)),
      refusal("conflict", (error) => assert(!JSON.stringify([error.message, error.details]).includes("Uno"))),
    );
    assert.equal(store.text("A.md"), "Uno\ntwo\n");
  });
});

Deno.test("undo holds for the version that was shown, and for no other", async () => {
  await withNotes({ files: { "A.md": "one\ntwo\n" } }, async ({ notes, caller, store }) => {
    const { change = "" } = await notes.overwrite(caller(), write("A", "ONE\ntwo\n"));
    const preview = await notes.undo(caller(), undo(change, { dryRun: true }));
    const ifMatch = "if_match" in preview ? preview.if_match ?? "" : "";
    store.put("A.md", "ONE\ntwo\nthree\n");
    await assert.rejects(notes.undo(caller(), undo(change, { ifMatch })), refusal("conflict"));
    assert.equal(store.text("A.md"), "ONE\ntwo\nthree\n");
  });
});

Deno.test("undo of a new page deletes it while it is unchanged, and never after", async () => {
  await withNotes({}, async ({ notes, caller, store }) => {
    const make = { page: "New", content: "text", dryRun: false };
    const { change = "" } = await notes.create(caller(), make);
    store.put("New.md", "text and more");
    await assert.rejects(notes.undo(caller(), undo(change)), refusal("conflict"));
    store.put("New.md", "text");
    const gone = await notes.undo(caller(), undo(change));
    assert.equal(store.text("New.md"), null);
    assert("deleted" in gone && gone.deleted);
    await assert.rejects(notes.undo(caller(), undo(change)), refusal("conflict"));
    await notes.undo(caller(), undo(gone.change ?? ""));
    assert.equal(store.text("New.md"), "text");
  });
});

Deno.test("undo of a deletion brings the page back, over nothing", async () => {
  const bytes = new Uint8Array([0, 255, 1, 254]);
  for (const trash of ["history", "space"] as const) {
    await withNotes({ files: { "a.png": bytes }, settings: { trash } }, async ({ notes, caller, store }) => {
      const gone = await notes.remove(caller(), remove("a.png"));
      store.put("a.png", "another");
      await assert.rejects(notes.undo(caller(), undo(gone.change ?? "")), refusal("already_exists"));
      store.remove("a.png");
      await notes.undo(caller(), undo());
      assert.deepEqual((await store.read("a.png" as PagePath))?.bytes, bytes);
      assert.equal((await store.list()).length, 1);
      await assert.rejects(notes.undo(caller(), undo(gone.change ?? "")), refusal("conflict"));
    });
  }
});

Deno.test("undo of a move brings the page, its links and every other byte back", async () => {
  const files = {
    "Old.md": "\ufeff[[Old#x]] [r](B)\r\n",
    "A.md": "one [[Old|a]]\r\n[t](<Old.md>) `[[Old]]`\n",
    "F/B.md": '---\nup: "[[Old]]"\n---\n![[Old]]',
    "Setup.md": "s",
    "x/Home.md": "[[Setup]]",
  };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const first = await notes.move(caller(), move("Old", "G/New page"));
    const second = await notes.move(caller(), move("G/New page", "x/Setup"));
    assert.equal(store.text("x/Home.md"), "[[Setup]]");
    assert.equal(store.text("A.md")?.includes("[[x/Setup|a]]"), true);
    await assert.rejects(notes.undo(caller(), undo(first.change ?? "")), refusal("conflict"));
    const back = await notes.undo(caller(), undo(second.change ?? ""));
    assert("moved" in back && back.moved);
    const steps = notes.undo(caller(), undo());
    assert.equal((await steps).undone, first.change);
    assert.deepEqual(await texts(store), files);
    await assert.rejects(notes.undo(caller(), undo(first.change ?? "")), refusal("conflict"));
  });
});

Deno.test("undo of a step of a move is undo of the whole move", async () => {
  const files = { "Old.md": "x", "A.md": "[[Old]]" };
  await withNotes({ files }, async ({ notes, caller, store, state }) => {
    await notes.move(caller(), move("Old", "New"));
    for (const { id } of state.db.prepare("SELECT id FROM changes WHERE path = 'A.md'").all()) {
      await notes.undo(caller(), undo(String(id)));
    }
    assert.deepEqual(await texts(store), files);
  });
});

Deno.test("undo of a move keeps what was written since, and its links follow too", async () => {
  const files = {
    "Old.md": "text\n",
    "A.md": "one [[Old]]\ntwo\n",
    "B.md": "nothing\n",
    "C.md": "[[Old]]\n",
  };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const { change = "" } = await notes.move(caller(), move("Old", "F/New"));
    store.put("A.md", "one [[F/New]], edited\ntwo\nthree [[F/New|x]]\n");
    store.put("B.md", "a new link to [[F/New]]\n");
    store.put("F/New.md", "text\nwith a link to [itself](New) and [c](../C)\n");
    store.remove("C.md");
    const preview = await notes.undo(caller(), undo(change, { dryRun: true }));
    assert("changes" in preview);
    assert.deepEqual(preview.changes.map(({ page }) => page), ["Old", "A", "B"]);
    const answer = await notes.undo(caller(), undo(change));
    assert("changes" in answer);
    assert.deepEqual(answer.changes, preview.changes);
    assert.deepEqual(await texts(store), {
      "Old.md": "text\nwith a link to [itself](Old) and [c](../C)\n",
      "A.md": "one [[Old]], edited\ntwo\nthree [[Old|x]]\n",
      "B.md": "a new link to [[Old]]\n",
    });
  });
});

Deno.test("undo of a move never overwrites what took the old place", async () => {
  const files = { "Old.md": "x", "A.md": "[[Old]]" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const { change = "" } = await notes.move(caller(), move("Old", "New"));
    store.put("Old.md", "somebody else's");
    const now = await texts(store);
    await assert.rejects(notes.undo(caller(), undo(change)), refusal("already_exists"));
    assert.deepEqual(await texts(store), now);
    store.remove("Old.md");
    store.put("OLD.md", "a twin");
    await assert.rejects(notes.undo(caller(), undo(change)), refusal("already_exists"));
    assert.equal(store.text("Old.md"), null);
  });
});

Deno.test("undo needs the right to what it does, and knows no change of pages that are hidden or out of reach", async () => {
  const files = { "A.md": "a", "S/B.md": "b" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const edit = await notes.overwrite(caller(), write("A", "aa"));
    const made = await notes.create(caller(), { page: "C", content: "c", dryRun: false });
    const gone = await notes.remove(caller(), remove("S/B"));
    const moved = await notes.move(caller(), move("A", "S/A"));
    const reader = { rights: { read: ["**"], append: ["**"] } };
    for (const change of [edit.change, made.change, gone.change, moved.change]) {
      const request = undo(change ?? "");
      await assert.rejects(notes.undo(caller(reader), request).then(), (error) => {
        assert(error instanceof AppError);
        return error.code === "forbidden_path" || error.code === "conflict" && change === edit.change;
      });
    }
    const outside = {
      rights: { ...everything, read: ["S/**"], write: ["S/**"], create: ["S/**"], delete: ["S/**"] },
    };
    const { append: _, ...narrow } = outside.rights;
    const told: string[] = [];
    for (const change of [made.change ?? "", moved.change ?? "", "c000000000000"]) {
      await notes.undo(caller({ rights: narrow }), undo(change)).catch((error: AppError) =>
        told.push(error.message.replace(change, "ID"))
      );
    }
    assert.equal(told.length, 3);
    assert.equal(new Set(told).size, 1, told.join("\n"));
    const hidden = { hidden: ["C", "S/**"] };
    for (const change of [made.change ?? "", gone.change ?? "", moved.change ?? ""]) {
      await assert.rejects(notes.undo(caller(hidden), undo(change)), refusal("not_found"));
    }
    assert.equal(store.text("C.md"), "c");
  });
});

Deno.test("undo brings back what ran, when that change had taken it away, and nothing else that runs", async () => {
  const lua = "```space-lua\nx = 1\n```\n";
  await withNotes({ files: { "A.md": `${lua}text\n` } }, async ({ notes, caller, store }) => {
    await notes.overwrite(caller(), write("A", "text\n"));
    await notes.undo(caller(), undo());
    assert.equal(store.text("A.md"), `${lua}text\n`);
  });
  const opened = "````\n";
  await withNotes({ files: { "A.md": "x\n" } }, async ({ notes, caller, store }) => {
    await notes.overwrite(caller(), write("A", `${opened}x\n`));
    store.put("A.md", `${opened}x\n${lua}`);
    await assert.rejects(notes.undo(caller(), undo()), refusal("protected"));
    assert.equal(store.text("A.md"), `${opened}x\n${lua}`);
  });
});

Deno.test("undo says when there is nothing to undo with", async () => {
  await withNotes({ files: { "A.md": "a" }, withState: false }, async ({ notes, caller }) => {
    await notes.overwrite(caller(), write("A", "b"));
    await assert.rejects(notes.undo(caller(), undo()), refusal("not_found"));
  });
  await withNotes({ files: { "A.md": "a" } }, async ({ notes, caller, state }) => {
    const { change = "" } = await notes.overwrite(caller(), write("A", "b"));
    await assert.rejects(notes.undo(caller(), undo("nonsense")), refusal("invalid_argument"));
    await assert.rejects(notes.undo(caller(), undo("c000000000000")), refusal("not_found"));
    state.db.exec("DELETE FROM texts");
    await assert.rejects(notes.undo(caller(), undo(change)), refusal("not_found"));
  });
});

Deno.test("two processes that undo the same change do it once", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async (test: Test) => {
    const { notes, caller, store } = test;
    const { change = "" } = await notes.overwrite(caller(), write("A", "two\n"));
    const results = await Promise.allSettled([1, 2, 3].map(() => notes.undo(caller(), undo(change))));
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal(store.text("A.md"), "one\n");
  });
});
