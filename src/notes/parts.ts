/** What every page operation is given: composed once by `openNotes()`, the same for all callers. */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { PagePath } from "../core/page_name.ts";
import type { PageRevisions } from "../core/page_revisions.ts";
import type { PathLock, StoreFacts } from "../core/page_store.ts";
import type { Budget } from "./budget.ts";
import type { Candidates } from "./candidates.ts";
import type { Contention } from "./writing/contention.ts";
import type { History } from "./past/history.ts";
import type { MoveJournal } from "./moving/move_journal.ts";
import type { PageIndex } from "./feed/page_index.ts";
import type { PageReader } from "./reading/page_reader.ts";
import type { Caller } from "./requests.ts";
import type { Versions } from "./writing/versions.ts";

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
  /** Globs of pages that exist for no assistant; nothing of them stays in the state. */
  readonly hiddenPaths: readonly string[];
  /** Pages that nobody changes through this program, such as the one that holds the instructions. */
  readonly lockedPages: readonly PagePath[];
  /** Distinct pages changed, and deleted or moved, an hour; `null`: no limit. */
  readonly changesPerHour:
    | { readonly changed: number; readonly deleted: number; readonly explicit: boolean }
    | null;
}

export interface NotesParts {
  /** The space as this caller's credentials see it. */
  readonly readerFor: (caller: Caller) => PageReader;
  /** Those of all callers. */
  readonly readers: () => Iterable<PageReader>;
  /** `null` where there is no state folder: then nothing is kept. */
  readonly history: History | null;
  /** What SilverBullet itself keeps of older versions; `null` where nobody asks. */
  readonly revisionsFor: (caller: Caller) => PageRevisions | null;
  /** Moves under way; `null` together with `history`. */
  readonly moves: MoveJournal | null;
  /** What knows which pages are worth reading to find something; `null`: all of them are read. */
  readonly candidates: Candidates | null;
  /** The search index; `null` where none is kept. */
  readonly index: PageIndex | null;
  readonly versions: Versions;
  readonly contention: Contention;
  readonly budget: Budget;
  readonly lock: PathLock;
  /** What is known of the server behind the notes. */
  readonly facts: () => Promise<StoreFacts>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly settings: NotesSettings;
}
