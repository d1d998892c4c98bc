/** What the finding tools share: limits that are clamped, and answers that say what they searched. */

import { z } from "zod";
import { clampLimit } from "../fields.ts";
import { listResult, type ToolResult } from "../tool.ts";

/** What every answer from the index says beside its rows. */
export const foundFields = {
  total: z.int(),
  searched: z.object({ pages: z.int(), complete: z.boolean() }),
  next_cursor: z.string().optional(),
  note: z.string().optional(),
};

/** A count without a default: as many as fit a short answer. */
export function optionalLimit(maximum: number) {
  return z.int().min(1).optional().describe(`At most ${maximum}; default fits 3 KB`);
}

/**
 * Asks with a count that may have to be lowered, and says so in the answer (product §4.5). Without a count, `null` is
 * asked with.
 */
export async function answerWithin(
  { limit, maximum }: { readonly limit: number | undefined; readonly maximum: number },
  ask: (limit: number | null) => Promise<object>,
): Promise<ToolResult> {
  if (limit === undefined) return listResult({ ...await ask(null) });
  const { limit: lowered, clamped } = clampLimit(limit, maximum);
  const answer: Readonly<Record<string, unknown>> = { ...await ask(lowered) };
  if (!clamped) return listResult(answer);
  const said = `limit is at most ${maximum}`;
  return listResult({ ...answer, note: answer["note"] === undefined ? said : `${said}. ${answer["note"]}` });
}
