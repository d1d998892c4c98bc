import assert from "node:assert/strict";
import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { PageRevisions } from "../../core/page_revisions.ts";
import { cites } from "../../../tests/requirements.ts";
import { everything, openTestNotes, refusal, withNotes } from "../../../tests/support/notes.ts";

function write(page: string, content: string) {
  return { page, content, ifMatch: "*", dryRun: false };
}

function move(from: string, to: string) {
  return { from, to, updateLinks: true, ifMatch: null, dryRun: false };
}

const remove = (page: string) => ({ page, permanent: false, ifMatch: null, dryRun: false });

Deno.test("history lists every change of a page, newest first: when, who, with which tool, and what", async () => {
  cites("notes.page-history");
  await withNotes({ files: { "A.md": "one\n" } }, async ({ notes, caller }) => {
    const first = await notes.overwrite(caller({ tool: "write_page" }), write("A", "two\n"));
    const other = { ...caller({ id: "token:other", tool: "append_to_page" }), client: "Some client" };
    await notes.append(other, {
      page: "A",
      content: "three",
      section: null,
      ifMatch: null,
      dryRun: false,
      retries: null,
    });
    await notes.remove(caller({ tool: "delete_page" }), remove("A"));
    const { page, path, changes, more } = await notes.history(caller(), { page: "A", limit: 10 });
    assert.deepEqual([page, path, more], ["A", "A.md", undefined]);
    assert.deepEqual(changes.map(({ action, tool, client }) => [action, tool, client]), [
      ["delete", "delete_page", "token:test"],
      ["append", "append_to_page", "Some client"],
      ["write", "write_page", "token:test"],
    ]);
    assert.equal(changes[2]?.change, first.change);
    assert.match(changes[2]?.diff ?? "", /-one\n\+two/);
    assert.match(changes[0]?.time ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    await notes.undo(caller(), { change: changes[0]?.change ?? "", ifMatch: null, dryRun: false });
    const after = await notes.history(caller(), { page: "A", limit: 10 });
    assert.deepEqual(after.changes.map(({ action, undone }) => [action, undone]), [
      ["restore", undefined],
      ["delete", true],
      ["append", undefined],
      ["write", undefined],
    ]);
    const part = await notes.history(caller(), { page: "A", limit: 2 });
    assert.deepEqual([part.changes.length, part.more], [2, true]);
  });
});

Deno.test("history follows a page through its moves, and names a move by its own id", async () => {
  await withNotes({ files: { "A.md": "one\n", "L.md": "[[A]]\n" } }, async ({ notes, caller }) => {
    await notes.overwrite(caller(), write("A", "two\n"));
    const first = await notes.move(caller(), move("A", "B"));
    await notes.move(caller(), move("B", "C/D"));
    await notes.overwrite(caller(), write("C/D", "three\n"));
    const { changes } = await notes.history(caller(), { page: "C/D", limit: 10 });
    assert.deepEqual(changes.map(({ action, moved_from }) => [action, moved_from]), [
      ["write", undefined],
      ["move", "B"],
      ["move", "A"],
      ["write", undefined],
    ]);
    assert.equal(changes[2]?.change, first.change);
    assert.deepEqual(changes.map(({ diff }) => diff === undefined), [false, true, true, false]);
    const { changes: old } = await notes.history(caller(), { page: "A", limit: 10 });
    assert.deepEqual(old.map(({ action, moved_to }) => [action, moved_to]), [["move", "B"], [
      "write",
      undefined,
    ]]);
    const { changes: linking } = await notes.history(caller(), { page: "L", limit: 10 });
    assert.deepEqual(linking.map(({ action }) => action), ["links", "links"]);
    assert.match(linking[1]?.diff ?? "", /-\[\[A\]\]\n\+\[\[B\]\]/);
  });
});

Deno.test("of a move history shows the links that changed on the page itself, and no more", async () => {
  await withNotes({ files: { "F/A.md": "[b](B)\nother\n", "F/B.md": "b" } }, async ({ notes, caller }) => {
    await notes.move(caller(), move("F/A", "A"));
    const { changes } = await notes.history(caller(), { page: "A", limit: 5 });
    assert.equal(changes.length, 1);
    assert.match(changes[0]?.diff ?? "", /^@@[^\n]*\n-\[b\]\(B\)\n\+\[b\]\(F\/B\)\n$/);
    const stranger = caller({ rights: { read: ["A"] } });
    assert(!JSON.stringify(await notes.history(stranger, { page: "A", limit: 5 })).includes("F/"));
  });
});

Deno.test("history tells nothing of pages that the caller may not read", async () => {
  await withNotes({ files: { "Private/A.md": "secret words\n" } }, async ({ notes, caller }) => {
    await notes.overwrite(caller(), write("Private/A", "more secret words\n"));
    await notes.move(caller(), move("Private/A", "Open/B"));
    await notes.overwrite(caller(), write("Open/B", "public\n"));
    const reader = caller({ rights: { read: ["Open/**"] } });
    const answer = await notes.history(reader, { page: "Open/B", limit: 10 });
    assert.deepEqual(answer.changes.map(({ action }) => action), ["write", "move"]);
    assert(!JSON.stringify(answer).includes("Private"));
    await assert.rejects(notes.history(reader, { page: "Private/A", limit: 10 }), refusal("forbidden_path"));
    const { read: _, ...blind } = everything;
    await assert.rejects(
      notes.history(caller({ rights: blind }), { page: "Open/B", limit: 10 }),
      refusal("forbidden_path"),
    );
    const told: string[] = [];
    for (const page of ["Private/A", "Never/A"]) {
      await notes.history(caller({ hidden: ["Private/**", "Never/**"] }), { page, limit: 10 })
        .catch((error: AppError) => told.push(error.message.replaceAll(page, "PAGE")));
    }
    assert.equal(told.length, 2);
    assert.equal(told[0], told[1]);
  });
});

Deno.test("history stays small, and says where it was cut", async () => {
  await withNotes({ files: { "A.md": "x" } }, async ({ notes, caller }) => {
    for (let edit = 0; edit < 30; edit++) {
      await notes.overwrite(caller(), write("A", `${edit}\n${"long line of words\n".repeat(100)}${edit}`));
    }
    const answer = await notes.history(caller(), { page: "A", limit: 30 });
    assert(JSON.stringify(answer).length < 20_000);
    assert.equal(answer.changes.length, 30);
    assert(answer.changes.some(({ diff_cut }) => diff_cut));
  });
});

function revisions(found: Partial<PageRevisions>): PageRevisions {
  return {
    of: () => Promise.resolve(null),
    read: () => Promise.resolve(null),
    snapshot: () => Promise.resolve(false),
    ...found,
  };
}

Deno.test("SilverBullet's own history and ours are one list; without it ours is shown, and that is said", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async ({ notes, caller, store, state }) => {
    await notes.overwrite(caller(), write("A", "two\n"));
    const rev = (digit: string) => digit.repeat(40);
    const list = [
      { rev: rev("b"), time: Date.now() + 60_000, author: "Ann", message: "Update Secret.md" },
      { rev: rev("a"), time: 1_700_000_000_000, author: null, message: null },
    ];
    const asked: string[] = [];
    const with_ = openTestNotes(store, {
      state,
      revisions: revisions({
        of: (path) => {
          asked.push(path);
          return Promise.resolve(list);
        },
      }),
    });
    const answer = await with_.history(caller(), { page: "A", limit: 10 });
    assert.deepEqual(asked, ["A.md"]);
    assert.deepEqual(answer.changes.map(({ action, revision, client }) => [action, revision, client]), [
      ["revision", rev("b"), "Ann"],
      ["write", undefined, "token:test"],
      ["revision", rev("a"), undefined],
    ]);
    assert(!JSON.stringify(answer).includes("Secret"));
    const failure = new AppError({
      code: "upstream",
      upstream: "timeout",
      message: "No",
      remedy: "Try again later.",
    });
    const without = openTestNotes(store, {
      state,
      revisions: revisions({ of: () => Promise.reject(failure) }),
    });
    const less = await without.history(caller(), { page: "A", limit: 10 });
    assert.equal(less.changes.length, 1);
    assert.match(less.note ?? "", /could not be asked/);
    await with_.close();
    await without.close();
  });
});

Deno.test("history of a page that nobody changed is empty, and of one that never was an error", async () => {
  await withNotes({ files: { "A.md": "one", "v1.2.md": "odd" } }, async ({ notes, caller }) => {
    assert.deepEqual((await notes.history(caller(), { page: "A", limit: 5 })).changes, []);
    await assert.rejects(notes.history(caller(), { page: "B", limit: 5 }), refusal("not_found"));
    await notes.remove(caller(), remove("v1.2"));
    const { path, changes } = await notes.history(caller(), { page: "v1.2", limit: 5 });
    assert.deepEqual([path, changes.length], ["v1.2.md" as PagePath, 1]);
  });
});
