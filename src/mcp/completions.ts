/** Completions of page names for the resource template, through the same listing as the tools. */

import type { Notes } from "../notes/notes.ts";
import type { Caller } from "../notes/requests.ts";
import { pageTemplate } from "./page_uri.ts";

/** The protocol allows no more. */
export const maxValues = 100;

export interface Completion {
  readonly [key: string]: unknown;
  readonly values: string[];
  readonly total: number;
  readonly hasMore: boolean;
}

export interface CompletionRequest {
  /** Template that is being filled in; others have no completions here. */
  readonly uri: string;
  readonly argument: string;
  readonly typed: string;
  /** Arguments of the template that are filled in already. */
  readonly given: Readonly<Record<string, string>>;
}

export const noCompletion: Completion = { values: [], total: 0, hasMore: false };

/** Names that begin with what was typed come first, then names that contain it. */
export async function completePageName(
  notes: Notes,
  caller: Caller,
  { uri, argument, typed }: CompletionRequest,
): Promise<Completion> {
  if (uri !== pageTemplate) return noCompletion;
  if (argument === "format") return fixed(["markdown", "json"], typed);
  if (argument !== "name" || !caller.principal.rights.allowsSomewhere("read")) return noCompletion;
  const request = {
    kind: "pages",
    sort: "name",
    limit: maxValues,
    cursor: null,
    includeTrash: false,
    includeLibrary: false,
  } as const;
  const starting = await notes.list(caller, { ...request, prefix: typed, contains: "" });
  const containing = starting.pages.length >= maxValues || typed === ""
    ? starting
    : await notes.list(caller, { ...request, prefix: "", contains: typed });
  const names = [...starting.pages, ...containing.pages].map((row) => row.page);
  const values = [...new Set(names)].slice(0, maxValues);
  const total = Math.max(starting.total, containing.total, values.length);
  return { values, total, hasMore: total > values.length };
}

function fixed(words: readonly string[], typed: string): Completion {
  const values = words.filter((word) => word.startsWith(typed));
  return { values, total: values.length, hasMore: false };
}
