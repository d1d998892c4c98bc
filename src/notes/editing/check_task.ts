/** Gives one task of a page another state: only the bytes between its brackets change. */

import type { AppError } from "../../core/errors.ts";
import { quoted } from "../../text/quoted.ts";
import { hasPosition } from "../../text/markdown/task_ref.ts";
import { type Task, withState } from "../../text/markdown/tasks.ts";
import { type EditedPage, editPage } from "./edit.ts";
import { editRefusal, linesMoved, wrongArgument } from "./edit_refusals.ts";
import type { CheckTaskRequest } from "./edit_requests.ts";
import {
  calledFilter,
  literalState,
  taskRow,
  taskRules,
  tasksOf,
  textFilter,
} from "../reading/page_tasks.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";

const doing = "check a task of";
const states: ReadonlyMap<string, string> = new Map([["done", "x"], ["todo", " "], ["cancelled", "X"]]);
const maxShown = 10;

export async function checkTask(
  parts: NotesParts,
  caller: Caller,
  request: CheckTaskRequest,
): Promise<ChangeAnswer> {
  demandOneName(request);
  const state = stateOf(request.state);
  const rules = await taskRules(parts);
  return await editPage(parts, caller, {
    doing,
    verb: "write",
    action: "write",
    request,
    make(text, page) {
      const task = theTask(tasksOf(text, rules), page, request);
      const byNumberAlone = request.ref === null && request.text === null;
      if (byNumberAlone && !page.first.startsWith(text.slice(0, task.stateEnd))) {
        throw linesMoved({ doing, path: page.path });
      }
      const other = task.ref !== null && hasPosition(task.ref);
      return {
        text: withState(text, task, state),
        facts: { line: task.line, state },
        warnings: other ? [`The task that this one points to (${task.ref}) keeps its state`] : [],
      };
    },
  });
}

function demandOneName({ ref, line }: CheckTaskRequest): void {
  if ((ref === null) !== (line === null)) return;
  throw wrongArgument("ref", {
    doing: "check a task",
    what: "pass exactly one of ref or line",
    remedy: "`list_tasks` shows both for every task of the page.",
  });
}

function stateOf(name: string): string {
  const state = states.get(name) ?? literalState(name);
  if (state !== null) return state;
  throw wrongArgument("state", {
    doing: "check a task",
    what: "state must be one of: todo, done, cancelled, or a state in brackets such as [>]",
    remedy: "A state in brackets is any text on one line without `]` and `:`.",
  });
}

/** The one task that the request names. */
function theTask(tasks: readonly Task[], page: EditedPage, request: CheckTaskRequest): Task {
  const { ref, line, text } = request;
  const named = tasks.filter(ref === null ? (task) => task.line === line : calledFilter(ref));
  const found = text === null ? named : named.filter(textFilter(text));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (found.length > 1) throw severalTasks(page, found, request);
  throw noSuchTask(page, tasks, request);
}

function severalTasks(
  { path, shown }: EditedPage,
  found: readonly Task[],
  { ref, line }: CheckTaskRequest,
): AppError {
  const name = ref === null ? `line ${line}` : `ref ${quoted(ref)}`;
  return editRefusal({ doing, path }, {
    code: "ambiguous",
    what: `${name} matches ${found.length} tasks, in lines ${
      found.slice(0, maxShown).map((task) => task.line).join(", ")
    }`,
    remedy: "Pass one of those as `line` instead of `ref`, with the task's `text`.",
    details: { matches: found.length, ...(shown ? { tasks: rows(found) } : {}) },
  });
}

function noSuchTask(
  { path, shown }: EditedPage,
  tasks: readonly Task[],
  request: CheckTaskRequest,
): AppError {
  const { ref, line, text } = request;
  const there = tasks.find((task) => task.line === line);
  const moved = text === null ? [] : tasks.filter(textFilter(text));
  const place = moved.length === 1 ? moved[0] : undefined;
  const what = ref !== null
    ? `it has no task with ref ${quoted(ref)}${
      text === null ? "" : " and that text"
    } among its ${tasks.length}`
    : there === undefined
    ? `no task begins in line ${line}`
    : `the task in line ${line} has another text`;
  return editRefusal({ doing, path }, {
    code: "no_match",
    what: what + (place === undefined ? "" : `; a task of that text is in line ${place.line}`),
    remedy: place === undefined
      ? "`list_tasks` shows the tasks of the page with their `ref` and `line`."
      : `Pass \`line\` ${place.line} with that \`text\`, if that is the task.`,
    details: shown ? { tasks: rows(there === undefined ? nearest(tasks, line) : [there]) } : {},
  });
}

/** The tasks around a line, or the first of the page. */
function nearest(tasks: readonly Task[], line: number | null): readonly Task[] {
  if (line === null) return tasks;
  return tasks.toSorted((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line)).slice(0, maxShown)
    .toSorted((a, b) => a.line - b.line);
}

function rows(tasks: readonly Task[]) {
  return tasks.slice(0, maxShown).map((task) => {
    const { page: _, ...row } = taskRow("", task);
    return row;
  });
}
