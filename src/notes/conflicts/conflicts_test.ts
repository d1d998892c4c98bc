import assert from "node:assert/strict";
import type { PagePath } from "../../core/page_name.ts";
import type { PageStore } from "../../core/page_store.ts";
import type { MemoryStore } from "../../silverbullet/memory_store.ts";
import { cites } from "../../../tests/requirements.ts";
import { everything, openTestNotes, readRequest, refusal, withNotes } from "../../../tests/support/notes.ts";
import type { ResolveRequest } from "../past/past_requests.ts";

const [a, b, c] = ["a", "b", "c"].map((digit) => digit.repeat(64));

function marked(first: string, second: string, base = "base\n"): string {
  return `<<<<<<< SB sha256:${a}\n${first}||||||| SB BASE sha256:${b}\n${base}=======\n${second}>>>>>>> SB sha256:${c}\n`;
}

function gitMarked(first: string, second: string): string {
  return `<<<<<<< HEAD\n${first}=======\n${second}>>>>>>> other\n`;
}

function resolve(
  page: string,
  keep: ResolveRequest["keep"],
  more: Partial<ResolveRequest> = {},
): ResolveRequest {
  return { page, keep, content: null, ifMatch: null, dryRun: false, ...more };
}

async function texts(store: MemoryStore): Promise<Record<string, string | null>> {
  return Object.fromEntries((await store.list()).map(({ path }) => [path, store.text(path)]));
}

Deno.test("conflicts are found in every spelling: copies of old and new clients, SilverBullet's markers, git's", async () => {
  cites("notes.conflicts");
  const files = {
    "A.md": "a",
    "A.conflicted:1751360000000.md": "older client",
    "img/b.conflicted-0a1b2c.png": "newer client",
    "M.md": `one\n${marked("ours\n", "theirs\n")}two\n`,
    "G.md": gitMarked("ours\n", "theirs\n"),
    "Code.md": `\`\`\`\n${gitMarked("x\n", "y\n")}\`\`\`\n<<<<<<< is how it looks\n`,
    "_trash/2026-07/T.md": marked("x\n", "y\n"),
    "Fine.md": "a.conflicted thing",
  };
  await withNotes({ files }, async ({ notes, caller }) => {
    const { conflicts, total, searched, note } = await notes.conflicts(caller(), { prefix: "", limit: 50 });
    assert.deepEqual([total, note], [4, undefined]);
    assert.equal(searched, 6);
    assert.deepEqual(conflicts.map(({ page, kind, copy, locked }) => [page, kind, copy, locked]), [
      ["A", "copy", "A.conflicted:1751360000000.md", undefined],
      ["G", "git_markers", undefined, undefined],
      ["M", "markers", undefined, true],
      ["img/b.png", "copy", "img/b.conflicted-0a1b2c.png", undefined],
    ]);
    assert.deepEqual(conflicts[2]?.places, [{ line: 2, ours: "ours\n", theirs: "theirs\n" }]);
    const part = await notes.conflicts(caller(), { prefix: "img/", limit: 50 });
    assert.deepEqual(part.conflicts.map(({ page }) => page), ["img/b.png"]);
    const one = await notes.conflicts(caller(), { prefix: "", limit: 1 });
    assert.deepEqual([one.conflicts.length, one.total], [1, 4]);
  });
});

Deno.test("conflicts of pages that the caller may not read are not there", async () => {
  const files = {
    "Secret/A.md": marked("secret\n", "words\n"),
    "Secret/B.conflicted-0a1b2c.md": "secret",
    "Shut/C.md": marked("shut\n", "words\n"),
    "Open/D.md": gitMarked("x\n", "y\n"),
  };
  await withNotes({ files, settings: { hiddenPaths: ["Secret/**"] } }, async ({ notes, caller, store }) => {
    const who = caller({ rights: { ...everything, read: ["Open/**", "Secret/**"], write: ["Open/**"] } });
    const answer = await notes.conflicts(who, { prefix: "", limit: 50 });
    assert.deepEqual(answer.conflicts.map(({ page }) => page), ["Open/D"]);
    assert.deepEqual([answer.total, answer.searched], [1, 1]);
    const before = await texts(store);
    for (const page of ["Secret/A", "Secret/B", "Secret/B.conflicted-0a1b2c", "Secret/Never"]) {
      await assert.rejects(notes.resolve(caller(), resolve(page, "ours")), refusal("not_found"), page);
    }
    await assert.rejects(notes.resolve(who, resolve("Shut/C", "ours")), refusal("forbidden_path"));
    assert.deepEqual(await texts(store), before);
  });
});

Deno.test("markers are resolved to one side, and the page is open again", async () => {
  const text = `\ufeffone\r\n${marked("ours\n", "theirs\n")}mid\n${gitMarked("left\n", "right\n")}end`;
  for (
    const [keep, expected] of [["ours", "ours\nmid\nleft\n"], ["theirs", "theirs\nmid\nright\n"]] as const
  ) {
    await withNotes({ files: { "M.md": text } }, async ({ notes, caller, store }) => {
      const locked = { page: "M", content: "x", ifMatch: "*", dryRun: false };
      await assert.rejects(notes.overwrite(caller(), locked), refusal("protected"));
      const preview = await notes.resolve(caller(), resolve("M", keep, { dryRun: true }));
      assert.equal(store.text("M.md"), text);
      const { if_match: ifMatch = "" } = preview;
      const answer = await notes.resolve(caller(), resolve("M", keep, { ifMatch }));
      assert.equal(store.text("M.md"), `\ufeffone\r\n${expected}end`);
      assert.equal(answer.resolved, "markers");
      assert.equal(answer.diff, preview.diff);
      await notes.overwrite(caller(), locked);
      await notes.undo(caller(), { change: null, ifMatch: null, dryRun: false });
      await notes.undo(caller(), { change: null, ifMatch: null, dryRun: false });
      assert.equal(store.text("M.md"), text);
    });
  }
});

Deno.test("a merged text needs the whole version it was made from, and leaves no marker", async () => {
  await withNotes({ files: { "M.md": marked("ours\n", "theirs\n") } }, async ({ notes, caller, store }) => {
    const merged = (content: string | null, ifMatch: string | null) =>
      notes.resolve(caller(), resolve("M", "merged", { content, ifMatch }));
    await assert.rejects(merged(null, null), refusal("invalid_argument"));
    await assert.rejects(merged("both\n", null), refusal("precondition_required"));
    const part = readRequest("M", { view: "lines", startLine: 1, endLine: 1 });
    const partial = String((await notes.read(caller(), part)).info["etag"]);
    await assert.rejects(merged("both\n", partial), refusal("precondition_required"));
    const etag = String((await notes.read(caller(), readRequest("M"))).info["etag"]);
    await assert.rejects(merged(marked("x\n", "y\n"), etag), refusal("protected"));
    await assert.rejects(
      notes.resolve(caller(), resolve("M", "ours", { content: "x" })),
      refusal("invalid_argument"),
    );
    store.put("M.md", marked("ours\n", "theirs, edited\n"));
    await assert.rejects(merged("both\n", etag), refusal("conflict"));
    store.put("M.md", marked("ours\n", "theirs\n"));
    const answer = await merged("ours and theirs\n", etag);
    assert.equal(store.text("M.md"), "ours and theirs\n");
    assert.match(answer.etag ?? "", /^v/);
  });
});

Deno.test("half a marker is resolved by a whole text only", async () => {
  const half = `<<<<<<< SB sha256:${a}\nours\n`;
  await withNotes({ files: { "M.md": half } }, async ({ notes, caller, store }) => {
    for (const keep of ["ours", "theirs"] as const) {
      await assert.rejects(notes.resolve(caller(), resolve("M", keep)), refusal("protected"));
    }
    const ifMatch = String((await notes.read(caller(), readRequest("M"))).info["etag"]);
    await notes.resolve(caller(), resolve("M", "merged", { content: "ours\n", ifMatch }));
    assert.equal(store.text("M.md"), "ours\n");
  });
});

Deno.test("a copy is resolved to the page, to the copy, or to a text of both, and goes recoverably", async () => {
  const copy = "F/A.conflicted:1751360000000.md";
  const files = { "F/A.md": "page\n", [copy]: "copy\n" };
  for (const named of ["F/A", copy]) {
    await withNotes({ files }, async ({ notes, caller, store }) => {
      const answer = await notes.resolve(caller(), resolve(named, "theirs"));
      assert.deepEqual(await texts(store), { "F/A.md": "copy\n" });
      assert.deepEqual([answer.page, answer.resolved, answer.copy], ["F/A", "copy", copy]);
      await notes.undo(caller(), { change: answer.copy_change ?? "", ifMatch: null, dryRun: false });
      await notes.undo(caller(), { change: answer.change ?? "", ifMatch: null, dryRun: false });
      assert.deepEqual(await texts(store), files);
      const kept = await notes.resolve(caller(), resolve(named, "ours"));
      assert.deepEqual(await texts(store), { "F/A.md": "page\n" });
      assert.equal(kept.unchanged, true);
    });
  }
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const ifMatch = String((await notes.read(caller(), readRequest("F/A"))).info["etag"]);
    await notes.resolve(caller(), resolve("F/A", "merged", { content: "page and copy\n", ifMatch }));
    assert.deepEqual(await texts(store), { "F/A.md": "page and copy\n" });
  });
});

Deno.test("copies of files, of pages that are gone, and several of one page", async () => {
  const bytes = new Uint8Array([1, 255, 0, 254]);
  const files = {
    "b.png": new Uint8Array([9]),
    "b.conflicted-0a1b2c.png": bytes,
    "Gone.conflicted-0a1b2c.md": "was gone",
    "S.md": "s",
    "S.conflicted-0a1b2c.md": "s1",
    "S.conflicted-0a1b2d.md": "s2",
  };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.resolve(caller(), resolve("b.png", "merged", { content: "x", ifMatch: "*" })),
      refusal("invalid_argument"),
    );
    await notes.resolve(caller(), resolve("b.png", "theirs"));
    assert.deepEqual((await store.read("b.png" as PagePath))?.bytes, bytes);
    await notes.resolve(caller(), resolve("Gone", "theirs"));
    assert.equal(store.text("Gone.md"), "was gone");
    await assert.rejects(
      notes.resolve(caller(), resolve("S", "ours")),
      refusal("ambiguous", ({ details }) => {
        assert.deepEqual(details["copies"], ["S.conflicted-0a1b2c.md", "S.conflicted-0a1b2d.md"]);
      }),
    );
    await notes.resolve(caller(), resolve("S.conflicted-0a1b2d", "theirs"));
    await notes.resolve(caller(), resolve("S", "ours"));
    assert.equal(store.text("S.md"), "s2");
    await assert.rejects(notes.resolve(caller(), resolve("S", "ours")), refusal("no_match"));
    assert.equal((await store.list()).length, 3);
  });
});

Deno.test("choosing a side makes nothing run that did not", async () => {
  const lua = "```space-lua\nx = 1\n```\n";
  // What hides the block from SilverBullet is on the side that goes.
  const files = { "M.md": `${marked("", "````\n", "")}${lua}\`\`\`\`\n`, "N.md": marked(lua, "nothing\n") };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.resolve(caller(), resolve("M", "ours")), refusal("protected"));
    assert.equal(store.text("M.md"), files["M.md"]);
    await notes.resolve(caller(), resolve("N", "ours"));
    assert.equal(store.text("N.md"), lua);
  });
  const copies = {
    "C.md": "text\n",
    "C.conflicted-0a1b2c.md": lua,
    "CONFIG.md": "x",
    "CONFIG.conflicted-0a1b2c.md": "y",
  };
  await withNotes({ files: copies }, async ({ notes, caller, store }) => {
    await notes.resolve(caller(), resolve("C", "theirs"));
    assert.equal(store.text("C.md"), lua);
    await assert.rejects(notes.resolve(caller(), resolve("CONFIG", "theirs")), refusal("protected"));
  });
});

Deno.test("a copy that changes meanwhile stays, and so does one whose page could not be confirmed", async () => {
  const files = { "A.md": "page", "A.conflicted-0a1b2c.md": "copy" };
  const hand = (store: MemoryStore): PageStore => ({
    ...store,
    write: (path, bytes, options) => {
      store.put("A.conflicted-0a1b2c.md", "copy, edited");
      return store.write(path, bytes, options);
    },
  });
  await withNotes({ files, wrap: hand }, async ({ notes, caller, store }) => {
    const answer = await notes.resolve(caller(), resolve("A", "theirs"));
    assert.deepEqual(await texts(store), { "A.md": "copy", "A.conflicted-0a1b2c.md": "copy, edited" });
    assert.match(answer.warnings?.join() ?? "", /still there/);
  });
  const unsure = (store: MemoryStore): PageStore => ({
    ...store,
    write: async (path, bytes, options) => {
      const result = await store.write(path, bytes, options);
      return result.kind === "written" ? { ...result, guarantee: "unverified" } : result;
    },
  });
  await withNotes({ files, wrap: unsure }, async ({ notes, caller, store }) => {
    const answer = await notes.resolve(caller(), resolve("A", "theirs"));
    assert.equal(store.text("A.conflicted-0a1b2c.md"), "copy");
    assert.match(answer.warnings?.join() ?? "", /could not be confirmed/);
  });
});

Deno.test("without a history a copy goes to the trash folder", async () => {
  const files = { "A.md": "page", "A.conflicted-0a1b2c.md": "copy" };
  await withNotes({ files, withState: false }, async ({ notes, caller, store }) => {
    const answer = await notes.resolve(caller(), resolve("A", "ours"));
    assert.equal(store.text(answer.trash_path ?? ""), "copy");
  });
});

Deno.test("an index narrows down which pages are looked through for markers", async () => {
  const files = { "M.md": marked("x\n", "y\n"), "N.md": marked("x\n", "y\n") };
  await withNotes({ files }, async ({ store, state, caller }) => {
    const notes = openTestNotes(store, {
      state,
      candidates: {
        linkingTo: () => Promise.resolve(null),
        containing: (text) => Promise.resolve(text === "<<<<<<<" ? ["M.md" as PagePath] : []),
      },
    });
    const answer = await notes.conflicts(caller(), { prefix: "", limit: 5 });
    assert.deepEqual(answer.conflicts.map(({ page }) => page), ["M"]);
    assert.equal(answer.searched, 2);
    await notes.close();
  });
});

Deno.test("a page too long to be taken apart keeps no other conflict from being listed", async () => {
  const files = {
    "G.md": gitMarked("ours\n", "theirs\n"),
    "Long.md": gitMarked("x\n", "y\n").repeat(40_000),
  };
  await withNotes({ files }, async ({ notes, caller }) => {
    const answer = await notes.conflicts(caller(), { prefix: "", limit: 10 });
    assert.deepEqual(answer.conflicts.map(({ page }) => page), ["G"]);
    assert.match(answer.note ?? "", /1 pages are too large/);
  });
});
