/** `list_tasks` without a page: the tasks of the whole space, or of what begins with a prefix. */

import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import { askIndex } from "./asked.ts";
import type { TaskRow, TasksAnswer } from "../editing/edit_requests.ts";
import { fitted } from "../fitting.ts";
import { shortTaskText } from "../reading/page_tasks.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { standingFor } from "./searched.ts";

export interface SpaceTasksRequest {
  readonly prefix: string;
  /** `open`, `done`, `all`, or a state in brackets; checked before. */
  readonly state: string;
  readonly tag: string | null;
  readonly limit: number | null;
  readonly cursor: string | null;
}

export async function spaceTasks(
  parts: NotesParts,
  caller: Caller,
  { prefix, state, tag, limit, cursor }: SpaceTasksRequest,
): Promise<TasksAnswer> {
  const asked = await askIndex(parts, caller);
  const { visible } = asked;
  const standing = standingFor(asked, visible);
  return fitted({
    limit,
    ask(limit) {
      const { rows, total, nextCursor } = asked.index.tasks({
        visible,
        prefix,
        state,
        tag: tag ?? undefined,
        limit,
        cursor: cursor ?? undefined,
      });
      return {
        tasks: rows.map(({ path, line, state, done, text, ref }): TaskRow => ({
          page: pageNameOf(path as PagePath),
          line,
          state,
          done,
          text: shortTaskText(text),
          ...(ref === null ? {} : { ref }),
        })),
        total,
        ...standing,
        ...(nextCursor === null ? {} : { next_cursor: nextCursor }),
      };
    },
    rowsOf: ({ tasks }) => tasks,
  });
}
