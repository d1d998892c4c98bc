/** Lists the tasks of a page by SilverBullet's rules, in the order in which they stand there. */

import { pageNameOf } from "../../core/page_name.ts";
import { scanBlocks } from "../../text/markdown/blocks.ts";
import { findTags } from "../../text/markdown/tags.ts";
import type { Task } from "../../text/markdown/tasks.ts";
import { notACursor } from "./cursor.ts";
import { wrongArgument } from "../editing/edit_refusals.ts";
import type { TasksAnswer, TasksRequest } from "../editing/edit_requests.ts";
import { etagOf } from "../etag.ts";
import { fitted } from "../fitting.ts";
import { literalState, taskRow, taskRules, tasksOf } from "./page_tasks.ts";
import type { NotesParts } from "../parts.ts";
import { readableText } from "./readable_text.ts";
import type { Caller } from "../requests.ts";
import { spaceTasks } from "../finding/space_tasks.ts";

export async function listTasks(
  parts: NotesParts,
  caller: Caller,
  request: TasksRequest,
): Promise<TasksAnswer> {
  const wanted = filterOf(request);
  if (request.page === null) {
    return await spaceTasks(parts, caller, { ...request, tag: tagName(request.tag) });
  }
  const after = request.cursor === null ? null : parseCursor(request.cursor);
  const rules = await taskRules(parts);
  const { path, content, text } = await readableText(parts, caller, {
    page: request.page,
    doing: "list tasks of",
  });
  const page = pageNameOf(path);
  const pageTags = findTags(scanBlocks(text), rules).page;
  const tasks = tasksOf(text, rules).filter((task) => wanted(task, pageTags));
  const left = tasks.filter((task) => after === null || task.line > after);
  return fitted({
    limit: request.limit,
    ask(limit) {
      const shown = left.slice(0, limit);
      const last = shown.at(-1);
      return {
        tasks: shown.map((task) => taskRow(page, task)),
        total: tasks.length,
        ...(last === undefined || shown.length === left.length
          ? {}
          : { next_cursor: formatCursor(last.line) }),
        etag: etagOf(content.hash, "part"),
      };
    },
    rowsOf: (answer) => answer.tasks,
  });
}

/** A tag may be the task's own or its page's. */
function filterOf({ state, tag }: TasksRequest): (task: Task, pageTags: readonly string[]) => boolean {
  const inState = stateFilter(state);
  const name = tagName(tag);
  return (task, pageTags) =>
    inState(task) && (name === null || task.tags.includes(name) || pageTags.includes(name));
}

/** As it stands in a page, or without its sign. */
function tagName(tag: string | null): string | null {
  return tag === null ? null : tag.trim().replace(/^#/, "").replace(/^<(.*)>$/, "$1");
}

function stateFilter(state: string): (task: Task) => boolean {
  if (state === "all") return () => true;
  if (state === "open") return (task) => !task.done;
  if (state === "done") return (task) => task.done;
  const literal = literalState(state);
  if (literal !== null) return (task) => task.state === literal;
  throw wrongArgument("state", {
    doing: "list tasks",
    what: "state must be one of: open, done, all, or a state in brackets such as [>]",
    remedy: "Leave `state` out for open tasks.",
  });
}

/** A line and not a count, so that a change of the page repeats no task above it. */
function formatCursor(line: number): string {
  return `t${line.toString(36)}`;
}

function parseCursor(cursor: string): number {
  const digits = /^t([0-9a-z]{1,8})$/.exec(cursor.trim())?.[1];
  if (digits === undefined) throw notACursor();
  return parseInt(digits, 36);
}
