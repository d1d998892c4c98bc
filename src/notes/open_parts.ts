/** What the page operations of one space have in common, put together once per program. */

import { Budget } from "./budget.ts";
import { Contention } from "./writing/contention.ts";
import { ChangeList } from "./past/change_list.ts";
import { History } from "./past/history.ts";
import { MoveJournal } from "./moving/move_journal.ts";
import { openPageIndex } from "./feed/open_page_index.ts";
import type { NotesParts, NotesSettings } from "./parts.ts";
import { Readers } from "./reading/readers.ts";
import { Upkeep } from "./past/upkeep.ts";
import { Versions } from "./writing/versions.ts";
import type { PageIndex } from "./feed/page_index.ts";
import type { NotesOptions } from "./notes.ts";

/** What the operations on one space work with, and what has to be started and ended. */
export interface OpenSpace {
  readonly parts: NotesParts;
  readonly readers: Readers;
  readonly index: PageIndex | null;
  /** `null` where no history is kept. */
  readonly kept: { readonly upkeep: Upkeep; readonly list: ChangeList } | null;
}

/** Puts the parts together. Starts nothing. */
export function openParts(options: NotesOptions): OpenSpace {
  const { clock, log, state } = options;
  const settings = withinState(options);
  const history = state === null || settings.historyBytes <= 0 ? null : new History({ state, clock });
  const { readers, index } = openReading(options);
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
  const kept = state === null || history === null
    ? null
    : { upkeep: new Upkeep({ parts, state, history }), list: new ChangeList(state) };
  return { parts, readers, index, kept };
}

/** Readers and index know of each other: what is written is indexed, and the index reads through them. */
function openReading(options: NotesOptions): Pick<OpenSpace, "readers" | "index"> {
  const readers = new Readers(options, {
    wrote: (content) => index?.wrote(content),
    removed: (path) => index?.removed(path),
    lost: (path) => index?.changed({ path }),
  });
  const index = options.index === undefined
    ? null
    : openPageIndex(options.index, { ...options, reader: readers.main });
  return { readers, index };
}

/** The history has no more room than the state folder as a whole. */
function withinState({ settings, index }: NotesOptions): NotesSettings {
  const historyBytes = Math.min(settings.historyBytes, index?.maxBytes ?? Infinity);
  return { ...settings, historyBytes };
}
