/** Progress of work in several stages, each counted from zero, as one count that only grows (MCP asks for that). */

import type { Report } from "../../notes/candidates.ts";
import type { Progress } from "../tool.ts";

/** What to report the stages to, or `undefined` when nobody asked. */
export function growingProgress(progress: Progress | undefined): Report | undefined {
  if (progress === undefined) return undefined;
  let message = "";
  let before = 0;
  let reached = 0;
  return (update) => {
    if (update.message !== message) {
      message = update.message;
      before = reached;
    }
    reached = Math.max(reached, before + update.done);
    progress({ done: reached, total: before + update.total, message });
  };
}
