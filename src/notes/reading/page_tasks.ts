/** The tasks of a page as the server behind the notes counts them, and the names by which callers mean one. */

import { AppError } from "../../core/errors.ts";
import { scanBlocks } from "../../text/markdown/blocks.ts";
import type { TagRules } from "../../text/markdown/inline.ts";
import { taskRef } from "../../text/markdown/task_ref.ts";
import { findTasks, stateProblem, type Task } from "../../text/markdown/tasks.ts";
import { truncateUtf8 } from "../../text/utf8.ts";
import type { TaskRow } from "../editing/edit_requests.ts";
import type { NotesParts } from "../parts.ts";

/** Longer texts of tasks are shown cut, with an ellipsis. */
const maxTextBytes = 400;
const ellipsis = "…";

/** SilverBullet 2.11 changed what counts as a tag, and finds tasks in comments too. */
export async function taskRules({ facts }: NotesParts): Promise<TagRules> {
  try {
    const { dialect, version } = await facts();
    const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
    return dialect === "conditional" || major > 2 || major === 2 && minor >= 11 ? "2.11" : "2.10";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return "2.10";
  }
}

export function tasksOf(text: string, rules: TagRules): Task[] {
  return findTasks(scanBlocks(text, { comments: rules === "2.11" ? "markdown" : "opaque" }), rules);
}

/** Tells the tasks that a caller may mean by `name`, with or without the brackets of a link. */
export function calledFilter(name: string): (task: Task) => boolean {
  const bare = /^\[\[([^|\]]*)(?:\|.*)?\]\]$/.exec(name.trim())?.[1] ?? name;
  return (task) => task.ref === bare || task.anchor !== null && bare === `$${task.anchor}`;
}

/** Tells the tasks whose text is `text`, as `list_tasks` shows it or as it stands on the page. */
export function textFilter(text: string): (task: Task) => boolean {
  const wanted = folded(text.replace(/^\s*(?:[-*+]|\d+[.)])\s+\[[^\]]*\]\s/, ""));
  const start = wanted.endsWith(ellipsis) ? wanted.slice(0, -1).trimEnd() : null;
  return (task) => {
    const own = folded(task.text);
    return own === wanted || start !== null && own.startsWith(start);
  };
}

function folded(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The text as it is shown: cut where it is long. */
export function shortTaskText(text: string): string {
  const shown = truncateUtf8(text, maxTextBytes);
  return shown === text ? shown : shown + ellipsis;
}

export function taskRow(page: string, task: Task): TaskRow {
  const ref = taskRef(task);
  return {
    page,
    line: task.line,
    state: task.state,
    done: task.done,
    text: shortTaskText(task.text),
    ...(ref === null ? {} : { ref }),
  };
}

/** The state between the brackets that `[>]` writes out, or `null` where it is none. */
export function literalState(text: string): string | null {
  const inner = /^\[(.*)\]$/s.exec(text)?.[1];
  return inner === undefined || stateProblem(inner) !== null ? null : inner;
}
