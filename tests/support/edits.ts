/** Requests of edits with what most tests leave alone, and stores that do to an edit what a bad line does. */

import { AppError } from "../../src/core/errors.ts";
import type { PageStore, WriteResult } from "../../src/core/page_store.ts";
import type {
  AppendRequest,
  CheckTaskRequest,
  EditRequest,
  FrontmatterRequest,
  PatchLinesRequest,
  PatchSectionRequest,
  PrependRequest,
  ReplaceRequest,
  TasksRequest,
} from "../../src/notes/editing/edit_requests.ts";
import type { MemoryStore } from "../../src/silverbullet/memory_store.ts";

const rest = { page: "A", ifMatch: null, dryRun: false, retries: null };

export function append(content: string, more: Partial<AppendRequest> = {}): AppendRequest {
  return { ...rest, section: null, content, ...more };
}

export function prepend(content: string, more: Partial<PrependRequest> = {}): PrependRequest {
  return { ...rest, position: "after_frontmatter", content, ...more };
}

export function replace(find: string, by: string, more: Partial<ReplaceRequest> = {}): ReplaceRequest {
  return { ...rest, edits: [{ find, replace: by }], all: false, ...more };
}

export function lines(
  startLine: number,
  endLine: number,
  more: Partial<PatchLinesRequest> = {},
): PatchLinesRequest {
  return { ...rest, startLine, endLine, content: "", expect: null, ...more };
}

export function section(name: string, more: Partial<PatchSectionRequest> = {}): PatchSectionRequest {
  return { ...rest, section: name, action: "replace", content: null, ...more };
}

export function frontmatter(set: string | null, more: Partial<FrontmatterRequest> = {}): FrontmatterRequest {
  return { ...rest, set, remove: [], ...more };
}

export function check(more: Partial<CheckTaskRequest>): CheckTaskRequest {
  return { ...rest, ref: null, line: null, text: null, state: "done", ...more };
}

export function tasks(more: Partial<TasksRequest> = {}): TasksRequest {
  return { page: "A", prefix: "", state: "all", tag: null, limit: 100, cursor: null, ...more };
}

export type AnyEdit = EditRequest;

/** What the store throws when it could not find out whether a change was made. */
export function lostAnswer(): AppError {
  return new AppError({
    code: "upstream",
    upstream: "timeout",
    message: 'Cannot write page "A": SilverBullet did not answer in time',
    remedy: "Try again in a minute.",
    details: { outcome: "unknown" },
  });
}

export interface BadWrite {
  /** What another hand does before the write is looked at. */
  readonly before?: (store: MemoryStore, round: number) => void;
  /** False: the write gets lost on the way. */
  readonly arrives?: boolean;
  /** What another hand does once it is done. */
  readonly after?: (store: MemoryStore, round: number) => void;
  /** `lost`: the answer does not come back; `unverified`: it does, and nobody can confirm it. */
  readonly answer?: "good" | "lost" | "unverified";
  /** How many writes it meets (1). */
  readonly times?: number;
}

/** A store whose writes of A.md meet that. */
export function badWrites(bad: BadWrite): (store: MemoryStore) => PageStore {
  let round = 0;
  return (store) => ({
    ...store,
    async write(path, bytes, options): Promise<WriteResult> {
      if (path !== "A.md" || round >= (bad.times ?? 1)) return await store.write(path, bytes, options);
      const now = round++;
      bad.before?.(store, now);
      const result = bad.arrives === false ? null : await store.write(path, bytes, options);
      bad.after?.(store, now);
      if (bad.answer === "lost" || result === null) throw lostAnswer();
      return result.kind === "written" && bad.answer === "unverified"
        ? { ...result, guarantee: "unverified" }
        : result;
    },
  });
}
