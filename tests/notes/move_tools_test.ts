/**
 * Moving, undoing, history and conflicts as a model meets them: arguments of other servers, answers, and what it reads
 * when one is refused, with remedies that hold when a script does exactly what they say.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createMemoryStore, type MemoryStore } from "../../src/silverbullet/memory_store.ts";
import {
  openTestNotes,
  testCaller,
  type TestCallerOptions,
  type TestNotesOptions,
  withNotes,
} from "../support/notes.ts";
import { type CallTool, type ToolAnswer, withNoteTools } from "../support/note_tools.ts";

const file = new URL("./__snapshots__/move_errors.json", import.meta.url);
const rewrite = Deno.env.get("SILVERBRIDGE_TEST_UPDATE_SNAPSHOTS") === "1";

Deno.test("move_page takes the arguments of both predecessors", async () => {
  const calls = [
    { name: "A", new_name: "B", max_retries: 3 },
    { from: "A", to: "B", update_links: "true" },
    { path: "A.md", to: "B.md", if_match: null },
  ];
  for (const input of calls) {
    await withNoteTools({ files: { "A.md": "x", "L.md": "[[A]]" } }, async (call, { store }) => {
      const { json, outcome } = await call("move_page", input);
      assert.equal(outcome.kind, "done", JSON.stringify(json));
      assert.deepEqual([json["moved"], json["page"], json["from"]], [true, "B", "A"]);
      assert.equal(store.text("L.md"), "[[B]]");
    });
  }
});

Deno.test("what one tool answers goes into the next: preview, move, history, undo", async () => {
  await withNoteTools({ files: { "A.md": "x\n", "L.md": "[[A]]\n" } }, async (call, { store }) => {
    const preview = await call("move_page", { from: "A", to: "B", dry_run: true });
    await call("move_page", { from: "A", to: "B", if_match: preview.json["if_match"] });
    const { json, outcome } = await call("page_history", { page: "B" });
    assert(outcome.kind === "done");
    assert.deepEqual(outcome.result.structured, json);
    const [change] = json["changes"] as { change: string; tool: string }[];
    assert.equal(change?.tool, "move_page");
    const shown = await call("undo", { change: change?.change, dry_run: true });
    const undone = await call("undo", { change: change?.change, if_match: shown.json["if_match"] });
    assert.equal(undone.json["undone"], change?.change);
    assert.deepEqual([store.text("A.md"), store.text("L.md"), store.text("B.md")], ["x\n", "[[A]]\n", null]);
    await call("append_to_page", { page: "A", content: "y" });
    await call("undo", {});
    assert.equal(store.text("A.md"), "x\n");
  });
});

Deno.test("server_status tells once of a move that was interrupted", async () => {
  await withNotes({ files: { "A.md": "x" } }, async ({ state }) => {
    state.db.exec(`INSERT INTO moves (id, time, from_path, to_path, state, runner, principal, tool, request)
      VALUES ('m000000000000', 1751360000000, 'A.md', 'B.md', 'running', 'dead', 'token:test', 'move_page', 'r')`);
    const store = createMemoryStore({ files: { "A.md": "x" } });
    const notes = openTestNotes(store, { state });
    await notes.settle(new AbortController().signal);
    assert.deepEqual(notes.mendedMoves(testCaller()), [
      { from: "A", to: "B", outcome: "undone", begun: "2025-07-01T08:53:20Z" },
    ]);
    await notes.close();
  });
  await withNoteTools({ files: { "A.md": "x" } }, async (call, { state }) => {
    state.db.exec(
      `INSERT INTO moves (id, time, from_path, to_path, state, mended, runner, principal, tool, request)
      VALUES ('m000000000000', 1751360000000, 'A.md', 'B.md', 'done', 'untold', 'x', 'token:test', 'move_page', 'r')`,
    );
    const first = await call("server_status", {});
    assert.deepEqual(first.json["interrupted_moves"], [
      { from: "A", to: "B", outcome: "finished", begun: "2025-07-01T08:53:20Z" },
    ]);
    assert.equal((await call("server_status", {})).json["interrupted_moves"], undefined);
  });
});

type Input = Readonly<Record<string, unknown>>;

interface Refused {
  readonly remedy: string;
  readonly json: Input;
  readonly call: CallTool;
  readonly again: (changed: Input) => Promise<ToolAnswer>;
}

interface Case {
  readonly tool: string;
  readonly input: Input;
  readonly code: string;
  readonly files?: TestNotesOptions["files"];
  readonly who?: TestCallerOptions;
  readonly settings?: TestNotesOptions["settings"];
  /** What happens before the call; may give more arguments. */
  readonly before?: (call: CallTool, store: MemoryStore) => Promise<Input | void>;
  /** Does what the remedy says; `null` where it speaks to people alone. */
  readonly follow: ((refused: Refused) => Promise<ToolAnswer>) | null;
}

const markers =
  `<<<<<<< SB sha256:${"a".repeat(64)}\nours\n||||||| SB BASE sha256:${"b".repeat(64)}\n=======\n` +
  `theirs\n>>>>>>> SB sha256:${"c".repeat(64)}\n`;

async function changeOf(answer: Promise<ToolAnswer>): Promise<Input> {
  return { change: (await answer).json["change"] };
}

const cases: Readonly<Record<string, Case>> = {
  "a page that is not there": {
    tool: "move_page",
    input: { from: "Alph", to: "B" },
    files: { "Alpha.md": "x" },
    code: "not_found",
    follow: ({ json, again }) => again({ from: (json["close_names"] as string[])[0] }),
  },
  "a destination that is taken": {
    tool: "move_page",
    input: { from: "A", to: "B" },
    files: { "A.md": "a", "B.md": "b" },
    code: "already_exists",
    async follow({ call, again }) {
      await again({ to: "C" });
      await call("move_page", { from: "B", to: "D" });
      return await call("move_page", { from: "C", to: "B" });
    },
  },
  "a destination that differs only in case": {
    tool: "move_page",
    input: { from: "Alpha", to: "alpha" },
    files: { "Alpha.md": "a" },
    code: "already_exists",
    async follow({ call, again }) {
      await again({ to: "Alpha for now" });
      return await call("move_page", { from: "Alpha for now", to: "alpha" });
    },
  },
  "a name that SilverBullet could not open": {
    tool: "move_page",
    input: { from: "A", to: "Release v1.2" },
    files: { "A.md": "a" },
    code: "invalid_path",
    follow: ({ json, again }) => again({ to: json["suggestion"] }),
  },
  "a file that loses its extension": {
    tool: "move_page",
    input: { from: "img/a.png", to: "img/b" },
    files: { "img/a.png": "a" },
    code: "invalid_path",
    follow: ({ json, again }) => again({ to: json["suggestion"] }),
  },
  "a version of the page that is gone": {
    tool: "move_page",
    input: { from: "A", to: "B" },
    files: { "A.md": "a\n" },
    code: "conflict",
    async before(call, store) {
      const { json } = await call("move_page", { from: "A", to: "B", dry_run: true });
      store.put("A.md", "changed\n");
      return { if_match: json["if_match"] };
    },
    async follow({ call, again }) {
      const { json } = await call("read_page", { page: "A" });
      return await again({ if_match: json["etag"] });
    },
  },
  "a place that the rights do not cover": {
    tool: "move_page",
    input: { from: "A", to: "Elsewhere/A" },
    files: { "A.md": "a" },
    who: { rights: { read: ["**"], delete: ["**"], create: ["Open/**"], write: ["**"] } },
    code: "forbidden_path",
    follow: ({ again }) => again({ to: "Open/A" }),
  },
  "a place that configures SilverBullet": {
    tool: "move_page",
    input: { from: "A", to: "CONFIG" },
    files: { "A.md": "a" },
    code: "protected",
    follow: ({ again }) => again({ to: "B" }),
  },
  "more pages than the client may change": {
    tool: "move_page",
    input: { from: "A", to: "B" },
    files: { "A.md": "a", "L.md": "[[A]]", "M.md": "[[A]]" },
    settings: { changesPerHour: { changed: 3, deleted: 3, explicit: true } },
    code: "rate_limited",
    follow: null,
  },
  "a change that is not known": {
    tool: "undo",
    input: { change: "c000000000000" },
    files: { "A.md": "a" },
    code: "not_found",
    async follow({ call, again }) {
      await call("append_to_page", { page: "A", content: "b" });
      const { json } = await call("page_history", { page: "A" });
      return await again({ change: (json["changes"] as { change: string }[])[0]?.change });
    },
  },
  "an id that never was one": {
    tool: "undo",
    input: { change: "the last one" },
    files: { "A.md": "a" },
    code: "invalid_argument",
    async follow({ call, again }) {
      return await again(await changeOf(call("append_to_page", { page: "A", content: "b" })));
    },
  },
  "nothing to undo": {
    tool: "undo",
    input: {},
    files: { "A.md": "a" },
    code: "not_found",
    async follow({ call, again }) {
      await call("append_to_page", { page: "A", content: "b" }, { id: "token:other" });
      const { json } = await call("page_history", { page: "A" });
      return await again({ change: (json["changes"] as { change: string }[])[0]?.change });
    },
  },
  "lines that were edited again since": {
    tool: "undo",
    input: {},
    files: { "A.md": "one\n" },
    code: "conflict",
    async before(call, store) {
      const change = await changeOf(
        call("patch_page_replace", { page: "A", find: "one", replace: "two" }),
      );
      store.put("A.md", "three\n");
      return change;
    },
    async follow({ json, call }) {
      const [hunk] = json["hunks"] as { was: string; is_now: string }[];
      return await call("patch_page_replace", { page: "A", find: hunk?.is_now, replace: hunk?.was });
    },
  },
  "a new page that was edited since": {
    tool: "undo",
    input: {},
    code: "conflict",
    async before(call, store) {
      const change = await changeOf(call("create_page", { page: "A", content: "a" }));
      store.put("A.md", "a and more");
      return change;
    },
    follow: ({ call }) => call("delete_page", { page: "A" }),
  },
  "a change that was undone already": {
    tool: "undo",
    input: {},
    files: { "A.md": "one\n" },
    code: "conflict",
    async before(call) {
      const change = await changeOf(call("append_to_page", { page: "A", content: "two" }));
      await call("undo", change);
      return change;
    },
    async follow({ call, again }) {
      const { json } = await call("page_history", { page: "A" });
      return await again({ change: (json["changes"] as { change: string }[])[0]?.change });
    },
  },
  "a change of a page that is gone": {
    tool: "undo",
    input: {},
    files: { "A.md": "one\n" },
    code: "conflict",
    async before(call) {
      const change = await changeOf(call("append_to_page", { page: "A", content: "two" }));
      await call("delete_page", { page: "A" });
      return change;
    },
    async follow({ call, again }) {
      await call("restore_page", { page: "A" });
      return await again({});
    },
  },
  "a page that was moved and not deleted": {
    tool: "restore_page",
    input: { page: "A" },
    files: { "A.md": "a" },
    code: "not_found",
    async before(call) {
      await call("move_page", { from: "A", to: "B" });
    },
    async follow({ json, call }) {
      await call("read_page", { page: json["moved_to"] });
      return await call("undo", { change: json["change"] });
    },
  },
  "a page without a conflict": {
    tool: "resolve_conflict",
    input: { page: "A", keep: "ours" },
    files: { "A.md": "a", "B.md": markers },
    code: "no_match",
    async follow({ call, again }) {
      const { json } = await call("list_conflicts", {});
      return await again({ page: (json["conflicts"] as { page: string }[])[0]?.page });
    },
  },
  "several copies of one page": {
    tool: "resolve_conflict",
    input: { page: "A", keep: "ours" },
    files: { "A.md": "a", "A.conflicted-0a1b2c.md": "b", "A.conflicted-0a1b2d.md": "c" },
    code: "ambiguous",
    follow: ({ json, again }) => again({ page: (json["copies"] as string[])[0] }),
  },
  "a merged text without a version": {
    tool: "resolve_conflict",
    input: { page: "A", keep: "merged", content: "both\n" },
    files: { "A.md": markers },
    code: "precondition_required",
    async follow({ call, again }) {
      const { json } = await call("read_page", { page: "A" });
      return await again({ if_match: json["etag"] });
    },
  },
  "markers that would be left": {
    tool: "resolve_conflict",
    input: { page: "A", keep: "ours" },
    files: { "A.md": `${markers}<<<<<<< SB sha256:${"d".repeat(64)}\n` },
    code: "protected",
    async follow({ call, again }) {
      const { json } = await call("read_page", { page: "A" });
      return await again({ keep: "merged", content: "ours\n", if_match: json["etag"] });
    },
  },
};

Deno.test("every refusal reads as it is kept, and its remedy, followed to the letter, succeeds", async () => {
  const texts: Record<string, string> = {};
  for (
    const [name, { tool, input, code, files = {}, who, settings, before, follow }] of Object.entries(cases)
  ) {
    await withNoteTools(
      { files, ...(settings === undefined ? {} : { settings }) },
      async (call, { store }) => {
        const more = await before?.(call, store) ?? {};
        const answer = await call(tool, { ...input, ...more }, who);
        assert.equal(answer.json["error"], code, `${name}: ${answer.texts.join(" ")}`);
        texts[name] = (answer.texts[0] ?? "").replace(/\b[cm][0-9a-z]{12}\b/g, "CHANGE")
          .replace(/\b[vp][0-9a-z]{16}\b/g, "ETAG");
        if (follow === null) return;
        const refused = {
          remedy: String(answer.json["remediation"]),
          json: answer.json,
          call,
          again: (changed: Input) => call(tool, { ...input, ...more, ...changed }, who),
        };
        const followed = await follow(refused);
        assert.equal(followed.outcome.kind, "done", `${name}: ${followed.texts.join(" ")}`);
      },
    );
  }
  const text = `${JSON.stringify(texts, null, 2)}\n`;
  if (rewrite) writeFileSync(file, text);
  assert.equal(text, readFileSync(file, "utf8"));
});
