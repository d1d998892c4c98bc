/**
 * The child process that reads one document (product §9): takes it from standard input, answers on standard output, ends.
 *
 * It gives up every permission before it reads the first byte. The parsers run in a worker that never had one; this thread
 * only watches. Whatever takes too much memory or time, or has lost its parent, is ended by a signal that no parser can hold
 * off: a worker that spins cannot be terminated in any other way.
 */

import { extractLimits } from "./extract_limits.ts";
import { frameHead, readFrame } from "./extract_frames.ts";
import { readOutcome, readRequest } from "./extract_outcome.ts";
import { writeStandardOutput } from "./standard_streams.ts";

export interface ExtractChildOptions {
  /** The worker that parses. Tests put one of their own here. */
  readonly startParser?: () => Worker;
  /** Told once every permission is gone. */
  readonly onBare?: () => void;
}

/** Answers the exit code: 0 after an answer, 1 where there was nothing to answer. */
export async function runExtractChild(options: ExtractChildOptions = {}): Promise<number> {
  const guard = watchOver(performance.now());
  try {
    const parser = (options.startParser ?? startParser)();
    // Anything else is the end of a parser that could not be loaded.
    if (await heardFrom(parser) !== "hello") return 1;
    giveUpPermissions();
    options.onBare?.();
    const head = await readFrame(Deno.stdin, extractLimits.maxHeadBytes);
    const request = head === null ? null : readRequest(parseJson(head));
    const bytes = request === null ? null : await readFrame(Deno.stdin, request.limits.maxFileBytes);
    if (bytes === null) return 1;
    const answered = heardFrom(parser);
    parser.postMessage({ request, bytes }, [bytes.buffer]);
    endWithParent();
    await answer(await answered);
    return 0;
  } finally {
    clearInterval(guard);
  }
}

/** The literal URL is what bundling and compiling look for. */
function startParser(): Worker {
  return new Worker(new URL("./extract_parser.ts", import.meta.url), {
    type: "module",
    name: "parser",
    deno: { permissions: "none" },
  });
}

/** Its next message, or its death. */
function heardFrom(parser: Worker): Promise<unknown> {
  return new Promise((resolve) => {
    parser.onmessage = ({ data }) => resolve(data);
    parser.onerror = (event) => {
      event.preventDefault();
      resolve({ outcome: { kind: "rejected", reason: "crashed" } });
    };
  });
}

function giveUpPermissions(): void {
  for (const name of ["read", "write", "net", "env", "run", "ffi", "sys", "import"] as const) {
    Deno.permissions.revokeSync({ name });
  }
}

/** Resident memory counts, not the heap: what parsers unpack lies beside it. */
function watchOver(start: number): ReturnType<typeof setInterval> {
  return setInterval(() => {
    const isOld = performance.now() - start > extractLimits.maxLifeMs;
    if (isOld || Deno.memoryUsage().rss > extractLimits.maxResidentBytes) endAtOnce();
  }, extractLimits.watchMs);
}

/** The parent keeps standard input open for as long as it wants the answer. */
async function endWithParent(): Promise<void> {
  while (await Deno.stdin.read(new Uint8Array(1024)) !== null);
  endAtOnce();
}

function endAtOnce(): void {
  Deno.kill(Deno.pid, "SIGKILL");
}

async function answer(message: unknown): Promise<void> {
  const said = typeof message === "object" && message !== null && "outcome" in message
    ? message.outcome
    : null;
  const outcome = readOutcome(said) ?? { kind: "rejected", reason: "crashed" };
  const bytes = new TextEncoder().encode(JSON.stringify(outcome));
  for (const part of [frameHead(bytes.byteLength), bytes]) await writeStandardOutput(part);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
