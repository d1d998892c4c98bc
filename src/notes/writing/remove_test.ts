import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../../core/errors.ts";
import { randomId } from "../../core/ids.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { openTestNotes, readRequest, refusal, withNotes } from "../../../tests/support/notes.ts";
import { cites } from "../../../tests/requirements.ts";

function remove(page: string, more: Partial<{ permanent: boolean; ifMatch: string; dryRun: boolean }> = {}) {
  return { page, permanent: false, ifMatch: null, dryRun: false, ...more };
}

function restore(page: string, version: string | null = null) {
  return { page, version, dryRun: false };
}

const awkward = new Uint8Array([0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0xff, 0x00, 0xe2, 0x80, 0xa8, 0x0d]);

for (const trash of ["history", "space"] as const) {
  Deno.test(`delete and restore give the same bytes back (trash ${trash})`, async () => {
    cites("notes.restore");
    const big = new Uint8Array(600_000).map((_, index) => index % 251);
    const files = { "Odd.md": awkward, "img/big.png": big, "Text.md": "plain\n" };
    await withNotes({ files, settings: { trash } }, async ({ notes, caller, store }) => {
      for (const [path, content] of Object.entries(files)) {
        const before = await store.read(path as never);
        const page = path.replace(/\.md$/, "");
        const gone = await notes.remove(caller(), remove(page));
        assert.equal(gone.deleted, true);
        assert.equal(gone.etag, null);
        assert.equal(gone.bytes_before, content.length);
        assert.match(gone.change ?? "", /^c/);
        assert.equal(store.text(path), null);
        assert.equal(gone.trash_path !== undefined, trash === "space");
        await notes.restore(caller(), restore(page, gone.change ?? null));
        assert.deepEqual((await store.read(path as never))?.bytes, before?.bytes, path);
      }
      assert.deepEqual((await store.list()).map((entry) => entry.path).sort(), Object.keys(files).sort());
    });
  });
}

Deno.test("delete without a version keeps whatever was there last", async () => {
  await withNotes({ files: { "A.md": "one" } }, async ({ notes, caller, store }) => {
    await notes.read(caller(), readRequest("A"));
    store.put("A.md", "two");
    await notes.remove(caller(), remove("A"));
    await notes.restore(caller(), restore("A"));
    assert.equal(store.text("A.md"), "two");
  });
});

Deno.test("delete keeps to the version that the caller gave, whole or partial", async () => {
  await withNotes({ files: { "A.md": "one\ntwo\n" } }, async ({ notes, caller, store }) => {
    const request = readRequest("A", { view: "lines", startLine: 1, endLine: 1 });
    const partial = String((await notes.read(caller(), request)).info["etag"]);
    store.put("A.md", "changed");
    await assert.rejects(notes.remove(caller(), remove("A", { ifMatch: partial })), refusal("conflict"));
    assert.equal(store.text("A.md"), "changed");
    store.put("A.md", "one\ntwo\n");
    await notes.remove(caller(), remove("A", { ifMatch: partial }));
    assert.equal(store.text("A.md"), null);
  });
});

Deno.test("delete of a missing page suggests no other page", async () => {
  await withNotes({ files: { "Alpha.md": "x" } }, async ({ notes, caller }) => {
    for (const more of [{}, { ifMatch: "*" }, { dryRun: true }]) {
      await assert.rejects(
        notes.remove(caller(), remove("Alpah", more)),
        refusal("not_found", (error) => {
          assert.match(error.message, /page not found: Alpah\.md/);
          assert(!JSON.stringify(error.details).includes('"Alpha"') && !error.remedy.includes("Alpha"));
        }),
      );
    }
  });
});

Deno.test("delete says of a hidden page what it says of a missing one", async () => {
  const told: string[] = [];
  for (const files of [{ "Secret.md": "x" }, {}]) {
    await withNotes({ files, settings: { hiddenPaths: ["Secret"] } }, async ({ notes, caller, store }) => {
      await notes.remove(caller(), remove("Secret")).catch((error: AppError) =>
        told.push(JSON.stringify([error.code, error.message, error.remedy, error.details]))
      );
      assert.equal(store.text("Secret.md"), "Secret.md" in files ? "x" : null);
    });
  }
  assert.equal(told.length, 2);
  assert.equal(told[0], told[1]);
  assert.match(told[0] ?? "", /not_found/);
});

Deno.test("the trash folder takes pages of one name, month after month, and never overwrites", async () => {
  const time = Date.UTC(2026, 6, 1);
  const clock = { now: () => time, elapsed: () => performance.now(), sleep: () => Promise.resolve() };
  await withNotes({ settings: { trash: "space" }, clock }, async ({ notes, caller, store }) => {
    const places: string[] = [];
    for (const text of ["one", "two", "three"]) {
      store.put("P/A.md", text);
      places.push((await notes.remove(caller(), remove("P/A"))).trash_path ?? "");
    }
    assert.deepEqual(places, [
      "_trash/2026-07/P/A.md",
      `_trash/2026-07/P/A-${time}.md`,
      `_trash/2026-07/P/A-${time + 1}.md`,
    ]);
    assert.deepEqual(places.map((place) => store.text(place)), ["one", "two", "three"]);
    await notes.restore(caller(), restore("_trash/2026-07/P/A"));
    assert.equal(store.text("P/A.md"), "one");
    assert.equal(store.text("_trash/2026-07/P/A.md"), null);
    await assert.rejects(notes.restore(caller(), restore(places[1] ?? "")), refusal("already_exists"));
    assert.equal(store.text("P/A.md"), "one");
    assert.equal(store.text(places[1] ?? ""), "two");
  });
});

Deno.test("a page that cannot be deleted leaves no copy in the trash", async () => {
  const failure = new AppError({
    code: "upstream",
    message: "No",
    remedy: "Try again later.",
    upstream: "fault",
  });
  const wrap = (store: Parameters<NonNullable<Parameters<typeof withNotes>[0]["wrap"]>>[0]) => ({
    ...store,
    delete: (path: never, options: never) =>
      path === "A.md" ? Promise.reject(failure) : store.delete(path, options),
  });
  await withNotes({ files: { "A.md": "x" }, settings: { trash: "space" }, wrap }, async (test) => {
    await assert.rejects(test.notes.remove(test.caller(), remove("A")), refusal("upstream"));
    assert.deepEqual((await test.store.list()).map((entry) => entry.path), ["A.md"]);
    assert.equal(test.state.db.prepare("SELECT count(*) AS n FROM changes").get()?.["n"], 0);
  });
});

Deno.test("without a state folder a deleted page goes to the trash folder", async () => {
  await withNotes({ files: { "A.md": "x" }, withState: false }, async ({ notes, caller, store }) => {
    const gone = await notes.remove(caller(), remove("A"));
    assert.match(gone.trash_path ?? "", /^_trash\//);
    assert.equal("change" in gone, false);
    await notes.restore(caller(), restore("A"));
    assert.equal(store.text("A.md"), "x");
    assert.equal((await store.list()).length, 1);
  });
});

Deno.test("a file too big for the history goes to the trash folder", async () => {
  const settings = { historyBytes: 4000 };
  const big = new Uint8Array(5000).fill(7);
  await withNotes({ files: { "a.pdf": big }, settings }, async ({ notes, caller, store }) => {
    const gone = await notes.remove(caller(), remove("a.pdf"));
    assert.match(gone.trash_path ?? "", /^_trash\/.*a\.pdf$/);
    await notes.restore(caller(), restore("a.pdf", gone.change ?? null));
    assert.deepEqual((await store.read("a.pdf" as never))?.bytes, big);
  });
});

Deno.test("with TRASH=off and no history the answer says that nothing was kept", async () => {
  const options = { files: { "A.md": "x" }, settings: { trash: "off" as const }, withState: false };
  await withNotes(options, async ({ notes, caller }) => {
    const gone = await notes.remove(caller(), remove("A"));
    assert.match(gone.warnings?.[0] ?? "", /nothing of it was kept/);
    await assert.rejects(notes.restore(caller(), restore("A")), refusal("not_found"));
  });
});

Deno.test("permanent needs the whole version of what goes", async () => {
  await withNotes({ files: { "A.md": "one\ntwo\n" } }, async ({ notes, caller, store }) => {
    const view = readRequest("A", { view: "lines", startLine: 1, endLine: 1 });
    const partial = String((await notes.read(caller(), view)).info["etag"]);
    for (const more of [{}, { ifMatch: "*" }, { ifMatch: partial }]) {
      await assert.rejects(
        notes.remove(caller(), remove("A", { permanent: true, ...more })),
        refusal("precondition_required"),
      );
    }
    assert.equal(store.text("A.md"), "one\ntwo\n");
  });
});

Deno.test("permanent leaves nothing of the page but one row with its hash", async () => {
  cites("notes.purge");
  // Nothing to compress, so that the text would stand in the file as it is.
  const secret = randomId(48);
  await withNotes({ files: { "A.md": `${secret}1`, "B.md": "other" } }, async (test) => {
    const { notes, caller, state, dir } = test;
    for (const text of [`${secret}2`, `${secret}3`]) {
      await notes.overwrite(caller(), { page: "A", content: text, ifMatch: "*", dryRun: false });
    }
    await notes.overwrite(caller(), { page: "B", content: "more", ifMatch: "*", dryRun: false });
    const etag = String((await notes.read(caller(), readRequest("A"))).info["etag"]);
    const gone = await notes.remove(caller(), remove("A", { permanent: true, ifMatch: etag }));
    assert.equal(gone.trash_path, undefined);
    const rows = state.db.prepare("SELECT action, before_hash, after_hash FROM changes WHERE path = 'A.md'")
      .all();
    assert.deepEqual(rows.map((row) => ({ ...row })), [
      { action: "purge", before_hash: sha256Hex(`${secret}3`), after_hash: null },
    ]);
    assert.equal(state.db.prepare("SELECT count(*) AS n FROM texts").get()?.["n"], 2);
    assert.equal(state.db.prepare("SELECT count(*) AS n FROM versions WHERE path = 'A.md'").get()?.["n"], 0);
    const onDisk = ["state.db", "state.db-wal"].map((name) =>
      readFileSync(join(dir, name)).toString("latin1")
    );
    assert(!onDisk.some((text) => text.includes(secret)), "the text is still in the state file");
    await assert.rejects(notes.restore(caller(), restore("A")), refusal("not_found"));
    await assert.rejects(notes.restore(caller(), restore("A", etag)), refusal("not_found"));
  });
});

Deno.test("a page in the trash is purged by permanent only, with its history", async () => {
  await withNotes(
    { files: { "A.md": "gone" }, settings: { trash: "space" } },
    async ({ notes, caller, store }) => {
      const { trash_path = "" } = await notes.remove(caller(), remove("A"));
      await assert.rejects(notes.remove(caller(), remove(trash_path)), refusal("forbidden_path"));
      const etag = String((await notes.read(caller(), readRequest(trash_path))).info["etag"]);
      await notes.remove(caller(), remove(trash_path, { permanent: true, ifMatch: etag }));
      assert.equal((await store.list()).length, 0);
      await assert.rejects(notes.restore(caller(), restore("A")), refusal("not_found"));
    },
  );
});

Deno.test("a trashed page has the rights of the page it was", async () => {
  const files = { "_trash/2026-07/Private/A.md": "x", "_trash/2026-07/Open/B.md": "y" };
  const rights = { read: ["Open/**"], create: ["Open/**"] };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const who = caller({ rights });
    await assert.rejects(notes.read(who, readRequest("_trash/2026-07/Private/A")), refusal("forbidden_path"));
    assert.equal((await notes.read(who, readRequest("_trash/2026-07/Open/B"))).text, "y");
    await assert.rejects(notes.restore(who, restore("_trash/2026-07/Private/A")), refusal("forbidden_path"));
    await notes.restore(who, restore("_trash/2026-07/Open/B"));
    assert.equal(store.text("Open/B.md"), "y");
  });
});

Deno.test("a dry run of delete changes nothing and hands out the fitting version", async () => {
  await withNotes({ files: { "A.md": "x" } }, async ({ notes, caller, store }) => {
    const preview = await notes.remove(caller(), remove("A", { dryRun: true }));
    assert.equal(store.text("A.md"), "x");
    store.put("A.md", "y");
    const ifMatch = preview.if_match ?? "";
    await assert.rejects(notes.remove(caller(), remove("A", { ifMatch })), refusal("conflict"));
    store.put("A.md", "x");
    await notes.remove(caller(), remove("A", { ifMatch }));
    assert.equal(store.text("A.md"), null);
  });
});

Deno.test("permanent takes along what the page was called before it was moved", async () => {
  const secret = randomId(48);
  const files = { "A.md": `${secret}1`, "L.md": "[[A]]" };
  await withNotes({ files }, async (test) => {
    const { notes, caller, store, state, dir } = test;
    await notes.overwrite(caller(), { page: "A", content: `${secret}2`, ifMatch: "*", dryRun: false });
    const moving = { updateLinks: true, ifMatch: null, dryRun: false };
    await notes.move(caller(), { from: "A", to: "B", ...moving });
    await notes.move(caller(), { from: "B", to: "C", ...moving });
    // Another page under the first name has a past of its own.
    await notes.create(caller(), { page: "A", content: "another page", dryRun: false });
    const etag = String((await notes.read(caller(), readRequest("C"))).info["etag"]);
    await notes.remove(caller(), remove("C", { permanent: true, ifMatch: etag }));
    const left = state.db.prepare("SELECT path, action FROM changes WHERE path IN ('A.md', 'B.md', 'C.md')")
      .all();
    assert.deepEqual(left.map((row) => ({ ...row })), [
      { path: "A.md", action: "create" },
      { path: "C.md", action: "purge" },
    ]);
    assert.equal(state.db.prepare("SELECT count(*) AS n FROM moves").get()?.["n"], 0);
    for (const text of [`${secret}1`, `${secret}2`]) {
      const kept = state.db.prepare("SELECT 1 FROM texts WHERE hash = ?").get(sha256Hex(text));
      assert.equal(kept, undefined);
    }
    const onDisk = ["state.db", "state.db-wal"].map((name) =>
      readFileSync(join(dir, name)).toString("latin1")
    );
    assert(!onDisk.some((text) => text.includes(secret)), "the text is still in the state file");
    for (const page of ["B", "C"]) {
      await assert.rejects(notes.restore(caller(), restore(page)), refusal("not_found"));
    }
    assert.equal(store.text("A.md"), "another page");
  });
});

Deno.test("permanent says what of the page is left where this program destroys nothing", async () => {
  const files = { "A.md": "x", "_trash/2026-07/A.md": "older" };
  await withNotes({ files }, async ({ store, state, caller }) => {
    const revisions = {
      of: () => Promise.resolve([{ rev: "a".repeat(40), time: 1, author: null, message: null }]),
      read: () => Promise.resolve(null),
      snapshot: () => Promise.resolve(false),
    };
    const notes = openTestNotes(store, { state, revisions });
    const etag = String((await notes.read(caller(), readRequest("A"))).info["etag"]);
    const gone = await notes.remove(caller(), remove("A", { permanent: true, ifMatch: etag }));
    assert.match(gone.warnings?.join() ?? "", /trash: 1.*own history/);
    await notes.close();
  });
});

Deno.test("delete says which links by name will mean another page, where the caller may know of it", async () => {
  const files = { "docs/Setup.md": "a", "other/Setup.md": "b", "Secret/Setup.md": "c" };
  const settings = { hiddenPaths: ["Secret/**"] };
  await withNotes({ files, settings }, async ({ notes, caller }) => {
    const gone = await notes.remove(caller(), remove("docs/Setup"));
    assert.deepEqual(gone.warnings, [
      'Links written as [[Setup]] that meant this page may mean "other/Setup" now',
    ]);
    assert.equal((await notes.remove(caller(), remove("other/Setup"))).warnings, undefined);
  });
  const facts = { dialect: "guarded", version: "2.9.0" } as const;
  await withNotes({ files, facts }, async ({ notes, caller }) => {
    assert.equal((await notes.remove(caller(), remove("docs/Setup"))).warnings, undefined);
  });
});
