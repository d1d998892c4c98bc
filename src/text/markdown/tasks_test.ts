import assert from "node:assert/strict";
import { fc, forAll, pageText } from "../../../tests/support/page_texts.ts";
import { findTasks, stateProblem, withState } from "./tasks.ts";
import { scanBlocks } from "./blocks.ts";

function states(text: string): string[] {
  return findTasks(text).map(({ line, state, done, text }) =>
    `${line} [${state}]${done ? " done" : ""} ${text}`
  );
}

Deno.test("findTasks() finds items with a state, in any list, with any state", () => {
  const cases: Array<[string, string[]]> = [
    ["* [ ] a\n- [x] b\n+ [X] c\n1. [>] d\n2) [IN PROGRESS] e", [
      "1 [ ] a",
      "2 [x] done b",
      "3 [X] done c",
      "4 [>] d",
      "5 [IN PROGRESS] e",
    ]],
    ["* [ ]\n* [x]\ttab", ["1 [ ] ", "2 [x] done tab"]],
    ["* []\n* [ ]text\n* [a:b] c\n[ ] no list\n* text [ ] no", []],
    ["> * [ ] quoted\n\n- a\n  - [ ] nested", ["1 [ ] quoted", "4 [ ] nested"]],
    ["```\n* [ ] code\n```\n\n    * [ ] code\n\n<!--\n* [ ] hidden\n-->\n---\n* [ ] yes", ["11 [ ] yes"]],
    ["---\nx: |\n  * [ ] no\n---\n* [ ] yes", ["5 [ ] yes"]],
    ["* [ ] two\n  lines", ["1 [ ] two\n  lines"]],
    // One for each item: what follows in it that looks like another is its text.
    ["* [ ] one\n\n  [x] same item #tag\n  * [ ] below\n\n  [ ] same\n* [ ] next", [
      "1 [ ] one",
      "4 [ ] below",
      "7 [ ] next",
    ]],
    ["* words\n\n  [ ] first", ["3 [ ] first"]],
    ["\ufeff* [ ] é 😀\r\n* [x] CRLF\r\n", ["1 [ ] é 😀", "2 [x] done CRLF"]],
  ];
  for (const [text, expected] of cases) assert.deepEqual(states(text), expected, JSON.stringify(text));
});

Deno.test("findTasks() sees tasks in comments where the server's generation does", () => {
  const tasks = findTasks(scanBlocks("<!--\n* [ ] a\n-->\n* [ ] b", { comments: "markdown" }));
  assert.deepEqual(tasks.map(({ text, inComment, line }) => [text, inComment, line]), [["a", true, 2], [
    "b",
    false,
    4,
  ]]);
});

Deno.test("findTasks() names a task by its first link and its anchor, and knows its own tags", () => {
  const text =
    "* [ ] see [[Page#H|alias]] and [[Other]] #a $ref\n  more #b\n\n  para #c\n  * [ ] `[[no]]` #d";
  const [outer, inner] = findTasks(text);
  assert.deepEqual([outer?.ref, outer?.anchor, outer?.tags, outer?.depth], [
    "Page#H",
    "ref",
    ["a", "b", "c"],
    0,
  ]);
  assert.deepEqual([inner?.ref, inner?.anchor, inner?.tags, inner?.depth], [null, null, ["d"], 1]);
});

Deno.test("stateProblem() refuses what would be no state", () => {
  for (const state of ["", "]", "a:b", "a\nb", "a\r"]) {
    assert.notEqual(stateProblem(state), null, JSON.stringify(state));
  }
  for (const state of [" ", "x", ">", "IN PROGRESS", "✅"]) assert.equal(stateProblem(state), null, state);
});

Deno.test("withState() changes the state's own bytes, and back again", () => {
  forAll(
    fc.tuple(pageText, fc.nat(5), fc.constantFrom("x", " ", ">", "IN PROGRESS", "✅")),
    ([text, pick, state]) => {
      const tasks = findTasks(text);
      const task = tasks[pick % Math.max(1, tasks.length)];
      if (task === undefined) return;
      const changed = withState(text, task, state);
      const again = findTasks(changed);
      assert.deepEqual(again.map((one) => one.state), tasks.map((one) => one === task ? state : one.state));
      const same = again[tasks.indexOf(task)];
      assert.ok(same);
      assert.equal(withState(changed, same, text.slice(task.stateStart, task.stateEnd)), text);
    },
  );
});
