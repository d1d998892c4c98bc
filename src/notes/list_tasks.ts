/** Lists the tasks of a page by SilverBullet's rules, in the order in which they stand there. */

import { AppError } from "../core/errors.ts";
import { pageNameOf } from "../core/page_name.ts";
import type { Task } from "../text/tasks.ts";
import { notACursor } from "./cursor.ts";
import { wrongArgument } from "./edit_refusals.ts";
import type { TasksAnswer, TasksRequest } from "./edit_requests.ts";
import { etagOf } from "./etag.ts";
import { literalState, taskRow, taskRules, tasksOf } from "./page_tasks.ts";
import type { NotesParts } from "./parts.ts";
import { readableText } from "./readable_text.ts";
import type { Caller } from "./requests.ts";

export async function listTasks(
  parts: NotesParts,
  caller: Caller,
  request: TasksRequest,
): Promise<TasksAnswer> {
  const wanted = filterOf(request);
  const after = request.cursor === null ? null : parseCursor(request.cursor);
  if (request.page === null) throw needsPage();
  const rules = await taskRules(parts);
  const { path, content, text } = await readableText(parts, caller, {
    page: request.page,
    doing: "list tasks of",
  });
  const page = pageNameOf(path);
  const tasks = tasksOf(text, rules).filter(wanted);
  const left = tasks.filter((task) => after === null || task.line > after);
  const shown = left.slice(0, request.limit);
  const last = shown.at(-1);
  return {
    tasks: shown.map((task) => taskRow(page, task)),
    total: tasks.length,
    ...(last === undefined || shown.length === left.length ? {} : { next_cursor: formatCursor(last.line) }),
    etag: etagOf(content.hash, "part"),
  };
}

function filterOf({ state, tag }: TasksRequest): (task: Task) => boolean {
  const inState = stateFilter(state);
  const name = tag === null ? null : tag.trim().replace(/^#/, "").replace(/^<(.*)>$/, "$1");
  return (task) => inState(task) && (name === null || task.tags.includes(name));
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

function needsPage(): AppError {
  return wrongArgument("page", {
    doing: "list tasks",
    what: "name a page: tasks are listed page by page for now",
    remedy: "Pass `page`; `list_pages` shows the names.",
  });
}
