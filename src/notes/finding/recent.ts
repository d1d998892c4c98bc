/** `recent_pages` and `journal_histogram`: what the list itself tells, without reading any page. */

import { dayOfName } from "../../index/analysis/journal_day.ts";
import type { HistogramAnswer, OverviewRequest, RecentAnswer } from "./find_requests.ts";
import { fitted } from "../fitting.ts";
import { chosen, listPages, type ListQuestion, toSecond } from "../reading/list.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";

const everyPage: Omit<ListQuestion, "prefix"> = {
  contains: "",
  kind: "pages",
  sort: "recent",
  includeTrash: false,
  includeLibrary: false,
};
const presetPages = 10;

/** What was changed last, first. */
export async function recentPages(
  parts: NotesParts,
  caller: Caller,
  { prefix, limit, cursor }: OverviewRequest,
): Promise<RecentAnswer> {
  const { pages, total, next_cursor } = await listPages(parts, caller, {
    ...everyPage,
    prefix,
    limit: limit ?? presetPages,
    cursor,
  });
  return {
    pages: pages.map(({ page, last_modified, size_bytes }) => ({ page, last_modified, size_bytes })),
    total,
    ...(next_cursor === undefined ? {} : { next_cursor }),
  };
}

/** Pages by month: by the date that the name begins with, else by when the page was changed (UTC). */
export async function journalHistogram(
  parts: NotesParts,
  caller: Caller,
  { prefix, limit }: OverviewRequest,
): Promise<HistogramAnswer> {
  const entries = await parts.readerFor(caller).list(caller.signal);
  const pages = chosen(entries, caller, { ...everyPage, prefix });
  const counts = new Map<string, number>();
  for (const { path, modified } of pages) {
    const month = (dayOfName(path) ?? toSecond(modified)).slice(0, 7);
    counts.set(month, (counts.get(month) ?? 0) + 1);
  }
  const months = [...counts].map(([month, pages]) => ({ month, pages }))
    .sort((a, b) => a.month < b.month ? -1 : a.month > b.month ? 1 : 0);
  return fitted({
    limit,
    ask: (count) => ({ months: months.slice(-count), total: months.length, pages: pages.length }),
    rowsOf: ({ months }) => months,
  });
}
