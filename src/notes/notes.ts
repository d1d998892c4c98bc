/**
 * What the page tools can do with one space. `openNotes()` composes it once per program (open_notes.ts).
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
import type { Candidates } from "./candidates.ts";
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
import type { EmptyAnswer, EmptyRequest } from "./past/empty_trash.ts";
import type { Finding } from "./finding/finding.ts";
import type { JournalAnswer, JournalRequest } from "./finding/find_requests.ts";
import type { MendedMove, MoveAnswer, MoveRequest, UndoAnswer, UndoRequest } from "./moving/move_requests.ts";
import type { IndexSetting } from "./feed/open_page_index.ts";
import type { Oversight } from "./past/oversight.ts";
import type { NotesSettings } from "./parts.ts";
import type {
  ConflictsAnswer,
  ConflictsRequest,
  PageHistoryAnswer,
  PageHistoryRequest,
  ResolveAnswer,
  ResolveRequest,
} from "./past/past_requests.ts";
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

export { openNotes } from "./open_notes.ts";
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

export type Hold = <T>(work: () => Promise<T>) => Promise<T>;

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
