import assert from "node:assert/strict";
import { check } from "../../../tests/support/edits.ts";
import { refusal, withNotes } from "../../../tests/support/notes.ts";

const page = [
  "---",
  "- [ ] no task [[R]]",
  "---",
  "* [ ] café [[Plan|the plan]] 😀",
  "  - [>] nested $anchor",
  "1. [x]   numbered [[R]]   ",
  "+ [ ] twice [[Twice]]",
  "+ [ ] again [[Twice]]",
  "```",
  "- [ ] code [[Code]]",
  "```",
  "- [ ] points [[Other@12]]",
  "",
].join("\n");

Deno.test("checkTask() flips the marker's bytes of the task that is named, and no other", async () => {
  const cases = [
    [{ ref: "Plan" }, "* [ ] café", "* [x] café", 4, "x"],
    [{ ref: "[[Plan|x]]" }, "* [ ] café", "* [x] café", 4, "x"],
    [{ ref: "Plan", state: "cancelled" }, "* [ ] café", "* [X] café", 4, "X"],
    [{ ref: "$anchor", state: "todo" }, "- [>] nested", "- [ ] nested", 5, " "],
    [{ ref: "R", state: "todo" }, "1. [x]  ", "1. [ ]  ", 6, " "],
    [{ line: 5, state: "[IN PROGRESS]" }, "- [>] nested", "- [IN PROGRESS] nested", 5, "IN PROGRESS"],
    [{ line: 8, text: "again [[Twice]]" }, "+ [ ] again", "+ [x] again", 8, "x"],
    [{ line: 8, text: "+ [ ] again [[Twice]]" }, "+ [ ] again", "+ [x] again", 8, "x"],
    [{ ref: "Twice", text: "again [[Twice]]" }, "+ [ ] again", "+ [x] again", 8, "x"],
  ] as const;
  for (const text of [page, page.replaceAll("\n", "\r\n"), `\ufeff${page}`]) {
    for (const [request, before, after, line, state] of cases) {
      await withNotes({ files: { "A.md": text } }, async ({ notes, caller, store }) => {
        const answer = await notes.checkTask(caller(), check(request));
        assert.equal(store.text("A.md"), text.replace(before, after), JSON.stringify(request));
        assert.deepEqual([answer.line, answer.state], [line, state]);
      });
    }
  }
});

Deno.test("checkTask() says so where SilverBullet itself would change another task too", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller }) => {
    const answer = await notes.checkTask(caller(), check({ line: 12 }));
    assert.match(String(answer.warnings), /The task that this one points to \(Other@12\) keeps its state/);
    assert.equal((await notes.checkTask(caller(), check({ line: 4 }))).warnings, undefined);
  });
});

Deno.test("checkTask() leaves a task alone that has the state already", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller }) => {
    assert.equal((await notes.checkTask(caller(), check({ ref: "R" }))).unchanged, true);
  });
});

Deno.test("checkTask() takes nothing in code or frontmatter for a task", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
    for (const request of [{ ref: "Code" }, { line: 10 }, { line: 2 }, { line: 1 }, { line: 99 }]) {
      await assert.rejects(notes.checkTask(caller(), check(request)), refusal("no_match"));
    }
    assert.equal(store.text("A.md"), page);
  });
});

Deno.test("checkTask() refuses a name that several tasks have, with each of them", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.checkTask(caller(), check({ ref: "Twice" })),
      refusal("ambiguous", (error) => {
        assert.match(error.message, /ref "Twice" matches 2 tasks, in lines 7, 8/);
        assert.deepEqual(error.details["tasks"], [
          { line: 7, state: " ", done: false, text: "twice [[Twice]]", ref: "Twice" },
          { line: 8, state: " ", done: false, text: "again [[Twice]]", ref: "Twice" },
        ]);
      }),
    );
    assert.equal(store.text("A.md"), page);
  });
});

Deno.test("checkTask() with another text in that line says where the text is", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller }) => {
    await assert.rejects(
      notes.checkTask(caller(), check({ line: 7, text: "again  [[Twice]]" })),
      refusal("no_match", (error) => {
        assert.match(error.message, /the task in line 7 has another text; a task of that text is in line 8/);
        assert.match(error.remedy, /Pass `line` 8/);
      }),
    );
    await assert.rejects(
      notes.checkTask(caller(), check({ ref: "None" })),
      refusal("no_match", (error) => assert.match(error.message, /no task with ref "None" among its 6/)),
    );
  });
});

Deno.test("checkTask() needs one name and a state that can stand in brackets", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller }) => {
    for (const request of [{}, { ref: "R", line: 6 }, { text: "again [[Twice]]" }]) {
      await assert.rejects(
        notes.checkTask(caller(), check(request)),
        refusal(
          "invalid_argument",
          ({ message }) => assert.match(message, /pass exactly one of ref or line/),
        ),
      );
    }
    for (const state of ["x", "", "[]", "[a:b]", "[a]b]", "[a\nb]", "finished"]) {
      await assert.rejects(
        notes.checkTask(caller(), check({ ref: "R", state })),
        refusal(
          "invalid_argument",
          ({ message }) => assert.match(message, /state must be one of: todo, done, cancelled/),
        ),
      );
    }
  });
});

Deno.test("checkTask() finds a task by the cut text that a list shows of it", async () => {
  const long = `${"word ".repeat(200)}end`;
  await withNotes({ files: { "A.md": `- [ ] ${long}\n` } }, async ({ notes, caller, store }) => {
    const request = { prefix: "", state: "all", tag: null, limit: 10, cursor: null, page: "A" };
    const [task] = (await notes.tasks(caller(), request)).tasks;
    assert(task !== undefined && task.text.endsWith("…") && task.text.length < 420);
    await notes.checkTask(caller(), check({ line: 1, text: task.text }));
    assert.equal(store.text("A.md"), `- [x] ${long}\n`);
    await assert.rejects(notes.checkTask(caller(), check({ line: 1, text: "wor…d" })), refusal("no_match"));
  });
});
