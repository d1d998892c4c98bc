/**
 * What the page tools can do with one space. `openNotes()` composes it once per program from the files beside it.
 *
 * Everything here takes page names as a caller wrote them, checks the caller's rights, and answers plain data;
 * failures are `AppError`. It knows nothing of tools, MCP or HTTP.
 */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { PagePath } from "../core/page_name.ts";
import type { PageStore, PathLock, StoreFacts } from "../core/page_store.ts";
import type { Principal } from "../core/principal.ts";
import type { State } from "../state/state.ts";
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

export interface Notes {
  list(caller: Caller, request: ListRequest): Promise<ListAnswer>;
  read(caller: Caller, request: ReadRequest): Promise<ReadAnswer>;
  exists(caller: Caller, page: string): Promise<ExistsAnswer>;
  create(caller: Caller, request: CreateRequest): Promise<ChangeAnswer>;
  overwrite(caller: Caller, request: OverwriteRequest): Promise<ChangeAnswer>;
  remove(caller: Caller, request: RemoveRequest): Promise<ChangeAnswer>;
  restore(caller: Caller, request: RestoreRequest): Promise<ChangeAnswer>;
  facts(): Promise<NotesFacts>;
  /** Finds out what became of changes that an earlier process left in flight. Never throws; call once at start. */
  settle(signal: AbortSignal): Promise<void>;
  /** Waits for changes in flight, then stops timers. Does not close the state. */
  close(): Promise<void>;
}

export interface NotesSettings {
  readonly readOnly: boolean;
  readonly blindWrites: boolean;
  readonly maxPageBytes: number;
  /** `history` counts as `space` where there is no state. */
  readonly trash: "history" | "space" | "off";
  readonly trashDays: number;
  readonly historyDays: number;
  readonly historyBytes: number;
  readonly protectedContent: boolean;
  /** Whether list rows carry partial etags. */
  readonly listEtags: boolean;
  readonly hidden: readonly string[];
  /** Pages that nobody changes through this program, such as the one that holds the instructions. */
  readonly lockedPages: readonly PagePath[];
}

export interface NotesOptions {
  readonly store: PageStore;
  /** The store that speaks with a caller's own credentials; `store` for everybody without it. */
  readonly storeFor?: (principal: Principal) => PageStore;
  readonly facts: () => Promise<StoreFacts>;
  /** `null` where no state folder can be written: then there is no history. */
  readonly state: State | null;
  readonly lock: PathLock;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: NotesSettings;
  /** Most bytes of page text kept in memory (32 MiB). */
  readonly cacheBytes?: number;
}

export function openNotes(_options: NotesOptions): Notes {
  throw new Error("under construction");
}
