/**
 * The tasks of a page by SilverBullet's rules (client/markdown_parser/extended_task.ts, plugs/index/item.ts), and the
 * one change they know: another state between the brackets.
 *
 * A task is a list item of any kind whose text opens with a state in brackets. A state is anything without `]` and
 * `:`. Nothing in code or frontmatter is a task.
 */

import { type Blocks, scanBlocks } from "./blocks.ts";
import { type Inline, scanInline, type TagRules } from "./inline.ts";
import { growingLineNumbers } from "../lines.ts";

export interface Task {
  /** What stands between the brackets. */
  readonly state: string;
  /** True for `x` and `X`; a space's own states may count as done too, which is for SilverBullet to say. */
  readonly done: boolean;
  /** The text after the brackets, as written, spaces around it removed. */
  readonly text: string;
  /** What the first wikilink points to, as written and without alias. */
  readonly ref: string | null;
  /** The first `$anchor` without its sign. */
  readonly anchor: string | null;
  /** Tags anywhere in the task's item but in lists below it, in order. */
  readonly tags: readonly string[];
  /** 1-based. */
  readonly line: number;
  /** Where the list item begins. */
  readonly start: number;
  /** Where the state stands. */
  readonly stateStart: number;
  readonly stateEnd: number;
  /** How many list items are around its own. */
  readonly depth: number;
  /** True for tasks in an HTML comment, which are tasks from SilverBullet 2.11 on. */
  readonly inComment: boolean;
}

export function findTasks(text: string | Blocks, tagRules: TagRules = "2.10"): Task[] {
  const blocks = typeof text === "string" ? scanBlocks(text) : text;
  const { clean, source, begins } = blocks;
  const lineOf = growingLineNumbers(source, begins);
  const leaves = leavesByItem(blocks);
  return blocks.tasks.map((task) => {
    const content = blocks.leaves[task.leaf]?.content ?? "";
    const inline = scanInline(content, tagRules);
    const others = (leaves.get(task.item) ?? []).filter((index) => index !== task.leaf);
    const own = [inline, ...others.map((index) => scanInline(blocks.leaves[index]?.content ?? "", tagRules))];
    const state = clean.text.slice(task.state.from, task.state.to);
    const stateStart = clean.toSource(task.state.from);
    return {
      state,
      done: state === "x" || state === "X",
      text: content.trim(),
      ref: wikilinkOf(content, inline),
      anchor: inline.find((found) => found.kind === "anchor")?.name ?? null,
      tags: [...new Set(own.flat().flatMap((found) => found.kind === "tag" ? [found.name] : []))],
      line: lineOf(stateStart),
      start: clean.toSource(blocks.items[task.item]?.from ?? task.from),
      stateStart,
      stateEnd: clean.toSourceEnd(task.state.to),
      depth: depthOf(blocks, task.item),
      inComment: task.inComment,
    };
  });
}

/** What makes a text in brackets no state of a task, or `null`. */
export function stateProblem(state: string): string | null {
  if (state === "") return "it is empty";
  if (/[\]:]/.test(state)) return "it holds `]` or `:`";
  if (/[\r\n]/.test(state)) return "it is more than one line";
  return null;
}

/** `text` with the state of `task`, found in that very text, replaced; not a byte else changes. */
export function withState(text: string, task: Task, state: string): string {
  return text.slice(0, task.stateStart) + state + text.slice(task.stateEnd);
}

function wikilinkOf(content: string, inline: readonly Inline[]): string | null {
  const link = inline.find((found) => found.kind === "wikilink");
  return link === undefined ? null : content.slice(link.refFrom, link.refTo);
}

/** The indexes of the leaves that each list item holds itself. */
function leavesByItem(blocks: Blocks): ReadonlyMap<number, readonly number[]> {
  const leaves = new Map<number, number[]>();
  if (blocks.tasks.length === 0) return leaves;
  for (const [index, leaf] of blocks.leaves.entries()) {
    if (leaf.item < 0) continue;
    const same = leaves.get(leaf.item);
    if (same === undefined) leaves.set(leaf.item, [index]);
    else same.push(index);
  }
  return leaves;
}

function depthOf(blocks: Blocks, item: number): number {
  let depth = 0;
  for (let outer = blocks.items[item]?.parent ?? -1; outer >= 0; outer = blocks.items[outer]?.parent ?? -1) {
    depth++;
  }
  return depth;
}
