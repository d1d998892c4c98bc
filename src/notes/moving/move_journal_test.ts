import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../core/clock.ts";
import type { PagePath } from "../../core/page_name.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { openState, type State } from "../../state/state.ts";
import { refusal } from "../../../tests/support/notes.ts";
import { History } from "../past/history.ts";
import { type IntendedMove, MoveJournal } from "./move_journal.ts";
import { Retention } from "../past/retention.ts";

const [from, to, linking] = ["A.md", "B.md", "L.md"] as PagePath[];

function side(text: string) {
  const bytes = new TextEncoder().encode(text);
  return { hash: sha256Hex(bytes), bytes };
}

function intended(undoes: string | null = null): IntendedMove {
  return {
    from: from as PagePath,
    to: to as PagePath,
    steps: [
      { path: to as PagePath, before: null, after: { hash: sha256Hex("text"), bytes: null } },
      { path: linking as PagePath, before: side("[[A]]"), after: side("[[B]]") },
      { path: from as PagePath, before: { hash: sha256Hex("text"), bytes: null }, after: null },
    ],
    undoes,
    principal: "token:test",
    client: null,
    tool: "move_page",
    requestId: "r",
  };
}

async function withJournal(
  work: (test: { state: State; history: History; journal: MoveJournal }) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "journal-"));
  const state = openState({ dir });
  try {
    const history = new History({ state, clock: systemClock });
    await work({ state, history, journal: new MoveJournal({ state, history, clock: systemClock }) });
  } finally {
    state.close();
    rmSync(dir, { recursive: true });
  }
}

function countOf(state: State, table: "moves" | "move_steps" | "texts"): unknown {
  return state.db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"];
}

Deno.test("a move is on record with every text before its first step, and gives them up at its end", async () => {
  await withJournal(async ({ state, history, journal }) => {
    const id = await journal.begin(intended());
    assert.match(id, /^m[0-9a-z]{12}$/);
    assert.deepEqual(journal.open().map((move) => [move.id, move.from, move.to, move.state]), [
      [id, from, to, "running"],
    ]);
    assert.deepEqual(
      journal.steps(id),
      [
        { path: to, before: null, after: sha256Hex("text") },
        { path: linking, before: sha256Hex("[[A]]"), after: sha256Hex("[[B]]") },
        { path: from, before: sha256Hex("text"), after: null },
      ].toSorted((a, b) => String(a.path) < String(b.path) ? -1 : 1),
    );
    const everything = {
      state,
      history,
      clock: { ...systemClock, now: () => Date.now() + 1e12 },
      historyDays: 1,
      trashDays: 1,
      historyBytes: 0,
      hidden: () => true,
    };
    const retention = new Retention(everything);
    while (retention.prune());
    retention.forgetHidden();
    assert.equal(countOf(state, "texts"), 2, "an open move lost its texts");
    journal.turnBack(id);
    assert.equal(journal.find(id)?.state, "undoing");
    journal.end(id, "undone", { mended: false });
    assert.deepEqual([journal.open(), countOf(state, "move_steps"), countOf(state, "texts")], [[], 0, 0]);
    retention.forgetHidden();
    assert.equal(countOf(state, "moves"), 0);
  });
});

Deno.test("a process knows a move that another one has taken over", async () => {
  await withJournal(async ({ state, history, journal }) => {
    const id = await journal.begin(intended());
    const other = new MoveJournal({ state, history, clock: systemClock });
    assert.deepEqual([journal.isOurs(id), other.isOurs(id)], [true, false]);
    other.takeOver(id);
    assert.deepEqual([journal.isOurs(id), other.isOurs(id)], [false, true]);
  });
});

Deno.test("a move that came to its end after an interruption is told once; one that was taken back is known", async () => {
  await withJournal(async ({ journal }) => {
    const id = await journal.begin(intended());
    journal.end(id, "done", { mended: true });
    assert.deepEqual(journal.untold().map((move) => move.id), [id]);
    journal.told(id);
    assert.deepEqual(journal.untold(), []);
    assert.equal(journal.isUndone(id), false);
    assert.equal(journal.lastFrom(from as PagePath)?.id, id);
    const back = await journal.begin(intended(id));
    assert.equal(journal.isUndone(id), false);
    journal.end(back, "done", { mended: false });
    assert.equal(journal.isUndone(id), true);
  });
});

Deno.test("begin() tells the caller when it cannot record, and then nothing was begun", async () => {
  await withJournal(async ({ state, journal }) => {
    state.db.exec("DROP TABLE move_steps");
    await assert.rejects(journal.begin(intended()), refusal("internal"));
    assert.equal(countOf(state, "moves"), 0);
  });
});
