/** The page operations of one space as one object: questions, changes, and what keeps them going. */

import type { SpaceListener } from "../silverbullet/events.ts";
import { appendToPage } from "./editing/append.ts";
import { checkTask } from "./editing/check_task.ts";
import { ChangeList } from "./past/change_list.ts";
import { createPage } from "./writing/create.ts";
import { diffPages } from "./reading/diff_pages.ts";
import { type EmptyAnswer, type EmptyRequest, emptyTrash } from "./past/empty_trash.ts";
import { pageExists } from "./exists.ts";
import { notesFacts } from "./facts.ts";
import { openFinding } from "./finding/finding.ts";
import { InFlight } from "./in_flight.ts";
import { journalPage } from "./finding/journal.ts";
import { listPages } from "./reading/list.ts";
import { listConflicts } from "./conflicts/list_conflicts.ts";
import { listTasks } from "./reading/list_tasks.ts";
import { mendedMoves } from "./moving/mended_moves.ts";
import { movePage } from "./moving/move.ts";
import { settleMoves } from "./moving/move_settle.ts";
import { overwritePage } from "./writing/overwrite.ts";
import { openOversight } from "./past/oversight.ts";
import { pageHistory } from "./past/page_history.ts";
import type { NotesParts } from "./parts.ts";
import { patchPageLines } from "./editing/patch_lines.ts";
import { patchPageSection } from "./editing/patch_section.ts";
import { prependToPage } from "./editing/prepend.ts";
import { readPage } from "./reading/read.ts";
import { readOnly } from "./read_only_store.ts";
import { removePage } from "./writing/remove.ts";
import { replaceInPage } from "./editing/replace_text.ts";
import type { Caller } from "./requests.ts";
import { resolveConflict } from "./conflicts/resolve_conflict.ts";
import { restorePage } from "./past/restore.ts";
import { setFrontmatter } from "./editing/set_frontmatter.ts";
import { settleAll } from "./writing/settle.ts";
import { undoChange } from "./past/undo.ts";
import type { Hold, Notes, NotesOptions } from "./notes.ts";
import { openParts, type OpenSpace } from "./open_parts.ts";

type Operation<R, A> = (parts: NotesParts, caller: Caller, request: R) => Promise<A>;
type Method<R, A> = (caller: Caller, request: R) => Promise<A>;

/** Composes the page operations. Starts nothing but the upkeep of the history, which `close()` ends. */
export function openNotes(options: NotesOptions): Notes {
  const space = openParts(options);
  const { parts, index, kept } = space;
  const flight = new InFlight();
  const operations = new Operations({ ...space, flight, hold: options.hold ?? ((work) => work()) });
  return {
    ...questions(operations),
    ...changes(operations),
    list: (caller, request) => listPages(parts, caller, request),
    mendedMoves: (caller) => mendedMoves(parts, caller),
    facts: () => notesFacts(parts, options.facts),
    oversight: kept === null ? null : openOversight(parts, kept.list),
    finding: openFinding(parts),
    listener: listenerOf(space),
    async settle(signal) {
      index?.start();
      const settled = parts.settings.readOnly ? Promise.resolve() : settleUntilDone(parts, signal);
      kept?.upkeep.start();
      await settleAll(parts, space.readers.main, signal);
      await settled;
    },
    async close() {
      await flight.land();
      await kept?.upkeep.stop();
      await index?.close();
    },
  };
}

function questions(of: Operations) {
  return {
    read: of.question(readPage),
    exists: of.question(pageExists),
    tasks: of.question(listTasks),
    diff: of.question(diffPages),
    history: of.question(pageHistory),
    conflicts: of.question(listConflicts),
  };
}

function changes(of: Operations) {
  return {
    create: of.change(createPage),
    overwrite: of.change(overwritePage),
    remove: of.removal(removePage),
    restore: of.change(restorePage),
    append: of.change(appendToPage),
    prepend: of.change(prependToPage),
    replace: of.change(replaceInPage),
    patchLines: of.change(patchPageLines),
    patchSection: of.change(patchPageSection),
    setFrontmatter: of.change(setFrontmatter),
    checkTask: of.change(checkTask),
    journal: of.change(journalPage),
    move: of.removal(movePage),
    undo: of.removal(undoChange),
    resolve: of.removal(resolveConflict),
    emptyTrash: of.change(async (parts, caller, request: EmptyRequest) =>
      of.list === null ? nothingEmptied : await emptyTrash(parts, caller, { ...request, list: of.list })
    ),
  };
}

const nothingEmptied: EmptyAnswer = { forgotten: 0, failed: 0, more: false };

interface OperationsOptions extends OpenSpace {
  readonly flight: InFlight;
  readonly hold: Hold;
}

/** Operations as methods of a space: each with what all of its kind have around them. */
class Operations {
  readonly #options: OperationsOptions;

  constructor(options: OperationsOptions) {
    this.#options = options;
  }

  get list(): ChangeList | null {
    return this.#options.kept?.list ?? null;
  }

  question<R, A>(operation: Operation<R, A>): Method<R, A> {
    const { parts, hold } = this.#options;
    return (caller, request) => hold(() => operation(parts, caller, request));
  }

  change<R, A>(operation: Operation<R, A>): Method<R, A> {
    const { parts, hold, flight, kept } = this.#options;
    return (caller, request) =>
      flight.add(() =>
        hold(async () => {
          if (parts.settings.readOnly) throw readOnly();
          const answer = await operation(parts, caller, request);
          kept?.upkeep.changed();
          return answer;
        })
      );
  }

  /** Before what takes something away, SilverBullet is asked to keep what is there, where it does that. */
  removal<R extends { readonly dryRun: boolean; readonly permanent?: boolean }, A>(
    operation: Operation<R, A>,
  ): Method<R, A> {
    return this.change(async (parts, caller, request: R) => {
      if (!request.dryRun && request.permanent !== true) await parts.revisionsFor(caller)?.snapshot();
      return await operation(parts, caller, request);
    });
  }
}

function listenerOf({ readers, index }: OpenSpace): SpaceListener {
  return {
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
  };
}

const settlePauseMs = 30_000;

/** Moves that SilverBullet keeps from being settled now are tried again until they are. */
async function settleUntilDone(parts: NotesParts, signal: AbortSignal): Promise<void> {
  while (!await settleMoves(parts, signal)) {
    if (signal.aborted) return;
    await parts.clock.sleep(settlePauseMs, signal).catch(() => {});
  }
}
