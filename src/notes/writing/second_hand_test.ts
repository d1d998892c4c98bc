/** Another hand that changes the page between our last look and our change, at every operation. */

import assert from "node:assert/strict";
import type { PageStore } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { MemoryStore } from "../../silverbullet/memory_store.ts";
import { readRequest, refusal, withNotes } from "../../../tests/support/notes.ts";

/** A store on which `act` happens just before each of the first `times` changes of A.md. */
function interrupted(act: (store: MemoryStore, round: number) => void, times = 1) {
  let round = 0;
  const interrupt = (store: MemoryStore, path: string) => {
    if (path === "A.md" && round < times) act(store, round++);
  };
  return (store: MemoryStore): PageStore => ({
    ...store,
    write: (path, bytes, options) => {
      interrupt(store, path);
      return store.write(path, bytes, options);
    },
    delete: (path, options) => {
      interrupt(store, path);
      return store.delete(path, options);
    },
  });
}

const edit = interrupted((store, round) => store.put("A.md", `theirs ${round}`));
const editThrice = interrupted((store, round) => store.put("A.md", `theirs ${round}`), 3);
const editAlways = interrupted((store, round) => store.put("A.md", `theirs ${round}`), Infinity);
const remove = interrupted((store) => store.remove("A.md"));

type Test = Parameters<Parameters<typeof withNotes>[1]>[0];

function write(content: string, ifMatch: string | null) {
  return { page: "A", content, ifMatch, dryRun: false };
}

function del(ifMatch: string | null = null) {
  return { page: "A", permanent: false, ifMatch, dryRun: false };
}

async function etag({ notes, caller }: Test): Promise<string> {
  return String((await notes.read(caller(), readRequest("A"))).info["etag"]);
}

function kept({ state }: Test, text: string): boolean {
  return state.db.prepare("SELECT 1 FROM texts WHERE hash = ?").get(sha256Hex(text)) !== undefined;
}

function changes({ state }: Test): number {
  return Number(state.db.prepare("SELECT count(*) AS n FROM changes").get()?.["n"]);
}

Deno.test("a write under a version stops, shows the other edit, and leaves no record", async () => {
  await withNotes({ files: { "A.md": "one" }, wrap: edit }, async (test) => {
    const version = await etag(test);
    await assert.rejects(
      test.notes.overwrite(test.caller(), write("mine", version)),
      refusal("conflict", (error) => assert.match(String(error.details["diff"]), /theirs 0/)),
    );
    assert.equal(test.store.text("A.md"), "theirs 0");
    assert.equal(changes(test), 0);
    assert.equal(kept(test, "mine"), false);
  });
});

Deno.test("a write over whatever is there keeps each text that it goes over", async () => {
  await withNotes({ files: { "A.md": "one" }, wrap: editThrice }, async (test) => {
    await test.notes.overwrite(test.caller(), write("mine", "*"));
    assert.equal(test.store.text("A.md"), "mine");
    assert.equal(changes(test), 1);
    assert.equal(kept(test, "theirs 2"), true);
  });
});

Deno.test("a write over whatever is there gives up when the page never rests", async () => {
  await withNotes({ files: { "A.md": "one" }, wrap: editAlways }, async (test) => {
    await assert.rejects(test.notes.overwrite(test.caller(), write("mine", "*")), refusal("conflict"));
    assert.match(test.store.text("A.md") ?? "", /^theirs/);
    assert.equal(changes(test), 0);
  });
});

Deno.test("a page that goes under a write stays gone for a version, and for `*`", async () => {
  for (const wanted of ["version", "*"]) {
    const wrap = interrupted((store) => store.remove("A.md"));
    await withNotes({ files: { "A.md": "one" }, wrap }, async (test) => {
      const version = wanted === "*" ? "*" : await etag(test);
      await assert.rejects(test.notes.overwrite(test.caller(), write("mine", version)), refusal("not_found"));
      assert.equal(test.store.text("A.md"), null);
    });
  }
});

Deno.test("a page that appears under a creation is left alone", async () => {
  const wrap = interrupted((store) => store.put("A.md", "theirs"));
  await withNotes({ wrap }, async (test) => {
    const create = { page: "A", content: "mine", dryRun: false };
    await assert.rejects(test.notes.create(test.caller(), create), refusal("already_exists"));
    assert.equal(test.store.text("A.md"), "theirs");
    assert.equal(changes(test), 0);
  });
  const wrapAgain = interrupted((store) => store.put("A.md", "theirs"));
  await withNotes({ wrap: wrapAgain }, async (test) => {
    await assert.rejects(test.notes.overwrite(test.caller(), write("mine", null)), refusal("already_exists"));
    assert.equal(test.store.text("A.md"), "theirs");
  });
});

Deno.test("a deletion without a version takes the last text, one with a version stops", async () => {
  const wrap = interrupted((store, round) => store.put("A.md", `theirs ${round}`));
  await withNotes({ files: { "A.md": "one" }, wrap }, async (test) => {
    await test.notes.remove(test.caller(), del());
    assert.equal(test.store.text("A.md"), null);
    assert.equal(kept(test, "theirs 0"), true);
  });
  const wrapAgain = interrupted((store, round) => store.put("A.md", `theirs ${round}`));
  await withNotes({ files: { "A.md": "one" }, wrap: wrapAgain }, async (test) => {
    await assert.rejects(test.notes.remove(test.caller(), del(await etag(test))), refusal("conflict"));
    assert.equal(test.store.text("A.md"), "theirs 0");
  });
});

Deno.test("a deletion into the trash leaves only the copy of the text that went", async () => {
  const wrap = interrupted((store, round) => store.put("A.md", `theirs ${round}`));
  await withNotes({ files: { "A.md": "one" }, settings: { trash: "space" }, wrap }, async (test) => {
    const { trash_path = "" } = await test.notes.remove(test.caller(), del());
    assert.deepEqual((await test.store.list()).map((entry) => entry.path), [trash_path]);
    assert.equal(test.store.text(trash_path), "theirs 0");
  });
});

Deno.test("a page that is deleted under a deletion was not found", async () => {
  await withNotes({ files: { "A.md": "one" }, wrap: remove }, async (test) => {
    await assert.rejects(test.notes.remove(test.caller(), del()), refusal("not_found"));
    assert.equal(changes(test), 0);
  });
});

Deno.test("a page that appears under a restoration is left alone, and so is the copy", async () => {
  let armed = false;
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    write: (path, bytes, options) => {
      if (armed && path === "A.md") store.put("A.md", "theirs");
      return store.write(path, bytes, options);
    },
  });
  await withNotes({ files: { "A.md": "one" }, settings: { trash: "space" }, wrap }, async (test) => {
    const { trash_path = "" } = await test.notes.remove(test.caller(), del());
    armed = true;
    const restore = { page: "A", version: null, dryRun: false };
    await assert.rejects(test.notes.restore(test.caller(), restore), refusal("already_exists"));
    assert.equal(test.store.text("A.md"), "theirs");
    assert.equal(test.store.text(trash_path), "one");
  });
});
