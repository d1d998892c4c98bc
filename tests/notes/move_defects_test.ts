/**
 * What silverbullet-mcp (kesor) and silverbullet-mcp-server (xmatthewx) got wrong when they moved, deleted and restored
 * pages: each fault by itself, against servers that compare versions and servers that do not.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PagePath } from "../../src/core/page_name.ts";
import type { PageStore } from "../../src/core/page_store.ts";
import type { Notes } from "../../src/notes/notes.ts";
import type { Fault } from "../../src/silverbullet/embedded/faults.ts";
import { type EmbeddedServer, startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import type { MemoryStore } from "../../src/silverbullet/memory_store.ts";
import { withNotesOver } from "../support/moving_process.ts";
import { readRequest, refusal, testCaller, withNotes } from "../support/notes.ts";

interface Over {
  readonly server: EmbeddedServer;
  readonly notes: Notes;
}

/** The same against both dialects. */
function inBothDialects(
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (over: Over) => Promise<void>,
): void {
  for (const generation of ["go-2.9", "2.12"] as const) {
    Deno.test(`${name} (${generation})`, async () => {
      const dir = mkdtempSync(join(tmpdir(), "defects-"));
      const server = await startEmbedded({ generation, files });
      try {
        await withNotesOver({ url: server.url, dir }, (notes) => work({ server, notes }));
      } finally {
        await server.close();
        rmSync(dir, { recursive: true });
      }
    });
  }
}

/** Another hand that writes `text` to `path` right before a request is looked at. */
function hand(path: string, text: string): Fault {
  return { kind: "hand", when: "before", act: (files) => void files.put(path, text) };
}

function move(from: string, to: string, ifMatch: string | null = null) {
  return { from, to, updateLinks: true, ifMatch, dryRun: false };
}

function remove(page: string, permanent = false, ifMatch: string | null = null) {
  return { page, permanent, ifMatch, dryRun: false };
}

const restore = (page: string) => ({ page, version: null, dryRun: false });
const big = `# Big\n${"word ".repeat(60_000)}\n`;
const broken = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x0d, 0x0a]);

inBothDialects(
  "kesor 4.6-11: an edit between the read and the delete of a move is not lost with the source",
  { "A.md": "old text" },
  async ({ server, notes }) => {
    server.faults.add({ fault: hand("A.md", "edited meanwhile"), verb: "PUT", path: "B.md" });
    await assert.rejects(notes.move(testCaller(), move("A", "B")), refusal("conflict"));
    assert.equal(server.files.text("A.md"), "edited meanwhile");
    assert.equal(server.files.text("B.md"), null);
  },
);

inBothDialects(
  "xmatthewx B4: a page that is edited after it was read is not moved with its stale text",
  { "A.md": "old text", "L.md": "[[A]]" },
  async ({ server, notes }) => {
    server.faults.add({ fault: hand("A.md", "edited meanwhile"), verb: "PUT", path: "L.md" });
    await notes.move(testCaller(), move("A", "B")).catch(() => {});
    const texts = [server.files.text("A.md"), server.files.text("B.md")];
    assert(texts.includes("edited meanwhile"), texts.join());
    assert(!texts.includes("old text"), texts.join());
    assert.equal(server.files.text("L.md"), server.files.text("A.md") === null ? "[[B]]" : "[[A]]");
  },
);

inBothDialects(
  "xmatthewx B6: an edit between the copy and the delete is not lost",
  {},
  async ({ server, notes }) => {
    for (const skip of [0, 1, 2, 3]) {
      server.files.put("A.md", "old text");
      let isEdited = false;
      const act: Fault = {
        kind: "hand",
        when: "before",
        act: (files) => {
          isEdited = true;
          files.put("A.md", "edited meanwhile");
        },
      };
      server.faults.add({ fault: act, verb: "GET", path: "A.md", skip });
      await notes.remove(testCaller(), remove("A")).catch(() => {});
      server.faults.clear();
      if (server.files.text("A.md") === null) await notes.restore(testCaller(), restore("A"));
      assert.equal(server.files.text("A.md"), isEdited ? "edited meanwhile" : "old text", String(skip));
    }
  },
);

inBothDialects(
  "kesor row 9: a move whose old page is gone before it is removed is complete, and no error",
  { "A.md": "text", "L.md": "[[A]]" },
  async ({ server, notes }) => {
    const act: Fault = { kind: "hand", when: "before", act: (files) => void files.remove("A.md") };
    server.faults.add({ fault: act, verb: "DELETE", path: "A.md" });
    const answer = await notes.move(testCaller(), move("A", "B"));
    assert.equal(answer.moved, true);
    assert.equal(server.files.text("B.md"), "text");
    assert.equal(server.files.text("L.md"), "[[B]]");
  },
);

inBothDialects(
  "kesor row 9: a file keeps its bytes and its type when it is moved, and so does a page that is no valid text",
  { "a.png": broken, "Bad.md": broken },
  async ({ server, notes }) => {
    await notes.move(testCaller(), move("a.png", "img/b.png"));
    await notes.move(testCaller(), move("Bad", "Worse"));
    assert.deepEqual(server.files.get("img/b.png")?.bytes, broken);
    assert.deepEqual(server.files.get("Worse.md")?.bytes, broken);
    const { pages } = await notes.list(testCaller(), {
      prefix: "img/",
      contains: "",
      kind: "files",
      sort: "name",
      limit: 5,
      cursor: null,
      includeTrash: false,
      includeLibrary: false,
    });
    assert.equal(pages[0]?.content_type, "image/png");
  },
);

inBothDialects(
  "kesor 2.3, xmatthewx B8: a page above the size limit can be moved, deleted and restored",
  { "Big.md": big },
  async ({ server, notes }) => {
    await notes.move(testCaller(), move("Big", "Bigger"));
    await notes.remove(testCaller(), remove("Bigger"));
    assert.equal(server.files.text("Bigger.md"), null);
    await notes.restore(testCaller(), restore("Bigger"));
    assert.equal(server.files.text("Bigger.md"), big);
  },
);

inBothDialects(
  "kesor row 9: moving a page onto itself does not pass for a move, whatever version is given",
  { "A.md": "text" },
  async ({ server, notes }) => {
    for (const to of ["A", "A.md"]) {
      await assert.rejects(
        notes.move(testCaller(), move("A", to, "v0000000000000000")),
        refusal("invalid_argument"),
      );
    }
    assert.equal(server.files.text("A.md"), "text");
  },
);

inBothDialects(
  "kesor 5: a move and a deletion can be shown before they are made",
  { "A.md": "text", "L.md": "[[A]]" },
  async ({ server, notes }) => {
    await notes.move(testCaller(), { ...move("A", "B"), dryRun: true });
    await notes.remove(testCaller(), { ...remove("A"), dryRun: true });
    assert.deepEqual(server.requests.changing().filter(({ target }) => !target.includes("probe")), []);
  },
);

inBothDialects(
  "xmatthewx B1: what lies in the trash comes back, and the copy goes",
  { "_trash/2026-07/P/A.md": "trashed text" },
  async ({ server, notes }) => {
    await notes.restore(testCaller(), restore("_trash/2026-07/P/A.md"));
    assert.equal(server.files.text("P/A.md"), "trashed text");
    assert.equal(server.files.text("_trash/2026-07/P/A.md"), null);
    await assert.rejects(
      notes.restore(testCaller(), restore("_trash/2026-07/P/A.md")),
      refusal("not_found"),
    );
  },
);

inBothDialects(
  "xmatthewx B11: a byte order mark and invalid bytes survive deletion and restoring",
  { "A.md": broken },
  async ({ server, notes }) => {
    await notes.remove(testCaller(), remove("A"));
    await notes.restore(testCaller(), restore("A"));
    assert.deepEqual(server.files.get("A.md")?.bytes, broken);
  },
);

inBothDialects(
  "xmatthewx B13: no page is moved into the trash or out of it, in whatever case it is written",
  { "A.md": "text", "_trash/2026-07/T.md": "t" },
  async ({ server, notes }) => {
    for (
      const [from, to] of [["A", "_Trash/A"], ["A", "_TRASH/2026-07/A"], ["_trash/2026-07/T", "T"]] as const
    ) {
      await assert.rejects(notes.move(testCaller(), move(from, to)), refusal("forbidden_path"));
    }
    assert.deepEqual(server.files.paths().toSorted(), ["A.md", "_trash/2026-07/T.md"]);
  },
);

inBothDialects(
  "xmatthewx C5, B9: nothing is moved to a name that SilverBullet cannot open or would hide",
  { "A.md": "text" },
  async ({ server, notes }) => {
    for (
      const to of [
        "release-1.2",
        "a|b",
        "foo@1",
        "[[x]]",
        "price$5",
        "foo.MD",
        ".hidden",
        "a#b",
        "x\0y",
        "a/.b/c",
      ]
    ) {
      await assert.rejects(notes.move(testCaller(), move("A", to)), refusal("invalid_path"), to);
    }
    assert.deepEqual(server.files.paths(), ["A.md"]);
  },
);

inBothDialects(
  "xmatthewx C11: what a refused move says fits a move",
  { "A.md": "a", "B.md": "b" },
  async ({ notes }) => {
    await assert.rejects(
      notes.move(testCaller(), move("A", "B")),
      refusal("already_exists", ({ message, remedy }) => {
        assert.match(message, /destination page already exists: B\.md/);
        assert(!`${message} ${remedy}`.includes("write_page"));
      }),
    );
  },
);

inBothDialects(
  "xmatthewx C7: a move does not ask for the list of all files again and again",
  { "A.md": "a", "L.md": "[[A]]" },
  async ({ server, notes }) => {
    server.requests.clear();
    await notes.move(testCaller(), move("A", "B"));
    const lists = server.requests.all().filter(({ target }) => target === "/.fs" || target === "/.fs/");
    assert(lists.length <= 2, String(lists.length));
  },
);

/** A disk that does not tell cases apart, under a SilverBullet that answers 200 to a delete without deleting. */
function ignoringCase(store: MemoryStore): PageStore {
  async function real(path: PagePath): Promise<PagePath> {
    const entries = await store.list();
    return entries.find((entry) => entry.path.toLowerCase() === path.toLowerCase())?.path ?? path;
  }
  return {
    ...store,
    meta: async (path, options) => await store.meta(await real(path), options),
    read: async (path, options) => await store.read(await real(path), options),
    delete: async (path, options) => {
      if (await real(path) !== path) return { kind: "deleted", guarantee: "verified" };
      return await store.delete(path, options);
    },
  };
}

Deno.test("xmatthewx B14: on a disk that ignores case nothing passes for deleted or moved under a wrong name", async () => {
  await withNotes({ files: { "Alpha.md": "text" }, wrap: ignoringCase }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.remove(caller(), remove("alpha")), refusal("not_found"));
    await assert.rejects(notes.move(caller(), move("ALPHA", "Beta")), refusal("not_found"));
    await assert.rejects(notes.move(caller(), move("Alpha", "alpha")), refusal("already_exists"));
    assert.equal(store.text("Alpha.md"), "text");
    const etag = String((await notes.read(caller(), readRequest("Alpha"))).info["etag"]);
    await assert.rejects(notes.remove(caller(), remove("alpha", true, etag)), refusal("not_found"));
    await notes.move(caller(), move("Alpha", "Beta"));
    assert.deepEqual((await store.list()).map(({ path }) => path), ["Beta.md"]);
  });
});
