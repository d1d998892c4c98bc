/** How long a tool may take, and what is said of one that took longer or was cancelled. */

import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Tool, ToolResult } from "./tool.ts";

/** A reason of its own, since making the usual exception costs more than the rest of the timer. */
const over = new Error("The call is over");

/** Some clients give up after a minute without saying so; an answer must be there well before. */
const longestDeadline = 45_000;

export class Deadlines {
  readonly #clock: Clock;
  readonly #running = new Set<Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs a handler until its deadline; its signal aborts then, and when `asked` does. */
  async within(
    tool: Tool,
    asked: AbortSignal,
    handle: (signal: AbortSignal) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const control = new AbortController();
    const timer = new AbortController();
    const stop = () => control.abort(asked.reason);
    if (asked.aborted) stop();
    asked.addEventListener("abort", stop, { once: true });
    const work = Promise.resolve().then(() => handle(control.signal));
    const tracked = work.then(ignore, ignore).finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
    const deadline = this.#clock.sleep(deadlineOf(tool), timer.signal).then(() => {
      const late = deadlineError(tool);
      control.abort(late);
      throw late;
    });
    try {
      return await Promise.race([work, deadline]);
    } finally {
      timer.abort(over);
      asked.removeEventListener("abort", stop);
    }
  }

  /** Resolves when no handler is running any more, those that were given up on included. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

function ignore(): void {}

function deadlineOf(tool: Tool): number {
  return Math.min(tool.deadline, longestDeadline);
}

/** A write that was given up on may have happened: the answer says so instead of guessing. */
function deadlineError(tool: Tool): AppError {
  const seconds = Math.round(deadlineOf(tool) / 1000);
  const reads = tool.hints.readOnlyHint;
  if (tool.family === "folders") return slowDisk(tool, seconds);
  return new AppError({
    code: "upstream",
    upstream: "timeout",
    message: reads
      ? `${tool.name} did not finish within ${seconds} s`
      : `${tool.name} did not finish within ${seconds} s; whether it changed anything is not known`,
    remedy: reads
      ? "Try again, with less at a time if you can."
      : "Look at what is there now before you do it again, with `read_page` or `list_pages`.",
    retryable: reads,
    ...(reads ? {} : { details: { outcome: "unknown" } }),
  });
}

/** Folder tools have codes of their own for everything. */
function slowDisk(tool: Tool, seconds: number): AppError {
  return new AppError({
    code: "permission-denied",
    status: 503,
    message: `${tool.name} did not finish within ${seconds} s`,
    remedy: "Try again, with less at a time if you can.",
    retryable: true,
    details: { detail: "not-answering" },
  });
}

export function cancelledError(tool: Tool): AppError {
  return new AppError({
    code: "upstream",
    status: 499,
    message: `${tool.name} was cancelled by the client before it finished`,
    remedy: "Look at what is there now before you do it again.",
    retryable: false,
  });
}
