/** Several files in one answer, in the order they were asked for, within one budget over everything that the caller sees. */

import { AppError } from "../core/errors.ts";
import { countCodePoints, firstCodePoints } from "../text/code_points.ts";
import type { ManyAnswer, ManyItem, ReadAnswer } from "./answers.ts";
import { Budget } from "./budget.ts";

/** Characters that each item costs besides its own strings, for the structure around them. */
const itemAllowance = 64;

/**
 * Reads one after the other until the budget is spent: what is left out is counted and not named. A failure is told in its
 * item and ends nothing.
 */
export async function readMany(
  { paths, maxChars, isOver, incident }: {
    readonly paths: readonly string[];
    readonly maxChars: number;
    /** True when the time is over; then what is left is left out too. */
    readonly isOver: () => boolean;
    /** Logs what nobody expected and answers the number of the incident. */
    readonly incident: (fault: unknown) => string;
  },
  read: (path: string, maxChars: number) => Promise<ReadAnswer>,
): Promise<ManyAnswer> {
  const budget = new Budget(maxChars);
  const files: ManyItem[] = [];
  for (const path of paths) {
    const item = files.length > 0 && isOver() ? null : await nextItem(path, budget, { read, incident });
    if (item === null) break;
    files.push(item);
  }
  const omitted = paths.length - files.length;
  return {
    files,
    truncated: omitted > 0 || files.some((item) => item.truncated === true),
    ...(omitted > 0 ? { omitted } : {}),
    limits: { max_payload_chars: maxChars, used_payload_chars: budget.used },
  };
}

/** `null` where not even the item without its content fits. */
async function nextItem(
  path: string,
  budget: Budget,
  { read, incident }: {
    readonly read: (path: string, maxChars: number) => Promise<ReadAnswer>;
    readonly incident: (fault: unknown) => string;
  },
): Promise<ManyItem | null> {
  const room = budget.left - countCodePoints(path) - itemAllowance;
  if (room < 0) return null;
  try {
    const { ref, content, next_offset } = await read(path, Math.max(1, room));
    if (!budget.take([path, ref], itemAllowance)) return null;
    const fitting = firstCodePoints(content, budget.left);
    budget.take([fitting], 0);
    const isCut = fitting.length < content.length || next_offset !== undefined;
    return { path, ref, content: fitting, ...(isCut ? { truncated: true } : {}) };
  } catch (error) {
    if (!(error instanceof AppError)) {
      const code = "internal-error";
      if (!budget.take([path, code], itemAllowance)) return null;
      return { path, error: code, incident: incident(error) };
    }
    if (!budget.take([path, error.code], itemAllowance)) return null;
    const detail = error.details["detail"];
    return { path, error: error.code, ...(typeof detail === "string" ? { detail } : {}) };
  }
}
