/**
 * Allowlisted local folders, read only: what the folder tools, the folder resources and the plain HTTP routes call.
 *
 * Every call names a root by its alias. A root that is not configured and one that the caller may not read are the same to
 * the caller. Nothing here can write, and nothing answers an absolute path.
 */

import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import { checkPathLength, maxPathCharacters, parseRelPath, type RelPath } from "../core/rel_path.ts";
import { compareCodePoints, countCodePoints } from "../text/code_points.ts";
import type {
  ImageAnswer,
  InfoAnswer,
  ListAnswer,
  ManyAnswer,
  RangeAnswer,
  ReadAnswer,
  RootsAnswer,
  SearchAnswer,
  TailAnswer,
} from "./answers.ts";
import { characterLimit } from "./budget.ts";
import { closePaths } from "./close_paths.ts";
import { Containment, type OpenFile } from "./contain.ts";
import type { Disk } from "./disk.ts";
import { kindOf, textFormOf } from "./file_kind.ts";
import { createHidden } from "./hidden.ts";
import { describePlace } from "./info.ts";
import { listFolder } from "./list.ts";
import { pathGlob } from "./name_glob.ts";
import { Pace } from "./pace.ts";
import { readImage, readText } from "./read.ts";
import { boundDocuments, type BoundedDocuments, type Documents, readDocument } from "./read_document.ts";
import { readRange, readTail } from "./read_lines.ts";
import { readMany } from "./read_many.ts";
import { badParams, binaryFile, notADocument, notFound, unknownRoot } from "./refusals.ts";
import type {
  FolderCaller,
  InRoot,
  ListRequest,
  RangeRequest,
  ReadManyRequest,
  ReadRequest,
  SearchRequest,
  TailRequest,
} from "./requests.ts";
import { systemDisk } from "./resolve.ts";
import { search } from "./search.ts";
import { parseCursor } from "./search_cursor.ts";
import { DiskSlots, stepsOfOne, Turn } from "./turn.ts";

export interface FoldersOptions {
  readonly roots: readonly {
    readonly alias: string;
    /** Canonical absolute path of a folder. */
    readonly path: string;
    readonly exclude: readonly string[];
  }[];
  readonly exclude: readonly string[];
  readonly allowGeneratedNames: boolean;
  readonly refuseHardLinks: boolean;
  readonly limits: FolderLimits;
  readonly documents: Documents | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly disk?: Disk;
}

export interface FolderLimits {
  readonly readMaxChars: number;
  readonly searchMaxFileBytes: number;
  readonly maxMatches: number;
  readonly listMaxEntries: number;
}

export interface Folders {
  /** Sorted. */
  readonly aliases: readonly string[];
  roots(caller: FolderCaller): RootsAnswer;
  /** True when every root is there and is the folder that it was at first. */
  readable(signal: AbortSignal): Promise<boolean>;
  list(caller: FolderCaller, request: ListRequest): Promise<ListAnswer>;
  read(caller: FolderCaller, request: ReadRequest): Promise<ReadAnswer | ImageAnswer>;
  readRange(caller: FolderCaller, request: RangeRequest): Promise<RangeAnswer>;
  tail(caller: FolderCaller, request: TailRequest): Promise<TailAnswer>;
  readMany(caller: FolderCaller, request: ReadManyRequest): Promise<ManyAnswer>;
  info(caller: FolderCaller, request: InRoot): Promise<InfoAnswer>;
  search(caller: FolderCaller, request: SearchRequest): Promise<SearchAnswer>;
}

/** What one call may wait for the disk; a search has limits of its own within. */
const turnMs = 15_000;
const searchTurnMs = 25_000;
const readinessMs = 3_000;
const maxQuery = 1_000;

/** `null` where no folder is configured. Touches no disk. */
export function openFolders(options: FoldersOptions): Folders | null {
  return options.roots.length === 0 ? null : new LocalFolders(options);
}

class LocalFolders implements Folders {
  readonly aliases: readonly string[];
  readonly #roots: ReadonlyMap<string, Containment>;
  readonly #options: FoldersOptions;
  readonly #documents: BoundedDocuments | null;

  constructor(options: FoldersOptions) {
    this.#options = options;
    this.#documents = boundDocuments(options.documents);
    const { allowGeneratedNames, refuseHardLinks, clock } = options;
    const pace = new Pace(clock);
    this.#roots = new Map(options.roots.map(({ alias, path, exclude }) => {
      const hides = createHidden({ exclude: [...options.exclude, ...exclude], allowGeneratedNames });
      const slots = new DiskSlots(stepsOfOne(options.roots.length));
      const now = () => clock.now();
      return [alias, new Containment({ alias, path, hides, refuseHardLinks, slots, pace, now })];
    }));
    this.aliases = [...this.#roots.keys()].sort(compareCodePoints);
  }

  roots({ rights }: FolderCaller): RootsAnswer {
    const roots = this.aliases.filter((alias) => rights.allowsRoot(alias)).map((alias) => ({ alias }));
    return { roots, empty: roots.length === 0 };
  }

  async readable(signal: AbortSignal): Promise<boolean> {
    const { disk = systemDisk, clock } = this.#options;
    const looks = [...this.#roots.values()].map(async (root) => {
      const turn = new Turn({ disk, slots: root.slots, clock, signal, limitMs: readinessMs });
      try {
        return await root.isThere(turn);
      } catch {
        return false;
      } finally {
        turn.close();
      }
    });
    return (await Promise.all(looks)).every((isThere) => isThere);
  }

  list(caller: FolderCaller, { cursor, startsWith = "", ...where }: ListRequest): Promise<ListAnswer> {
    return this.#within(caller, where, async ({ root, path, turn }) => {
      const maxEntries = this.#options.limits.listMaxEntries;
      return await listFolder(root, await root.locate(path, turn), { turn, maxEntries, cursor, startsWith });
    });
  }

  read(caller: FolderCaller, request: ReadRequest): Promise<ReadAnswer | ImageAnswer> {
    const maxChars = characterLimit(request.maxChars, this.#options.limits.readMaxChars);
    return this.#withFile(caller, request, async (file) => {
      const found = await kindOf(file, request.encoding);
      switch (found.kind) {
        case "text":
          if (request.pages !== null || request.sheet !== null) throw notADocument(file.ref);
          return await readText(file, { form: found.form, maxChars, offset: request.offset });
        case "document":
          return await readDocument(file, this.#documents, {
            ...{ format: found.format, pages: request.pages, sheet: request.sheet },
            ...{ offset: request.offset, maxChars, signal: caller.signal },
          });
        case "image":
          return await readImage(file, found.mimeType);
        case "binary":
          throw binaryFile(file.ref);
      }
    });
  }

  readRange(caller: FolderCaller, request: RangeRequest): Promise<RangeAnswer> {
    const maxChars = characterLimit(request.maxChars, this.#options.limits.readMaxChars);
    const elapsed = () => this.#options.clock.elapsed();
    return this.#withFile(
      caller,
      request,
      async (file) =>
        await readRange(file, {
          ...request,
          form: await textFormOf(file, request.encoding),
          maxChars,
          elapsed,
        }),
    );
  }

  tail(caller: FolderCaller, request: TailRequest): Promise<TailAnswer> {
    const maxChars = characterLimit(request.maxChars, this.#options.limits.readMaxChars);
    return this.#withFile(
      caller,
      request,
      async (file) =>
        await readTail(file, { ...request, form: await textFormOf(file, request.encoding), maxChars }),
    );
  }

  async readMany(caller: FolderCaller, request: ReadManyRequest): Promise<ManyAnswer> {
    const maxChars = characterLimit(request.maxChars, this.#options.limits.readMaxChars);
    this.#rootOf(caller, request.root);
    request.paths.forEach(checkPathLength);
    const end = this.#options.clock.elapsed() + searchTurnMs;
    const isOver = () => this.#options.clock.elapsed() > end;
    const incident = (fault: unknown) => {
      caller.signal.throwIfAborted();
      return this.#options.logger.incident("folder_failed", fault);
    };
    return await readMany({ paths: request.paths, maxChars, isOver, incident }, async (path, most) => {
      const answer = await this.read(caller, {
        ...{ root: request.root, path, maxChars: most, offset: 0 },
        ...{ encoding: null, pages: null, sheet: null },
      });
      if ("image" in answer) throw binaryFile(answer.ref);
      return answer;
    });
  }

  info(caller: FolderCaller, where: InRoot): Promise<InfoAnswer> {
    return this.#within(
      caller,
      where,
      async ({ root, path, turn }) => await describePlace(root, await root.locate(path, turn), turn),
    );
  }

  search(caller: FolderCaller, request: SearchRequest): Promise<SearchAnswer> {
    const { q, glob, caseSensitive, encoding } = request;
    if (q === "" || /\n|\0/.test(q) || !q.isWellFormed() || countCodePoints(q) > maxQuery) {
      throw badParams("q", `text of one line, of 1 to ${maxQuery} characters`);
    }
    if (glob !== null && countCodePoints(glob) > maxPathCharacters) {
      throw badParams("glob", `at most ${maxPathCharacters} characters`);
    }
    const { limits, clock } = this.#options;
    const cursor = request.cursor === null ? null : parseCursor(request.cursor);
    return this.#within(caller, request, async ({ root, path, turn }) => {
      const place = await root.locate(path, turn);
      return await search(root, place, turn, {
        ...{ needle: q, caseSensitive, encoding, documents: this.#documents, cursor, signal: caller.signal },
        maxFileBytes: limits.searchMaxFileBytes,
        maxMatches: limits.maxMatches,
        maxChars: characterLimit(request.maxChars, limits.readMaxChars),
        fits: glob === null ? () => true : pathGlob(glob),
        elapsed: () => clock.elapsed(),
        progress: (files) => caller.progress?.(files),
      });
    }, searchTurnMs);
  }

  #rootOf({ rights }: FolderCaller, alias: string): Containment {
    const root = rights.allowsRoot(alias) ? this.#roots.get(alias) : undefined;
    if (root !== undefined) return root;
    throw unknownRoot(alias, this.aliases.filter((each) => rights.allowsRoot(each)));
  }

  async #within<T>(
    caller: FolderCaller,
    where: InRoot,
    work: (found: { readonly root: Containment; readonly path: RelPath; readonly turn: Turn }) => Promise<T>,
    limitMs = turnMs,
  ): Promise<T> {
    const root = this.#rootOf(caller, where.root);
    const path = parseRelPath(where.path);
    const { disk = systemDisk, clock } = this.#options;
    const turn = new Turn({ disk, slots: root.slots, clock, signal: caller.signal, limitMs });
    try {
      return await root.explaining(root.refOf(path.segments), () => work({ root, path, turn }));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "file-not-found") throw error;
      throw notFound(root.refOf(path.segments), await closePaths(root, path, turn));
    } finally {
      turn.close();
    }
  }

  #withFile<T>(caller: FolderCaller, where: InRoot, work: (file: OpenFile) => Promise<T>): Promise<T> {
    return this.#within(caller, where, async ({ root, path, turn }) => {
      const file = await root.open(await root.locate(path, turn), turn);
      try {
        return await work(file);
      } finally {
        await file.close();
      }
    });
  }
}
