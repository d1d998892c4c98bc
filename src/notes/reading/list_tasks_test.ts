import assert from "node:assert/strict";
import { check, tasks } from "../../../tests/support/edits.ts";
import { refusal, withNotes } from "../../../tests/support/notes.ts";

const page = [
  "* [ ] one [[Plan]] #home",
  "  * [x] two $two",
  "- [>] three #home #work",
  "- [ ] four [[Other@12]] $four",
  "```",
  "- [ ] code",
  "```",
  "",
].join("\n");

Deno.test("tasks() lists the tasks of a page with what names them", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller }) => {
    const answer = await notes.tasks(caller(), tasks());
    assert.deepEqual(answer.tasks, [
      { page: "A", line: 1, state: " ", done: false, text: "one [[Plan]] #home", ref: "Plan" },
      { page: "A", line: 2, state: "x", done: true, text: "two $two", ref: "$two" },
      { page: "A", line: 3, state: ">", done: false, text: "three #home #work" },
      { page: "A", line: 4, state: " ", done: false, text: "four [[Other@12]] $four", ref: "$four" },
    ]);
    assert.equal(answer.total, 4);
    assert.equal("next_cursor" in answer, false);
    assert.match(String(answer.etag), /^p/);
  });
});

Deno.test("tasks() can be told which, by state and by tag", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller }) => {
    const found = async (more: Parameters<typeof tasks>[0]) =>
      (await notes.tasks(caller(), tasks(more))).tasks.map(({ line }) => line);
    assert.deepEqual(await found({ state: "open" }), [1, 3, 4]);
    assert.deepEqual(await found({ state: "done" }), [2]);
    assert.deepEqual(await found({ state: "[>]" }), [3]);
    assert.deepEqual(await found({ state: "[ ]" }), [1, 4]);
    assert.deepEqual(await found({ tag: "home" }), [1, 3]);
    assert.deepEqual(await found({ tag: "#work", state: "open" }), [3]);
    assert.deepEqual(await found({ tag: "none" }), []);
    for (const state of ["todo", "[]", "x", "[a:b]"]) {
      await assert.rejects(notes.tasks(caller(), tasks({ state })), refusal("invalid_argument"));
    }
  });
});

Deno.test("tasks() comes in parts, and what was listed is not listed again when the page changes", async () => {
  const many = Array.from({ length: 25 }, (_, index) => `- [ ] task ${index}`);
  await withNotes({ files: { "A.md": many.join("\n") } }, async ({ notes, caller, store }) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const answer = await notes.tasks(caller(), tasks({ limit: 10, cursor }));
      assert.equal(answer.total, 25);
      seen.push(...answer.tasks.map(({ text }) => text));
      cursor = answer.next_cursor ?? null;
      store.put("A.md", many.join("\n") + "\nmore text\n");
    } while (cursor !== null);
    assert.deepEqual(seen, many.map((line) => line.slice(6)));
    for (const cursor of ["x", "t", "t!", "12-3-w0000000000000000"]) {
      await assert.rejects(notes.tasks(caller(), tasks({ cursor })), refusal("invalid_argument"));
    }
  });
});

Deno.test("tasks() asks for the right to read the page, and for text", async () => {
  const files = { "A.md": page, "Secret/S.md": page, "a.png": "x", "Bad.md": new Uint8Array([0xff]) };
  const settings = { hiddenPaths: ["Secret/**"] };
  await withNotes({ files, settings }, async ({ notes, caller }) => {
    const rights = { read: ["A"] };
    await assert.rejects(notes.tasks(caller({ rights }), tasks({ page: "B" })), refusal("forbidden_path"));
    await assert.rejects(notes.tasks(caller(), tasks({ page: "Secret/S" })), refusal("not_found"));
    await assert.rejects(notes.tasks(caller(), tasks({ page: "B" })), refusal("not_found"));
    for (const page of ["a.png", "Bad"]) {
      await assert.rejects(notes.tasks(caller(), tasks({ page })), refusal("invalid_argument"));
    }
  });
});

Deno.test("the etag of a list guards a task that is named by its line", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
    const { etag = null } = await notes.tasks(caller(), tasks());
    store.put("A.md", `- [ ] new\n${page}`);
    await assert.rejects(notes.checkTask(caller(), check({ line: 1, ifMatch: etag })), refusal("conflict"));
    store.put("A.md", page);
    await notes.checkTask(caller(), check({ line: 1, ifMatch: etag }));
    assert.equal(store.text("A.md"), page.replace("* [ ] one", "* [x] one"));
  });
});

Deno.test("tasks() goes by the rules of the server: tasks in comments count from 2.11 on", async () => {
  const text = "<!--\n- [ ] hidden\n-->\n- [ ] shown\n";
  const of = async (dialect: "conditional" | "guarded", version: string | null) => {
    let lines: number[] = [];
    await withNotes({ files: { "A.md": text }, facts: { dialect, version } }, async ({ notes, caller }) => {
      lines = (await notes.tasks(caller(), tasks())).tasks.map(({ line }) => line);
    });
    return lines;
  };
  assert.deepEqual(await of("guarded", "2.10.0"), [4]);
  assert.deepEqual(await of("guarded", null), [4]);
  assert.deepEqual(await of("guarded", "2.11.3"), [2, 4]);
  assert.deepEqual(await of("conditional", null), [2, 4]);
});
