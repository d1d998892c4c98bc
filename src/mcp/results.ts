/** From a runner's outcome to what `tools/call` answers. Pure shapes; knows no protocol revision. */

import type { RunOutcome } from "../tools/run.ts";
import type { ResultBlock } from "../tools/tool.ts";

export interface CallResult {
  readonly [key: string]: unknown;
  readonly content: ResultBlock[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
}

/**
 * The result, or `null` where no such tool exists, which is a protocol error.
 *
 * An error never carries structured content, and neither does any answer to a caller whose errors come without
 * the flag: its client would hold an unflagged error against the output schema.
 */
export function callResult(outcome: RunOutcome): CallResult | null {
  switch (outcome.kind) {
    case "unknown":
      return null;
    case "done": {
      const { blocks, structured } = outcome.result;
      return {
        content: [...blocks],
        ...(structured === undefined || outcome.plain ? {} : { structuredContent: { ...structured } }),
      };
    }
    case "failed": {
      const { text, json } = outcome.answer;
      return {
        content: [{ type: "text", text }, { type: "text", text: JSON.stringify(json) }],
        ...(outcome.plain ? {} : { isError: true }),
      };
    }
  }
}
