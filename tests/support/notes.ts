/** Page operations over a store in memory, with a state folder that is removed afterwards. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AuditEvent } from "../../src/core/audit.ts";
import { type Clock, systemClock } from "../../src/core/clock.ts";
import { AppError, type ErrorCode } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/log.ts";
import type { PageRevisions } from "../../src/core/page_revisions.ts";
import type { PageStore, PathLock, StoreFacts } from "../../src/core/page_store.ts";
import type { Principal } from "../../src/core/principal.ts";
import { createRights, type VerbGlobs } from "../../src/core/rights.ts";
import type { Candidates } from "../../src/notes/candidates.ts";
import { type Notes, type NotesSettings, openNotes } from "../../src/notes/notes.ts";
import type { Caller, ListRequest, ReadRequest } from "../../src/notes/requests.ts";
import { createMemoryStore, type MemoryStore } from "../../src/silverbullet/memory_store.ts";
import { openPathLock } from "../../src/state/path_lock.ts";
import { openState, type State } from "../../src/state/state.ts";

export const everything: VerbGlobs = {
  read: ["**"],
  append: ["**"],
  create: ["**"],
  write: ["**"],
  delete: ["**"],
};

export const testSettings: NotesSettings = {
  readOnly: false,
  blindWrites: false,
  maxPageBytes: 262_144,
  trash: "history",
  trashDays: 90,
  historyDays: 30,
  historyBytes: 268_435_456,
  protectedContent: false,
  listEtags: false,
  hiddenPaths: [],
  lockedPages: [],
  changesPerHour: null,
};

export interface TestCallerOptions {
  readonly id?: string;
  readonly rights?: VerbGlobs;
  readonly hidden?: readonly string[];
  readonly kind?: Principal["kind"];
  readonly signal?: AbortSignal;
  readonly tool?: string;
}

export interface TestNotes {
  readonly notes: Notes;
  readonly store: MemoryStore;
  readonly state: State;
  readonly dir: string;
  readonly audits: AuditEvent[];
  caller(options?: TestCallerOptions): Caller;
}

export interface TestNotesOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly settings?: Partial<NotesSettings>;
  readonly clock?: Clock;
  /** Puts something between the operations and the memory. */
  readonly wrap?: (store: MemoryStore) => PageStore;
  /** False: as where no state folder can be written. */
  readonly withState?: boolean;
  /** What is known of the server; it compares versions itself unless this says otherwise. */
  readonly facts?: Partial<StoreFacts>;
  readonly cacheBytes?: number;
  /** Keeps a search index, in step with the store. */
  readonly index?: boolean;
}

export async function withNotes(
  options: TestNotesOptions,
  work: (test: TestNotes) => Promise<void>,
): Promise<void> {
  const clock = options.clock ?? systemClock;
  const dir = mkdtempSync(join(tmpdir(), "notes-"));
  const state = openState({ dir });
  const store = createMemoryStore({ files: options.files ?? {}, clock });
  const audits: AuditEvent[] = [];
  const notes = openTestNotes(options.wrap?.(store) ?? store, {
    state: options.withState === false ? null : state,
    clock,
    settings: options.settings ?? {},
    ...(options.facts === undefined ? {} : { facts: options.facts }),
    ...(options.cacheBytes === undefined ? {} : { cacheBytes: options.cacheBytes }),
    ...(options.index === true ? { indexDir: dir } : {}),
  });
  const stop = new AbortController();
  const settled = options.index === true ? notes.settle(stop.signal) : Promise.resolve();
  const caller = (who: TestCallerOptions = {}) =>
    testCaller({ ...who, hidden: who.hidden ?? options.settings?.hiddenPaths ?? [] }, audits);
  try {
    await work({ notes, store, state, dir, audits, caller });
  } finally {
    stop.abort();
    await settled;
    await notes.close();
    state.close();
    rmSync(dir, { recursive: true });
  }
}

export interface OpenTestNotesOptions {
  readonly state: State | null;
  readonly clock?: Clock;
  readonly settings?: Partial<NotesSettings>;
  readonly facts?: Partial<StoreFacts>;
  readonly cacheBytes?: number;
  readonly lock?: PathLock;
  readonly candidates?: Candidates;
  readonly revisions?: PageRevisions;
  /** Where the search index is kept; without it there is none. */
  readonly indexDir?: string | null;
}

export function openTestNotes(store: PageStore, options: OpenTestNotesOptions): Notes {
  const { revisions, clock = systemClock } = options;
  return openNotes({
    store,
    facts: () =>
      Promise.resolve({
        dialect: "conditional",
        version: "2.12.0",
        readOnly: false,
        openWithoutToken: false,
        indexPage: "index",
        spaceName: null,
        ...options.facts,
      }),
    state: options.state,
    lock: options.lock ?? openPathLock({ state: options.state, clock }),
    clock,
    log: silentLogger,
    settings: { ...testSettings, ...options.settings },
    ...(options.cacheBytes === undefined ? {} : { cacheBytes: options.cacheBytes }),
    ...(options.candidates === undefined ? {} : { candidates: options.candidates }),
    ...(options.indexDir === undefined ? {} : {
      index: { dir: options.indexDir, poll: { inUse: 5_000, idle: 60_000 }, maxBytes: 2 ** 30, delay: 0 },
    }),
    ...(revisions === undefined ? {} : { revisionsFor: () => revisions }),
  });
}

export function testCaller(options: TestCallerOptions = {}, audits: AuditEvent[] = []): Caller {
  const rights = createRights({
    layers: [options.rights ?? everything],
    hidden: options.hidden ?? [],
    roots: "all",
  });
  const id = options.id ?? "token:test";
  return {
    principal: { id, kind: options.kind ?? "token", name: id, rights, profile: "full" },
    tool: options.tool ?? "test",
    client: null,
    requestId: "r1",
    signal: options.signal ?? new AbortController().signal,
    audit: (event) => void audits.push(event),
  };
}

export function readRequest(page: string, request: Partial<ReadRequest> = {}): ReadRequest {
  return {
    page,
    view: "full",
    section: null,
    startLine: null,
    endLine: null,
    maxBytes: 48_000,
    cursor: null,
    ...request,
  };
}

export function listRequest(request: Partial<ListRequest> = {}): ListRequest {
  return {
    prefix: "",
    contains: "",
    kind: "pages",
    sort: "recent",
    limit: 100,
    cursor: null,
    includeTrash: false,
    includeLibrary: false,
    ...request,
  };
}

/** For `assert.rejects`: an expected failure with that code, whose remedy says something. */
export function refusal(code: ErrorCode, also: (error: AppError) => void = () => {}) {
  return (error: unknown): boolean => {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== code) throw new Error(`Expected ${code}, got ${error.code}: ${error.message}`);
    if (error.remedy.length < 15) throw new Error("The remedy says nothing");
    also(error);
    return true;
  };
}
