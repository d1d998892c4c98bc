/**
 * What the page tools can do with one space. `openNotes()` composes it once per program from the files beside it.
 *
 * Everything here takes page names as a caller wrote them, checks the caller's rights, and answers plain data;
 * failures are `AppError`. It knows nothing of tools, MCP or HTTP.
 */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { PageRevisions } from "../core/page_revisions.ts";
import type { PageStore, PathLock, StoreFacts } from "../core/page_store.ts";
import type { Principal } from "../core/principal.ts";
import type { SpaceListener } from "../silverbullet/events.ts";
import type { State } from "../state/state.ts";
import { appendToPage } from "./editing/append.ts";
import { Budget } from "./budget.ts";
import { checkTask } from "./editing/check_task.ts";
import type { Candidates } from "./candidates.ts";
import { Contention } from "./writing/contention.ts";
import { ChangeList } from "./past/change_list.ts";
import { createPage } from "./writing/create.ts";
import { diffPages } from "./reading/diff_pages.ts";
import type {
  AppendRequest,
  CheckTaskRequest,
  DiffAnswer,
  DiffRequest,
  FrontmatterRequest,
  PatchLinesRequest,
  PatchSectionRequest,
  PrependRequest,
  ReplaceRequest,
  TasksAnswer,
  TasksRequest,
} from "./editing/edit_requests.ts";
import { type EmptyAnswer, type EmptyRequest, emptyTrash } from "./past/empty_trash.ts";
import { pageExists } from "./exists.ts";
import { notesFacts } from "./facts.ts";
import { type Finding, openFinding } from "./finding/finding.ts";
import type { JournalAnswer, JournalRequest } from "./finding/find_requests.ts";
import { History } from "./past/history.ts";
import { InFlight } from "./in_flight.ts";
import { journalPage } from "./finding/journal.ts";
import { listPages } from "./reading/list.ts";
import { listConflicts } from "./conflicts/list_conflicts.ts";
import { listTasks } from "./reading/list_tasks.ts";
import { mendedMoves } from "./moving/mended_moves.ts";
import { movePage } from "./moving/move.ts";
import { MoveJournal } from "./moving/move_journal.ts";
import type { MendedMove, MoveAnswer, MoveRequest, UndoAnswer, UndoRequest } from "./moving/move_requests.ts";
import { settleMoves } from "./moving/move_settle.ts";
import { overwritePage } from "./writing/overwrite.ts";
import { type IndexSetting, openPageIndex } from "./feed/open_page_index.ts";
import { openOversight, type Oversight } from "./past/oversight.ts";
import { pageHistory } from "./past/page_history.ts";
import type { NotesParts, NotesSettings } from "./parts.ts";
import type {
  ConflictsAnswer,
  ConflictsRequest,
  PageHistoryAnswer,
  PageHistoryRequest,
  ResolveAnswer,
  ResolveRequest,
} from "./past/past_requests.ts";
import { patchPageLines } from "./editing/patch_lines.ts";
import { patchPageSection } from "./editing/patch_section.ts";
import { prependToPage } from "./editing/prepend.ts";
import { readPage } from "./reading/read.ts";
import { readOnly } from "./read_only_store.ts";
import { Readers } from "./reading/readers.ts";
import { removePage } from "./writing/remove.ts";
import { replaceInPage } from "./editing/replace_text.ts";
import type {
  Caller,
  ChangeAnswer,
  CreateRequest,
  ExistsAnswer,
  ListAnswer,
  ListRequest,
  NotesFacts,
  OverwriteRequest,
  ReadAnswer,
  ReadRequest,
  RemoveRequest,
  RestoreRequest,
} from "./requests.ts";
import { resolveConflict } from "./conflicts/resolve_conflict.ts";
import { restorePage } from "./past/restore.ts";
import { setFrontmatter } from "./editing/set_frontmatter.ts";
import { settleAll } from "./writing/settle.ts";
import { undoChange } from "./past/undo.ts";
import { Upkeep } from "./past/upkeep.ts";
import { Versions } from "./writing/versions.ts";

export type { NotesSettings } from "./parts.ts";

export interface Notes {
  list(caller: Caller, request: ListRequest): Promise<ListAnswer>;
  read(caller: Caller, request: ReadRequest): Promise<ReadAnswer>;
  exists(caller: Caller, page: string): Promise<ExistsAnswer>;
  create(caller: Caller, request: CreateRequest): Promise<ChangeAnswer>;
  overwrite(caller: Caller, request: OverwriteRequest): Promise<ChangeAnswer>;
  remove(caller: Caller, request: RemoveRequest): Promise<ChangeAnswer>;
  restore(caller: Caller, request: RestoreRequest): Promise<ChangeAnswer>;
  append(caller: Caller, request: AppendRequest): Promise<ChangeAnswer>;
  prepend(caller: Caller, request: PrependRequest): Promise<ChangeAnswer>;
  replace(caller: Caller, request: ReplaceRequest): Promise<ChangeAnswer>;
  patchLines(caller: Caller, request: PatchLinesRequest): Promise<ChangeAnswer>;
  patchSection(caller: Caller, request: PatchSectionRequest): Promise<ChangeAnswer>;
  setFrontmatter(caller: Caller, request: FrontmatterRequest): Promise<ChangeAnswer>;
  checkTask(caller: Caller, request: CheckTaskRequest): Promise<ChangeAnswer>;
  journal(caller: Caller, request: JournalRequest): Promise<JournalAnswer>;
  tasks(caller: Caller, request: TasksRequest): Promise<TasksAnswer>;
  diff(caller: Caller, request: DiffRequest): Promise<DiffAnswer>;
  move(caller: Caller, request: MoveRequest): Promise<MoveAnswer>;
  undo(caller: Caller, request: UndoRequest): Promise<UndoAnswer>;
  history(caller: Caller, request: PageHistoryRequest): Promise<PageHistoryAnswer>;
  conflicts(caller: Caller, request: ConflictsRequest): Promise<ConflictsAnswer>;
  resolve(caller: Caller, request: ResolveRequest): Promise<ResolveAnswer>;
  /** Moves that came to their end after an interruption; each is told once, to whoever may read both its pages. */
  mendedMoves(caller: Caller): readonly MendedMove[];
  facts(): Promise<NotesFacts>;
  /** What the owner looks at; `null` where no history is kept. */
  readonly oversight: Oversight | null;
  /** Forgets for good what was deleted before that time. Cannot be undone. */
  emptyTrash(caller: Caller, request: EmptyRequest): Promise<EmptyAnswer>;
  /** Questions to the space as a whole. */
  readonly finding: Finding;
  /** To be told of changes in the space; without it a page is looked at anew every second that it is asked for. */
  readonly listener: SpaceListener;
  /** Finds out what became of changes that an earlier process left in flight. Never throws; call once at start. */
  settle(signal: AbortSignal): Promise<void>;
  /** Waits for changes in flight, then stops timers. Does not close the state. */
  close(): Promise<void>;
}

type Hold = <T>(work: () => Promise<T>) => Promise<T>;

export interface NotesOptions {
  readonly store: PageStore;
  /** The store that speaks with a caller's own credentials; `store` for everybody without it. */
  readonly storeFor?: (principal: Principal) => PageStore;
  /** What SilverBullet itself keeps of older versions, as a caller's credentials show it. */
  readonly revisionsFor?: (principal: Principal) => PageRevisions;
  readonly facts: () => Promise<StoreFacts>;
  /** Runs an operation; what is read within it is held until it ends, and counted so. Default: just runs it. */
  readonly hold?: Hold;
  /** `null` where no state folder can be written: then there is no history. */
  readonly state: State | null;
  readonly lock: PathLock;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: NotesSettings;
  /** What knows which pages are worth reading to find something; the index where left out. */
  readonly candidates?: Candidates;
  /** Where the search index is and how it is kept in step; without it nothing can be searched. */
  readonly index?: IndexSetting;
  /** Most bytes of page text kept in memory (32 MiB). */
  readonly cacheBytes?: number;
}

/** Composes the page operations. Starts nothing but the upkeep of the history, which `close()` ends. */
export function openNotes(options: NotesOptions): Notes {
  const { clock, log, state, hold = (work) => work() } = options;
  const settings = withinState(options);
  const history = state === null || settings.historyBytes <= 0 ? null : new History({ state, clock });
  const readers = new Readers(options, {
    wrote: (content) => index?.wrote(content),
    removed: (path) => index?.removed(path),
    lost: (path) => index?.changed({ path }),
  });
  const index = options.index === undefined
    ? null
    : openPageIndex(options.index, { ...options, reader: readers.main });
  const parts: NotesParts = {
    readerFor: (caller) => readers.for(caller.principal),
    readers: () => readers.all(),
    revisionsFor: ({ principal }) => options.revisionsFor?.(principal) ?? null,
    history,
    moves: state === null || history === null ? null : new MoveJournal({ state, history, clock }),
    candidates: options.candidates ?? index?.candidates ?? null,
    index,
    versions: new Versions(state, clock),
    contention: new Contention(clock),
    budget: new Budget({ limits: settings.changesPerHour, history, clock, log }),
    lock: options.lock,
    facts: options.facts,
    clock,
    log,
    settings,
  };
  const upkeep = state === null || history === null ? null : new Upkeep({ parts, state, history });
  const flight = new InFlight();
  const list = state === null || history === null ? null : new ChangeList(state);
  /** Before what takes something away, SilverBullet is asked to keep what is there, where it does that. */
  function removal<R extends { readonly dryRun: boolean; readonly permanent?: boolean }, A>(
    operation: (parts: NotesParts, caller: Caller, request: R) => Promise<A>,
  ): (caller: Caller, request: R) => Promise<A> {
    return change(async (parts, caller, request: R) => {
      if (!request.dryRun && request.permanent !== true) await parts.revisionsFor(caller)?.snapshot();
      return await operation(parts, caller, request);
    });
  }
  function change<R, A>(
    operation: (parts: NotesParts, caller: Caller, request: R) => Promise<A>,
  ): (caller: Caller, request: R) => Promise<A> {
    return (caller, request) =>
      flight.add(() =>
        hold(async () => {
          if (settings.readOnly) throw readOnly();
          const answer = await operation(parts, caller, request);
          upkeep?.changed();
          return answer;
        })
      );
  }
  function question<R, A>(
    operation: (parts: NotesParts, caller: Caller, request: R) => Promise<A>,
  ): (caller: Caller, request: R) => Promise<A> {
    return (caller, request) => hold(() => operation(parts, caller, request));
  }
  return {
    list: (caller, request) => listPages(parts, caller, request),
    read: question(readPage),
    exists: question(pageExists),
    create: change(createPage),
    overwrite: change(overwritePage),
    remove: removal(removePage),
    restore: change(restorePage),
    append: change(appendToPage),
    prepend: change(prependToPage),
    replace: change(replaceInPage),
    patchLines: change(patchPageLines),
    patchSection: change(patchPageSection),
    setFrontmatter: change(setFrontmatter),
    checkTask: change(checkTask),
    journal: change(journalPage),
    tasks: question(listTasks),
    diff: question(diffPages),
    move: removal(movePage),
    undo: removal(undoChange),
    history: question(pageHistory),
    conflicts: question(listConflicts),
    resolve: removal(resolveConflict),
    mendedMoves: (caller) => mendedMoves(parts, caller),
    facts: () => notesFacts(parts, options.facts),
    oversight: list === null ? null : openOversight(parts, list),
    emptyTrash: change(async (parts, caller, request) =>
      list === null
        ? { forgotten: 0, failed: 0, more: false }
        : await emptyTrash(parts, caller, { ...request, list })
    ),
    finding: openFinding(parts),
    listener: {
      changed(change) {
        // What we have just written ourselves is known already.
        if (!change.own || !readers.main.cache.holds(change)) readers.main.lost(change.path);
      },
      resync() {
        readers.main.forgetAll();
        index?.resync();
      },
      live(isLive) {
        readers.main.watch(isLive);
        index?.live(isLive);
      },
    },
    async settle(signal) {
      index?.start();
      const changes = settings.readOnly ? Promise.resolve() : settleUntilDone(parts, signal);
      upkeep?.start();
      await settleAll(parts, readers.main, signal);
      await changes;
    },
    async close() {
      await flight.land();
      await upkeep?.stop();
      await index?.close();
    },
  };
}

/** The history has no more room than the state folder as a whole. */
function withinState({ settings, index }: NotesOptions): NotesSettings {
  const historyBytes = Math.min(settings.historyBytes, index?.maxBytes ?? Infinity);
  return { ...settings, historyBytes };
}

const settlePauseMs = 30_000;

/** Moves that SilverBullet keeps from being settled now are tried again until they are. */
async function settleUntilDone(parts: NotesParts, signal: AbortSignal): Promise<void> {
  while (!await settleMoves(parts, signal)) {
    if (signal.aborted) return;
    await parts.clock.sleep(settlePauseMs, signal).catch(() => {});
  }
}
