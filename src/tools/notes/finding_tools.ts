/** The tools that answer from the search index, or from the list of the space as a whole. */

import type { Tool } from "../tool.ts";
import { changesSince } from "./changes_since.ts";
import { contextPack } from "./context_pack.ts";
import { findBacklinks } from "./find_backlinks.ts";
import { journalHistogram } from "./journal_histogram.ts";
import { journalPage } from "./journal_page.ts";
import { pagesTouchingTopic } from "./pages_touching_topic.ts";
import { recentPages } from "./recent_pages.ts";
import { searchPages } from "./search_pages.ts";
import { tagSummary } from "./tag_summary.ts";

export const findingTools: readonly Tool[] = [
  changesSince,
  contextPack,
  findBacklinks,
  journalHistogram,
  journalPage,
  pagesTouchingTopic,
  recentPages,
  searchPages,
  tagSummary,
];
