/**
 * One allowlisted folder: finds, opens and lists what is below it, and nothing else, whoever changes it meanwhile.
 *
 * A path is judged as it was asked for and as it really is. What was opened is then proved to be what stands at the real
 * path: while it was opened, no folder above changed an entry, and the file there is the same device and inode.
 */

import { join, sep } from "node:path";
import { AppError } from "../core/errors.ts";
import { nameProblem, type RelPath } from "../core/rel_path.ts";
import { type DiskEntry, type DiskFacts, DiskFault, type DiskFile } from "./disk.ts";
import type { Hides } from "./hidden.ts";
import { denied, excluded, notAFile, notAFolder, notFound, stalled } from "./refusals.ts";
import type { Pace } from "./pace.ts";
import type { DiskSlots, Turn } from "./turn.ts";

export interface ContainOptions {
  readonly alias: string;
  /** Canonical absolute path. */
  readonly path: string;
  readonly hides: Hides;
  readonly refuseHardLinks: boolean;
  readonly slots: DiskSlots;
  readonly pace: Pace;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Something below the root, as it was when it was looked at. */
export interface Place {
  /** Names from the root down, without links. */
  readonly segments: readonly string[];
  /** Alias and names, as answers show it. */
  readonly ref: string;
  readonly facts: DiskFacts;
}

/** An open file of the root. Close it. */
export interface OpenFile extends DiskFile {
  readonly ref: string;
  readonly segments: readonly string[];
  readonly opened: DiskFacts;
  /** Resolves when the next piece of long work on what is read may begin; rejects once the call is over. */
  readonly nextPiece: () => Promise<void>;
}

/** A change within the last tick of a coarse clock could go unseen. */
const tickMs = 12;
const pauseMs = 15;
const maxTries = 8;

export class Containment {
  readonly alias: string;
  readonly slots: DiskSlots;
  readonly #options: ContainOptions;
  /** The folder that was there first: another one in its place is none of ours. */
  #identity: string | null = null;

  constructor(options: ContainOptions) {
    this.alias = options.alias;
    this.slots = options.slots;
    this.#options = options;
  }

  refOf(segments: readonly string[]): string {
    return [this.alias, ...segments].join("/");
  }

  hides(segments: readonly string[]): boolean {
    return this.#options.hides(segments);
  }

  /** True when the root is a folder, and the one that was there first. */
  async isThere(turn: Turn): Promise<boolean> {
    const { kind, identity } = await turn.look(this.#options.path);
    if (kind !== "directory") return false;
    this.#identity ??= identity;
    return identity === this.#identity;
  }

  /** True for a file with more names than this one, where the operator wants none of these. */
  refuses({ kind, links }: DiskFacts): boolean {
    return this.#options.refuseHardLinks && kind === "file" && links > 1;
  }

  /** Throws the refusal where nothing of that path may be seen. */
  async locate(path: RelPath, turn: Turn): Promise<Place> {
    const ref = this.refOf(path.segments);
    if (this.hides(path.segments)) throw excluded(ref);
    return await this.explaining(ref, async () => {
      const real = await turn.realPath(join(this.#options.path, ...path.segments));
      const segments = this.#below(real);
      if (segments === null || segments.some(nameProblem) || this.hides(segments)) throw excluded(ref);
      const facts = await turn.look(real);
      if (facts.kind === "symlink") throw stalled(ref, "changing");
      if (facts.kind === "other") throw notFound(ref);
      if (path.asFolder && facts.kind !== "directory") throw notAFolder(ref);
      if (this.refuses(facts)) throw excluded(ref);
      return { segments, ref: this.refOf(segments), facts };
    });
  }

  /** Opens the file that was located there, or throws why not. */
  async open(place: Place, turn: Turn): Promise<OpenFile> {
    if (place.facts.kind === "directory") throw notAFile(place.ref);
    return await this.explaining(
      place.ref,
      () =>
        this.#steady(
          place.segments.slice(0, -1),
          turn,
          () => this.#openAt(place, turn),
          (file) => file.close(),
        ),
    );
  }

  /**
   * Calls `see` for each entry of the folder until it answers `false`; what was seen counts once this resolves. It may be
   * called again from the beginning: `begin` says so.
   */
  async list(place: Pick<Place, "segments" | "ref">, turn: Turn, { begin, see }: Listing): Promise<void> {
    await this.explaining(place.ref, () =>
      this.#steady(place.segments, turn, async () => {
        begin();
        await turn.list(this.#absolute(place.segments), see);
      }));
  }

  /** Does `work` while the folders down to that one stay what they are; again when they did not. */
  async during<T>(segments: readonly string[], turn: Turn, work: () => Promise<T>): Promise<T> {
    return await this.#steady(segments, turn, work);
  }

  /** What an entry of a folder is, links not followed. Only inside `during`. */
  lookAt(segments: readonly string[], turn: Turn): Promise<DiskFacts> {
    return turn.look(this.#absolute(segments));
  }

  /**
   * Opens an entry that was listed as a plain file, links not followed; `null` for anything else. Only inside `during`, which
   * proves the folders above.
   */
  async openEntry(segments: readonly string[], turn: Turn): Promise<OpenFile | null> {
    const file = await this.#openSame(segments, turn);
    if (file === null || !this.refuses(file.opened)) return file;
    await file.close();
    return null;
  }

  async explaining<T>(ref: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof DiskFault
        ? refusalFor(error, ref)
        : error instanceof Changed
        ? stalled(ref, "changing")
        : error;
    }
  }

  #absolute(segments: readonly string[]): string {
    return join(this.#options.path, ...segments);
  }

  /** The names below the root, by whole components; `null` for a path elsewhere. */
  #below(real: string): string[] | null {
    const { path } = this.#options;
    if (real === path) return [];
    return real.startsWith(path + sep) ? real.slice(path.length + sep.length).split(sep) : null;
  }

  async #openAt({ segments, ref }: Place, turn: Turn): Promise<OpenFile> {
    const path = this.#absolute(segments);
    const file = await this.#openSame(segments, turn);
    if (file === null) throw new Changed();
    try {
      if (await turn.realPath(path) !== path) throw new Changed();
      if (this.refuses(file.opened)) throw excluded(ref);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Opens what stands at that path and proves that it is a plain file and still stands there without a link; else `null`. */
  async #openSame(segments: readonly string[], turn: Turn): Promise<OpenFile | null> {
    const path = this.#absolute(segments);
    const file = await turn.open(path);
    try {
      const opened = await file.facts();
      if (isSame(opened, await turn.look(path))) {
        const nextPiece = () => turn.nextPiece(this.#options.pace);
        return { ...file, ref: this.refOf(segments), segments, opened, nextPiece };
      }
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    return null;
  }

  /**
   * Does `work` while no folder from the root down to `segments` is replaced: their entries on the way have not changed
   * before and after. A change may hide within one tick of the clock, so fresh folders are waited for.
   */
  async #steady<T>(
    segments: readonly string[],
    turn: Turn,
    work: () => Promise<T>,
    undo: (made: T) => Promise<void> = async () => {},
  ): Promise<T> {
    for (let tries = 1;; tries++) {
      const before = await this.#chain(segments, turn);
      if (before !== null) {
        try {
          const made = await work();
          if (await this.#chain(segments, turn) === before) return made;
          await undo(made);
        } catch (error) {
          if (!(error instanceof Changed)) throw error;
        }
      }
      if (tries === maxTries) throw new Changed();
      await turn.pause(pauseMs);
    }
  }

  /** The folders on the way as one text to compare; `null` where one is not a folder or has changed just now. */
  async #chain(segments: readonly string[], turn: Turn): Promise<string | null> {
    const paths = [
      this.#options.path,
      ...segments.map((_, index) => this.#absolute(segments.slice(0, index + 1))),
    ];
    const chain = await Promise.all(paths.map((path) => turn.look(path)));
    const now = this.#options.now();
    const isSteady = (facts: DiskFacts, index: number) =>
      facts.kind === "directory" &&
      (index === chain.length - 1 || Math.abs(now - facts.modified) >= tickMs);
    if (!chain.every(isSteady)) return null;
    const first = chain[0]?.identity ?? null;
    this.#identity ??= first;
    if (first !== this.#identity) throw new DiskFault("absent");
    return chain.map((facts, index) =>
      index === chain.length - 1 ? facts.identity : `${facts.identity} ${facts.modified} ${facts.changed}`
    ).join("|");
  }
}

export interface Listing {
  begin(): void;
  see(entry: DiskEntry): boolean;
}

/** A plain file, and the one that the path leads to without a link. */
function isSame(opened: DiskFacts, there: DiskFacts): boolean {
  return opened.kind === "file" && there.kind === "file" && opened.identity === there.identity;
}

/** What was found is no longer what is there. */
class Changed extends Error {}

function refusalFor({ kind }: DiskFault, ref: string): AppError {
  switch (kind) {
    case "absent":
      return notFound(ref);
    case "not-a-directory":
      return notAFolder(ref);
    case "denied":
      return denied(ref);
    case "not-answering":
      return stalled(ref, "not-answering");
  }
}
