/** Questions to the space as a whole, answered from the search index or the list. Composed by `openNotes()`. */

import type { Principal } from "../../core/principal.ts";
import { findBacklinks } from "./backlinks.ts";
import type { NewsListener } from "../feed/change_news.ts";
import { changesSince } from "./changes.ts";
import { contextPack } from "./context_pack.ts";
import type {
  BacklinksAnswer,
  BacklinksRequest,
  ChangesAnswer,
  ChangesRequest,
  HistogramAnswer,
  OverviewRequest,
  PackAnswer,
  PackRequest,
  RecentAnswer,
  SearchAnswer,
  SearchRequest,
  TagsAnswer,
  TopicAnswer,
  TopicRequest,
} from "./find_requests.ts";
import type { IndexState } from "../feed/page_index.ts";
import type { NotesParts } from "../parts.ts";
import { journalHistogram, recentPages } from "./recent.ts";
import type { Caller } from "../requests.ts";
import { searchPages } from "./search.ts";
import type { Standing } from "./searched.ts";
import { tagSummary } from "./tag_summary.ts";
import { pagesTouchingTopic } from "./topic.ts";
import { readableBy } from "./visible.ts";
import { watchSpace } from "./watch.ts";

export interface Finding {
  /** Tells of changes until it is stopped; `null` where no index is kept. */
  readonly watch: ((caller: Caller, told: NewsListener) => Promise<() => void>) | null;
  /** How far the index is; `null` where there is none, or none yet. */
  standing(): IndexState | null;
  /** The same for one caller: how much it may search. */
  stateFor(principal: Principal): Standing | null;
  search(caller: Caller, request: SearchRequest): Promise<SearchAnswer>;
  touching(caller: Caller, request: TopicRequest): Promise<TopicAnswer>;
  backlinks(caller: Caller, request: BacklinksRequest): Promise<BacklinksAnswer>;
  recent(caller: Caller, request: OverviewRequest): Promise<RecentAnswer>;
  tags(caller: Caller, request: OverviewRequest): Promise<TagsAnswer>;
  histogram(caller: Caller, request: OverviewRequest): Promise<HistogramAnswer>;
  changes(caller: Caller, request: ChangesRequest): Promise<ChangesAnswer>;
  pack(caller: Caller, request: PackRequest): Promise<PackAnswer>;
}

export function openFinding(parts: NotesParts): Finding {
  const { index } = parts;
  return {
    watch: index === null ? null : (caller, told) => watchSpace({ ...parts, index }, caller, told),
    standing: () => index?.standing() ?? null,
    stateFor: (principal) => index?.standingFor(readableBy(principal)) ?? null,
    search: (caller, request) => searchPages(parts, caller, request),
    touching: (caller, request) => pagesTouchingTopic(parts, caller, request),
    backlinks: (caller, request) => findBacklinks(parts, caller, request),
    recent: (caller, request) => recentPages(parts, caller, request),
    tags: (caller, request) => tagSummary(parts, caller, request),
    histogram: (caller, request) => journalHistogram(parts, caller, request),
    changes: (caller, request) => changesSince(parts, caller, request),
    pack: (caller, request) => contextPack(parts, caller, request),
  };
}
