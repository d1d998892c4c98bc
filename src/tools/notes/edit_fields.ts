/** Arguments and synonyms that the tools which edit a part of a page share. */

import { z } from "zod";
import { given, matchSynonyms, pageSynonyms } from "./call.ts";

/**
 * Every edit takes these; their descriptions are shorter than elsewhere, since there are so many of them.
 * `max_retries` is another server's argument: taken, not advertised.
 */
export const editFields = {
  page: z.string(),
  if_match: z.string().optional().describe("etag you read"),
  dry_run: z.boolean().default(false),
  max_retries: z.int().min(0).optional(),
};

export const editSynonyms = { ...pageSynonyms, ...matchSynonyms, max_retries: "max_retries" };

interface EditInput {
  readonly page: string;
  readonly if_match?: string | undefined;
  readonly dry_run: boolean;
  readonly max_retries?: number | undefined;
}

/** The part of a request that every edit has. */
export function editRequest({ page, if_match, dry_run: dryRun, max_retries: retries }: EditInput) {
  return { page, ifMatch: given(if_match), dryRun, retries: retries ?? null };
}

/** Codes that every edit can answer. */
export const editErrors = [
  "not_found",
  "conflict",
  "invalid_path",
  "forbidden_path",
  "too_large",
  "protected",
  "read_only",
] as const;
