/**
 * Many writers with every kind of edit on a few pages at once, and the books that they keep: what was accepted, what may
 * have been made, and so what each page must hold in the end.
 *
 * Each writer has lines, a task, a frontmatter key and a marked word of its own on every page, so that what is there can
 * be told from what should be. All choices come from a seed; only the order in which the edits meet does not.
 */

import assert from "node:assert/strict";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/log.ts";
import { type Notes, openNotes } from "../../src/notes/notes.ts";
import type { ChangeAnswer } from "../../src/notes/requests.ts";
import { Texts } from "../../src/notes/reading/texts.ts";
import { openSilverBullet } from "../../src/silverbullet/silverbullet.ts";
import { openPathLock } from "../../src/state/path_lock.ts";
import { openState } from "../../src/state/state.ts";
import { append, check, frontmatter, prepend, replace } from "./edits.ts";
import { readRequest, testCaller, testSettings } from "./notes.ts";

export interface StormOptions {
  readonly url: string;
  readonly token?: string | null;
  readonly dir: string;
  readonly seed: number;
  readonly pages: readonly string[];
  readonly writers: number;
  readonly edits: number;
  /** How many programs the writers are spread over; all share one state folder. */
  readonly programs: number;
}

type Kind = "append" | "prepend" | "replace" | "task" | "frontmatter" | "write" | "merge";
const kinds: readonly Kind[] = ["append", "prepend", "replace", "task", "frontmatter", "write", "merge"];

export interface StormEdit {
  readonly page: string;
  readonly writer: number;
  readonly kind: Kind;
  /** What it leaves on the page: a line of its own, or the whole line whose word or state it changed. */
  readonly line: string;
  /** `maybe`: nobody could tell. */
  readonly outcome: "made" | "maybe";
  readonly answer: ChangeAnswer | null;
}

/** The text that every page of a storm begins with. */
export function stormPage(writers: number): string {
  const each = (line: (writer: number) => string) =>
    Array.from({ length: writers }, (_, writer) => line(writer)).join("");
  return `---\n${each((writer) => `k${writer}: 0\n`)}---\n# Log\n\n# Tasks\n\n` +
    `${each((writer) => `- [ ] task of ${writer} [[T${writer}]]\n`)}\n# Words\n\n` +
    `${each((writer) => `word of ${writer}: <0>\n`)}\n# End\n\nlast\n`;
}

/** Runs the storm; answers every edit that was made or may have been, each writer's in their order. */
export async function runStorm(options: StormOptions): Promise<StormEdit[]> {
  const programs = Array.from({ length: options.programs }, () => openProgram(options));
  const books: StormEdit[] = [];
  try {
    await Promise.all(Array.from({ length: options.writers }, async (_, writer) => {
      const program = programs[writer % programs.length];
      assert(program !== undefined);
      const random = seeded(options.seed * 1000 + writer);
      for (let number = 1; number <= options.edits; number++) {
        const page = options.pages[Math.floor(random() * options.pages.length)] ?? "";
        const kind = kinds[Math.floor(random() * kinds.length)] ?? "append";
        const edit = await makeEdit(program.notes, { page, kind, writer, number });
        if (edit !== null) books.push(edit);
      }
    }));
    return books;
  } finally {
    for (const program of programs) await program.close();
  }
}

function openProgram({ url, token = null, dir }: StormOptions) {
  const state = openState({ dir });
  const lock = openPathLock({ state, clock: systemClock, waitMs: 60_000 });
  const common = { clock: systemClock, lock, logger: silentLogger };
  const silverbullet = openSilverBullet({ ...common, url, token, readOnly: false });
  const notes = openNotes({
    ...common,
    store: silverbullet.store,
    facts: () => silverbullet.facts(),
    state,
    log: silentLogger,
    settings: testSettings,
  });
  return {
    notes,
    async close() {
      await notes.close();
      silverbullet.close();
      state.close();
    },
  };
}

interface Wanted {
  readonly page: string;
  readonly kind: Kind;
  readonly writer: number;
  readonly number: number;
}

/** One edit, until it is made, or may have been, or the server is found to refuse it for good. */
async function makeEdit(notes: Notes, wanted: Wanted): Promise<StormEdit | null> {
  const { page, kind, writer, number } = wanted;
  const line = lineOf(wanted);
  const made = { page, kind, writer, line };
  for (let tries = 0; tries < 200; tries++) {
    try {
      return { ...made, outcome: "made", answer: await attempt(notes, wanted, line) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.details["outcome"] === "unknown") return { ...made, outcome: "maybe", answer: null };
      assert(
        ["conflict", "upstream"].includes(error.code),
        `${kind} ${number}: ${error.code} ${error.message}`,
      );
    }
  }
  return null;
}

function lineOf({ kind, writer, number }: Wanted): string {
  switch (kind) {
    case "replace":
      return `word of ${writer}: <${number}>`;
    case "task":
      return `- [${number}] task of ${writer} [[T${writer}]]`;
    case "frontmatter":
      return `k${writer}: ${number}`;
    default:
      return `${kind} ${writer} ${number}`;
  }
}

async function attempt(
  notes: Notes,
  { page, kind, writer, number }: Wanted,
  line: string,
): Promise<ChangeAnswer> {
  const caller = testCaller({ id: `token:w${writer}`, tool: kind });
  const at = { page };
  switch (kind) {
    case "append":
      return await notes.append(caller, append(line, { ...at, section: number % 2 === 0 ? "Log" : null }));
    case "prepend":
      return await notes.prepend(caller, prepend(line, at));
    case "task":
      return await notes.checkTask(caller, check({ ...at, ref: `T${writer}`, state: `[${number}]` }));
    case "frontmatter":
      return await notes.setFrontmatter(caller, frontmatter(line, at));
    case "replace": {
      const { text } = await notes.read(caller, readRequest(page, { maxBytes: 1_000_000 }));
      const old = new RegExp(`^word of ${writer}: <\\d+>$`, "m").exec(text ?? "")?.[0] ?? "";
      return await notes.replace(caller, replace(old, line, at));
    }
    case "write":
    case "merge": {
      const { info, text } = await notes.read(caller, readRequest(page, { maxBytes: 1_000_000 }));
      const content = (text ?? "").replace("\n# End\n", () => `\n${line}\n\n# End\n`);
      const onConflict = kind === "merge" ? "merge" : "fail";
      return await notes.overwrite(caller, {
        page,
        content,
        ifMatch: String(info["etag"]),
        onConflict,
        dryRun: false,
      });
    }
  }
}

/** Mulberry32: small, even, the same everywhere. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface StormEnd {
  readonly page: string;
  readonly text: string;
  readonly writers: number;
  readonly books: readonly StormEdit[];
}

/**
 * Fails unless the page holds exactly what it began with, every edit that was made, and perhaps those that may have
 * been. Lines for which `isForeign` is true are another hand's and passed over. An edit may be missing only where its
 * answer said that another hand wrote over it.
 */
export function checkPage(
  { page, text, writers, books }: StormEnd,
  isForeign: (line: string) => boolean,
): void {
  const mine = books.filter((edit) => edit.page === page);
  const own = ({ kind }: StormEdit) => kind === "replace" || kind === "task" || kind === "frontmatter";
  const lines = text.split("\n").filter((line) => line !== "" && !isForeign(line));
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const [line, count] of counts) {
    assert(count === 1 || line === "---", `${page}: ${count} times ${line}`);
  }
  const expected = new Set<string>();
  for (const edit of mine.filter((edit) => !own(edit))) {
    expected.add(edit.line);
    if (edit.outcome === "made") {
      assert(counts.has(edit.line) || saidGone(edit), `${page} lacks ${edit.line}`);
    }
  }
  for (let writer = 0; writer < writers; writer++) {
    for (const kind of ["replace", "task", "frontmatter"] as const) {
      const all = mine.filter((edit) => edit.writer === writer && edit.kind === kind);
      const last = all.findLastIndex((edit) => edit.outcome === "made" && !saidGone(edit));
      const first = stormLine(writer, kind);
      const possible = [
        last < 0 ? first : all[last]?.line ?? first,
        ...all.slice(last + 1).map(({ line }) => line),
      ];
      assert(possible.some((line) => counts.has(line)), `${page} holds none of ${possible.join(" | ")}`);
      for (const line of possible) expected.add(line);
    }
  }
  const fixed = ["---", "# Log", "# Tasks", "# Words", "# End", "last"];
  for (const line of fixed) assert(counts.has(line), `${page} lacks ${line}`);
  const strange = [...counts.keys()].filter((line) => !expected.has(line) && !fixed.includes(line));
  assert.deepEqual(strange, [], `${page} holds what nobody wrote`);
}

function stormLine(writer: number, kind: "replace" | "task" | "frontmatter"): string {
  if (kind === "task") return `- [ ] task of ${writer} [[T${writer}]]`;
  return kind === "replace" ? `word of ${writer}: <0>` : `k${writer}: 0`;
}

/** The answer told that another hand wrote over the edit, or that nobody could see. */
export function saidGone({ answer }: StormEdit): boolean {
  return answer?.guarantee === "unverified" &&
    (answer.warnings ?? []).some((warning) => /no longer on the page|could not be confirmed/.test(warning));
}

/** Fails unless every edit that was made is in the history with a text that has it. */
export function checkHistory(dir: string, books: readonly StormEdit[]): void {
  const state = openState({ dir });
  try {
    const texts = new Texts(state);
    const row = state.db.prepare("SELECT path, outcome, before_hash, after_hash FROM changes WHERE id = ?");
    for (const { page, line, answer, outcome } of books) {
      if (outcome !== "made" || answer?.unchanged === true) continue;
      const found = row.get(answer?.change ?? "");
      assert(found !== undefined, `${page}: no record of ${line}`);
      assert.deepEqual([found["path"], found["outcome"]], [`${page}.md`, "applied"], line);
      const text = new TextDecoder().decode(texts.read(String(found["after_hash"])) ?? new Uint8Array());
      assert(text.split("\n").includes(line), `the history of ${page} lacks ${line}`);
    }
  } finally {
    state.close();
  }
}
