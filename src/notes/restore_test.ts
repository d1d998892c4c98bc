import assert from "node:assert/strict";
import type { PageRevisions } from "../core/page_revisions.ts";
import { everything, openTestNotes, readRequest, refusal, withNotes } from "../../tests/support/notes.ts";

function restore(page: string, version: string | null = null, dryRun = false) {
  return { page, version, dryRun };
}

function write(page: string, content: string) {
  return { page, content, ifMatch: "*", dryRun: false };
}

function remove(page: string) {
  return { page, permanent: false, ifMatch: null, dryRun: false };
}

Deno.test("restore() brings back any version that the history keeps, by change or by etag", async () => {
  await withNotes({ files: { "A.md": "one" } }, async ({ notes, caller, store }) => {
    const first = String((await notes.read(caller(), readRequest("A"))).info["etag"]);
    const second = await notes.overwrite(caller(), write("A", "two"));
    await notes.overwrite(caller(), write("A", "three"));
    for (
      const [version, text] of [[first, "one"], [second.change, "two"], [second.etag, "two"], [null, "three"]]
    ) {
      await notes.remove(caller(), remove("A"));
      const back = await notes.restore(caller(), restore("A", version ?? null));
      assert.equal(store.text("A.md"), text);
      assert.match(back.etag ?? "", /^p/);
      await notes.overwrite(caller(), write("A", "three")).catch(() => {});
    }
  });
});

Deno.test("restore() never writes over a page", async () => {
  await withNotes({ files: { "A.md": "one" } }, async ({ notes, caller, store }) => {
    const gone = await notes.remove(caller(), remove("A"));
    store.put("A.md", "somebody else's");
    for (const version of [null, gone.change ?? null]) {
      await assert.rejects(
        notes.restore(caller(), restore("A", version)),
        refusal("already_exists", (error) => assert.match(error.message, /page already exists: A\.md/)),
      );
    }
    assert.equal(store.text("A.md"), "somebody else's");
  });
});

Deno.test("restore() refuses changes of other pages and versions that are not kept", async () => {
  await withNotes({ files: { "A.md": "one", "B.md": "secret" } }, async ({ notes, caller, store }) => {
    await notes.remove(caller(), remove("A"));
    const other = await notes.remove(caller(), remove("B"));
    for (const version of [other.change ?? "", "c000000000000", "v0000000000000000", "1751360000000", "*"]) {
      await assert.rejects(notes.restore(caller(), restore("A", version)), refusal("not_found"));
    }
    await assert.rejects(notes.restore(caller(), restore("A", "nonsense")), refusal("invalid_argument"));
    assert.equal(store.text("A.md"), null);
  });
});

Deno.test("restore() finds what another program trashed, newest first", async () => {
  const files = {
    "_trash/2026-05/A.md": "older",
    "_trash/2026-07/A-1751360000000.md": "newer",
    "_trash/2026-07/B.md": "other",
  };
  let time = 1_751_360_000_000;
  const clock = { now: () => time++, elapsed: () => performance.now(), sleep: () => Promise.resolve() };
  await withNotes({ files, clock }, async ({ notes, caller, store }) => {
    await notes.restore(caller(), restore("A"));
    assert.equal(store.text("A.md"), "newer");
    assert.equal(store.text("_trash/2026-07/A-1751360000000.md"), null);
    assert.equal(store.text("_trash/2026-05/A.md"), "older");
  });
});

Deno.test("restore() needs the right to create, and hides what is hidden", async () => {
  const { create: _, ...others } = everything;
  const settings = { hiddenPaths: ["Secret"] };
  const files = { "A.md": "x", "_trash/2026-07/Secret.md": "hidden" };
  await withNotes({ files, settings }, async ({ notes, caller, store }) => {
    await notes.remove(caller(), remove("A"));
    await assert.rejects(notes.restore(caller({ rights: others }), restore("A")), refusal("forbidden_path"));
    await assert.rejects(notes.restore(caller(), restore("Secret")), refusal("forbidden_path"));
    await assert.rejects(
      notes.restore(caller(), restore("_trash/2026-07/Secret")),
      refusal("forbidden_path"),
    );
    assert.equal(store.text("Secret.md"), null);
  });
});

Deno.test("restore() shows what it would do and writes nothing", async () => {
  await withNotes({ files: { "A.md": "text" } }, async ({ notes, caller, store }) => {
    await notes.remove(caller(), remove("A"));
    const preview = await notes.restore(caller(), restore("A", null, true));
    assert.equal(preview.dry_run, true);
    assert.equal(preview.size_bytes, 4);
    assert.equal(store.text("A.md"), null);
  });
});

Deno.test("restore() refuses odd places in the trash", async () => {
  await withNotes({ files: { "_trash/loose.md": "x" } }, async ({ notes, caller }) => {
    await assert.rejects(notes.restore(caller(), restore("_trash/loose")), refusal("forbidden_path"));
  });
});

Deno.test("restore() brings back a version of SilverBullet's own history, over nothing and for nobody's protected text", async () => {
  const rev = "a".repeat(40);
  const files: Record<string, string> = { A: "\ufeffolder\r\n", Lua: "```space-lua\nx\n```\n" };
  const asked: string[] = [];
  const revisions: PageRevisions = {
    of: () => Promise.resolve([]),
    read: (path, wanted) => {
      asked.push(`${path} ${wanted}`);
      const text = wanted === rev ? files[path.slice(0, -3)] : undefined;
      return Promise.resolve(text === undefined ? null : new TextEncoder().encode(text));
    },
    snapshot: () => Promise.resolve(true),
  };
  await withNotes({}, async ({ caller, store, state }) => {
    const notes = openTestNotes(store, { state, revisions });
    await assert.rejects(notes.restore(caller(), restore("A", "b".repeat(40))), refusal("not_found"));
    await notes.restore(caller(), restore("A", rev));
    assert.equal(store.text("A.md"), "\ufeffolder\r\n");
    await assert.rejects(notes.restore(caller(), restore("A", rev)), refusal("already_exists"));
    await assert.rejects(notes.restore(caller(), restore("Lua", rev)), refusal("protected"));
    const rights = { create: ["Other/**"] };
    await assert.rejects(notes.restore(caller({ rights }), restore("A", rev)), refusal("forbidden_path"));
    assert(asked.every((line) => !line.includes("Other")));
    await notes.close();
  });
});

Deno.test("before a page goes SilverBullet is asked to keep it, but not before it is destroyed or only shown", async () => {
  let snapshots = 0;
  const revisions: PageRevisions = {
    of: () => Promise.resolve(null),
    read: () => Promise.resolve(null),
    snapshot: () => Promise.resolve(++snapshots > 0),
  };
  await withNotes({ files: { "A.md": "a", "B.md": "b" } }, async ({ caller, store, state }) => {
    const notes = openTestNotes(store, { state, revisions });
    const counts: number[] = [];
    const count = () => {
      counts.push(snapshots);
      snapshots = 0;
    };
    await notes.remove(caller(), { ...remove("A"), dryRun: true });
    count();
    await notes.remove(caller(), remove("A"));
    count();
    await notes.undo(caller(), { change: null, ifMatch: null, dryRun: false });
    count();
    const moving = { from: "B", to: "C", updateLinks: true, ifMatch: null };
    await notes.move(caller(), { ...moving, dryRun: true });
    count();
    await notes.move(caller(), { ...moving, dryRun: false });
    count();
    const { info } = await notes.read(caller(), readRequest("C"));
    await notes.remove(caller(), { ...remove("C"), permanent: true, ifMatch: String(info["etag"]) });
    count();
    assert.deepEqual(counts, [0, 1, 1, 0, 1, 0]);
    await notes.close();
  });
});
