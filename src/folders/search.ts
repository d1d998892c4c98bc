/**
 * Literal search below a folder: bounded in time, files, matches and characters, and resumable, so that no match is out of
 * reach. What could not be looked into is counted.
 */

import { AppError } from "../core/errors.ts";
import type { SearchAnswer, SearchHit } from "./answers.ts";
import { Budget } from "./budget.ts";
import type { Containment, OpenFile, Place } from "./contain.ts";
import { notACursor } from "./refusals.ts";
import { formatCursor, type SearchCursor } from "./search_cursor.ts";
import { type FoundIn, searchFile, type SearchFileOptions, type SearchPlace } from "./search_file.ts";
import type { Turn } from "./turn.ts";
import { walk, type WalkStep } from "./walk.ts";

export interface SearchOptions extends Omit<SearchFileOptions, "from" | "isOver" | "wholeFile"> {
  readonly maxMatches: number;
  readonly maxChars: number;
  /** A test on names below the root. */
  readonly fits: (segments: readonly string[]) => boolean;
  readonly cursor: SearchCursor | null;
  readonly elapsed: () => number;
  readonly progress: (files: number) => void;
}

type StopReason = NonNullable<SearchAnswer["reason"]>;

/** Wall clock of one search, and files of one search; then a cursor goes on. */
const maxMs = 10_000;
const maxFiles = 100_000;
/** Characters that a hit costs besides its own strings. */
const hitAllowance = 32;

export async function search(
  root: Containment,
  place: Place,
  turn: Turn,
  options: SearchOptions,
): Promise<SearchAnswer> {
  const { cursor } = options;
  if (cursor !== null && !belongsTo(cursor, place)) throw notACursor();
  const run = new Search(root, turn, options);
  if (place.facts.kind === "file") await run.file(place);
  else await run.folder(place);
  return run.answer();
}

/** A cursor of another search would begin anywhere. */
function belongsTo({ kind, path }: SearchCursor, { segments, facts }: Place): boolean {
  const isBelow = segments.every((name, index) => path[index] === name);
  return isBelow && (facts.kind !== "file" || (kind === "inside" && path.length === segments.length));
}

class Search {
  readonly #root: Containment;
  readonly #turn: Turn;
  readonly #options: SearchOptions;
  readonly #budget: Budget;
  readonly #matches: SearchHit[] = [];
  readonly #skipped = {
    too_large: 0,
    binary: 0,
    undecodable: 0,
    unaddressable: 0,
    unreadable: 0,
    too_deep: 0,
    documents: 0,
  };
  readonly #end: number;
  #files = 0;
  #told: number;
  #reason: StopReason | null = null;
  #next: SearchCursor | null = null;

  constructor(root: Containment, turn: Turn, options: SearchOptions) {
    this.#root = root;
    this.#turn = turn;
    this.#options = options;
    this.#budget = new Budget(options.maxChars);
    this.#told = options.elapsed();
    this.#end = this.#told + maxMs;
  }

  answer(): SearchAnswer {
    const reason = this.#reason;
    return {
      query: this.#options.needle,
      matches: this.#matches,
      truncated: reason !== null,
      ...(reason === null ? {} : { reason }),
      ...(reason === null || this.#next === null ? {} : { next_cursor: formatCursor(this.#next) }),
      files: this.#files,
      skipped: Object.fromEntries(Object.entries(this.#skipped).filter(([, count]) => count > 0)),
      limits: {
        max_chars: this.#options.maxChars,
        returned_chars: this.#budget.used,
        max_matches: this.#options.maxMatches,
      },
    };
  }

  /** One file that was named: of any size. */
  async file(place: Place): Promise<void> {
    const file = await this.#root.open(place, this.#turn);
    try {
      await this.#lookInto(file, place.segments, true);
    } finally {
      await file.close();
    }
  }

  async folder(place: Place): Promise<void> {
    const { cursor } = this.#options;
    this.#next = cursor;
    const steps = walk(this.#root, place.segments, {
      turn: this.#turn,
      after: cursor,
      skipped: this.#skipped,
    });
    for await (const step of steps) {
      if (step.kind === "files") await this.#batch(step);
      else if (this.#reason === null) this.#next = { kind: "folder", path: step.folder };
      if (this.#reason === null && this.#isOver()) this.#stop("time");
      if (this.#reason !== null) return;
      this.#tellProgress();
    }
    if (this.#turn.ended) this.#stop("time");
  }

  async #batch({ folder, names }: WalkStep & { readonly kind: "files" }): Promise<void> {
    const wanted = names.map((name) => [...folder, name]).filter(this.#options.fits);
    const found = await this.#prepare(folder, wanted);
    try {
      for (const [index, segments] of wanted.entries()) {
        const opened = found[index];
        if (opened === undefined || opened === "unreadable") this.#skipped.unreadable++;
        else if (opened !== null && !await this.#lookInto(opened, segments, false)) return;
        this.#next = { kind: "file", path: segments };
        if (this.#files >= maxFiles) return this.#stop("entries");
        if (this.#isOver()) return this.#stop("time");
      }
      const last = names.at(-1);
      if (last !== undefined) this.#next = { kind: "file", path: [...folder, last] };
    } finally {
      for (const file of found) if (file !== null && file !== "unreadable") void file.close();
    }
  }

  /** Opens the files of one folder together; `null` for what is no plain file. */
  async #prepare(
    folder: readonly string[],
    wanted: readonly (readonly string[])[],
  ): Promise<Array<OpenFile | null | "unreadable">> {
    if (wanted.length === 0) return [];
    const opened: OpenFile[] = [];
    const open = async (segments: readonly string[]) => {
      try {
        const file = await this.#root.openEntry(segments, this.#turn);
        if (file !== null) opened.push(file);
        return file;
      } catch {
        return "unreadable" as const;
      }
    };
    try {
      return await this.#root.during(folder, this.#turn, async () => {
        for (const file of opened.splice(0)) void file.close();
        return await Promise.all(wanted.map(open));
      });
    } catch {
      for (const file of opened) void file.close();
      return wanted.map(() => "unreadable" as const);
    }
  }

  /** False when the search is to end inside the file. */
  async #lookInto(file: OpenFile, segments: readonly string[], wholeFile: boolean): Promise<boolean> {
    const { cursor } = this.#options;
    const isHere = cursor !== null && cursor.kind === "inside" &&
      cursor.path.join("/") === segments.join("/");
    const from: SearchPlace = isHere ? cursor : { line: 0, offset: 0, offsetLine: 1, offsetColumn: 0 };
    const told = { ...from };
    this.#files++;
    try {
      const lookup = { ...this.#options, from, wholeFile, isOver: () => this.#isOver() };
      for await (const found of searchFile(file, lookup)) {
        if (found.kind === "skipped") this.#skipped[found.reason]++;
        else if (found.kind === "at") Object.assign(told, found.place, { line: told.line });
        else if (found.kind === "over") return this.#leave("time", segments, told);
        else if (!this.#take(file, found)) return this.#leave(this.#fullReason(), segments, told);
        else told.line = found.line;
      }
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || wholeFile) throw error;
      this.#skipped.unreadable++;
      return true;
    }
  }

  #take({ ref }: OpenFile, { line, column, text, location }: FoundIn & { readonly kind: "hit" }): boolean {
    if (this.#matches.length >= this.#options.maxMatches) return false;
    const isFirst = this.#matches.length === 0;
    if (!this.#budget.take([ref, text, location ?? ""], hitAllowance)) {
      // One hit there must be, or the next call would come to the same end.
      if (!isFirst) return false;
      this.#matches.push({ ref, line, column, text: text.slice(0, 80).toWellFormed() });
      return true;
    }
    this.#matches.push({ ref, line, column, text, ...(location === undefined ? {} : { location }) });
    return true;
  }

  #fullReason(): "matches" | "characters" {
    return this.#matches.length >= this.#options.maxMatches ? "matches" : "characters";
  }

  #leave(reason: StopReason, path: readonly string[], place: SearchPlace): false {
    this.#next = { ...place, kind: "inside", path };
    this.#stop(reason);
    return false;
  }

  #stop(reason: StopReason): void {
    this.#reason = reason;
  }

  /** At most once a second. */
  #tellProgress(): void {
    const now = this.#options.elapsed();
    if (now - this.#told < 1000) return;
    this.#told = now;
    this.#options.progress(this.#files);
  }

  #isOver(): boolean {
    return this.#turn.ended || this.#options.elapsed() > this.#end;
  }
}
