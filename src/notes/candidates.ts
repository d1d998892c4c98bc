/**
 * Which pages have to be read to find something in their texts, and reading them.
 *
 * An index may narrow the pages down; without one every page is read, several at once, within a time limit and with
 * progress told.
 */

import { AppError } from "../core/errors.ts";
import type { PagePath } from "../core/page_name.ts";
import type { PageContent } from "../core/page_store.ts";
import type { NotesParts } from "./parts.ts";
import type { Caller } from "./requests.ts";

/** Something that knows texts, such as a search index. `null`: it cannot tell now, so that every page is read. */
export interface Candidates {
  /** Pages that may hold a link whose last part is one of `bases` (lower case, with extension). */
  linkingTo(bases: readonly string[], signal: AbortSignal): Promise<readonly PagePath[] | null>;
  /** Pages that may hold this text. */
  containing(text: string, signal: AbortSignal): Promise<readonly PagePath[] | null>;
}

/** Told on the way; `total` stays the same within one piece of work. */
export type Report = (
  update: { readonly done: number; readonly total: number; readonly message: string },
) => void;

export interface PageScan {
  readonly paths: readonly PagePath[];
  /** True: as they are now. False: as they are, or were a moment ago. */
  readonly fresh: boolean;
  /** Milliseconds. */
  readonly timeLimit: number;
  readonly report?: Report | undefined;
}

export interface Scanned {
  readonly pages: number;
  /** False when the time ran out. */
  readonly complete: boolean;
}

const parallelReads = 8;
const reportEvery = 100;

/** Reads the pages and shows each to `look`, in no order; those that are gone by then are passed over. */
export async function scanPages(
  parts: NotesParts,
  caller: Caller,
  { scan, look }: { readonly scan: PageScan; readonly look: (content: PageContent) => void },
): Promise<Scanned> {
  const { clock } = parts;
  const reader = parts.readerFor(caller);
  const until = clock.elapsed() + scan.timeLimit;
  const total = scan.paths.length;
  const queue = scan.paths.values();
  let pages = 0;
  let failed = false;
  async function work(): Promise<void> {
    for (const path of queue) {
      if (failed || clock.elapsed() > until) return;
      caller.signal.throwIfAborted();
      const content = scan.fresh
        ? await reader.readNow(path, caller.signal)
        : await reader.read(path, caller.signal);
      if (content !== null) look(content);
      pages++;
      if (pages % reportEvery === 0) scan.report?.({ done: pages, total, message: "Reading pages" });
    }
  }
  const workers = Array.from({ length: parallelReads }, () =>
    work().catch((error) => {
      failed = true;
      throw error;
    }));
  await Promise.allSettled(workers);
  await Promise.all(workers);
  return { pages, complete: pages === total };
}

/** For work that is wrong unless it has seen everything. */
export function scanTookTooLong(what: string, { pages }: Scanned, total: number): AppError {
  return new AppError({
    code: "upstream",
    upstream: "timeout",
    message: `Cannot ${what}: only ${pages} of ${total} pages could be read in time; nothing was changed`,
    remedy: "Try again when SilverBullet is less busy.",
  });
}
