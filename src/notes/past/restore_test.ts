import assert from "node:assert/strict";
import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { PageRevisions } from "../../core/page_revisions.ts";
import { cites } from "../../../tests/requirements.ts";
import {
  everything,
  listRequest,
  openTestNotes,
  readRequest,
  refusal,
  withNotes,
} from "../../../tests/support/notes.ts";

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

Deno.test("restore() tells a time in a page's own name from one that the trash added", async () => {
  const log = "Log-1751360000000";
  const files = { [`${log}.md`]: "log", "Log.md": "other" };
  await withNotes({ files, settings: { trash: "space" } }, async ({ notes, caller, store }) => {
    const gone = await notes.remove(caller(), remove(log));
    const copy = gone.trash_path ?? "";
    assert.match(copy, /Log-1751360000000\.md$/);
    await notes.restore(caller(), restore(copy));
    assert.equal(store.text(`${log}.md`), "log");
    assert.equal(store.text("Log.md"), "other");
  });
  const trashed = { [`_trash/2026-07/${log}.md`]: "log" };
  await withNotes({ files: trashed }, async ({ notes, caller, store }) => {
    await notes.restore(caller(), restore(log));
    assert.equal(store.text(`${log}.md`), "log");
    assert.equal((await store.list()).length, 1);
  });
});

Deno.test("a page whose own name ends in a time is hidden in the trash too", async () => {
  const hidden = "Log-1751360000000";
  const files = { [`_trash/2026-07/${hidden}.md`]: "hidden words" };
  await withNotes({ files, settings: { hiddenPaths: ["Log-*"] } }, async ({ notes, caller, store }) => {
    const all = { ...listRequest({ includeTrash: true, kind: "all" }) };
    assert.equal((await notes.list(caller(), all)).total, 0);
    const path = `_trash/2026-07/${hidden}`;
    await assert.rejects(notes.read(caller(), readRequest(path)), refusal("not_found"));
    for (const page of [path, hidden, "Log"]) {
      await assert.rejects(
        notes.restore(caller(), restore(page)),
        (error) => error instanceof AppError && ["forbidden_path", "not_found"].includes(error.code),
      );
    }
    assert.equal((await store.list()).length, 1);
  });
});

Deno.test("restore() of a page that was moved names the move instead of making it a second time", async () => {
  await withNotes({ files: { "A.md": "x" } }, async ({ notes, caller, store }) => {
    const moved = await notes.move(caller(), {
      from: "A",
      to: "B",
      updateLinks: true,
      ifMatch: null,
      dryRun: false,
    });
    await assert.rejects(
      notes.restore(caller(), restore("A")),
      refusal("not_found", ({ details }) => {
        assert.deepEqual([details["moved_to"], details["change"]], ["B", moved.change]);
      }),
    );
    const stranger = caller({ rights: { ...everything, read: ["A"] } });
    await assert.rejects(
      notes.restore(stranger, restore("A")),
      refusal(
        "not_found",
        ({ message, details }) => assert(!JSON.stringify([message, details]).includes('"B"')),
      ),
    );
    assert.deepEqual((await store.list()).map(({ path }) => path), ["B.md"]);
  });
});

Deno.test("what was deleted comes back to the byte: big, binary, broken, and after the trash name was taken", async () => {
  cites("notes.restore");
  const big = Uint8Array.from({ length: 400_000 }, (_, index) => index % 251);
  const broken = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x0d, 0x0a, 0x00]);
  for (const trash of ["history", "space"] as const) {
    for (const [path, bytes] of [["a.bin", big], ["Big.md", big], ["Bad.md", broken]] as const) {
      const settings = { trash, maxPageBytes: 1000 };
      await withNotes({ files: { [path]: bytes }, settings }, async ({ notes, caller, store }) => {
        for (let round = 0; round < 3; round++) {
          const gone = await notes.remove(caller(), remove(path));
          if (gone.trash_path !== undefined) store.put(path.replace(/(\.\w+)$/, `x${round}$1`), "");
          const page = round === 1 ? gone.trash_path ?? path : path;
          const version = round === 2 ? gone.change ?? null : null;
          await notes.restore(caller(), restore(page, version));
          assert.deepEqual((await store.read(path as PagePath))?.bytes, bytes, `${trash} ${path} ${round}`);
        }
      });
    }
  }
  const month = new Date().toISOString().slice(0, 7);
  const files = { "a.bin": big, [`_trash/${month}/a.bin`]: "older" };
  await withNotes({ files, settings: { trash: "space" } }, async ({ notes, caller, store }) => {
    const gone = await notes.remove(caller(), remove("a.bin"));
    assert.match(gone.trash_path ?? "", /a-\d{13}\.bin$/);
    await notes.restore(caller(), restore(gone.trash_path ?? ""));
    assert.deepEqual((await store.read("a.bin" as PagePath))?.bytes, big);
    assert.equal(store.text(`_trash/${month}/a.bin`), "older");
  });
});

Deno.test("restore() tells only who may read the page that it holds that version already", async () => {
  await withNotes({ files: { "A.md": "one" } }, async ({ notes, caller }) => {
    const gone = await notes.remove(caller(), remove("A"));
    await notes.restore(caller(), restore("A"));
    const again = restore("A", gone.change ?? null);
    const { read: _, ...blind } = everything;
    for (const [rights, told] of [[everything, true], [blind, false]] as const) {
      await assert.rejects(
        notes.restore(caller({ rights }), again),
        refusal("already_exists", (error) => assert.equal("same_content" in error.details, told)),
      );
    }
  });
});
