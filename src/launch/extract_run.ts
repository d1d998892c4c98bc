/**
 * Reads one document in a child process of its own, which is gone when this resolves, whatever became of the document: over
 * its time or unwanted it is killed, and what it says is believed only in its shape.
 */

import type { DocumentOutcome, DocumentRequest } from "../documents/outcome.ts";
import type { ExtractCommand } from "./extract_command.ts";
import { type ByteSource, frameHead, readFrame } from "./extract_frames.ts";
import { extractLimits } from "./extract_limits.ts";
import { readOutcome } from "./extract_outcome.ts";

export interface ExtractTask {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly request: DocumentRequest;
  readonly signal: AbortSignal;
}

export type RunExtract = (task: ExtractTask) => Promise<DocumentOutcome>;

/** Shells and waiters add 128 to the number of a signal: abort, trap and kill are how V8 and the kernel end what has no memory. */
const memoryCodes: ReadonlySet<number> = new Set([133, 134, 137]);
/** How long a child may take to end after its answer. */
const lingerMs = 1000;

export function createExtractRun(
  command: ExtractCommand,
  graceMs: number = extractLimits.graceMs,
): RunExtract {
  return async ({ bytes, request, signal }) => {
    if (signal.aborted) return { kind: "unavailable", reason: "closed" };
    if (bytes.byteLength > request.limits.maxFileBytes) return { kind: "rejected", reason: "too-large" };
    const softMs = Math.min(request.limits.softMs, extractLimits.maxSoftMs);
    const child = spawn(command);
    const killed = new Killer(child);
    const timer = setTimeout(() => killed.kill("late"), softMs + graceMs);
    const onAbort = () => killed.kill("unwanted");
    signal.addEventListener("abort", onAbort, { once: true });
    const limits = { ...request.limits, softMs };
    const writing = send(child.stdin, { bytes, request: { ...request, limits } });
    const answer = await receive(child.stdout);
    // It has said all that it can say, and is ending: by itself, or by whoever else ended it.
    const linger = setTimeout(() => killed.kill("mute"), lingerMs);
    const status = await child.status;
    clearTimeout(timer);
    clearTimeout(linger);
    signal.removeEventListener("abort", onAbort);
    await (await writing).close().catch(() => {});
    return answer ?? outcomeOfDeath(killed.why, status);
  };
}

function spawn({ program, args, env }: ExtractCommand): Deno.ChildProcess {
  return new Deno.Command(program, {
    args: [...args],
    env: { ...env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
}

/** Kills once, and remembers for what. */
class Killer {
  why: "late" | "unwanted" | "mute" | null = null;
  readonly #child: Deno.ChildProcess;

  constructor(child: Deno.ChildProcess) {
    this.#child = child;
  }

  kill(why: "late" | "unwanted" | "mute"): void {
    try {
      this.#child.kill("SIGKILL");
      this.why ??= why;
    } catch {
      // It has ended by itself.
    }
  }
}

/** Resolves to the open writer: the child ends itself when standard input does. */
async function send(
  stdin: WritableStream<Uint8Array<ArrayBuffer>>,
  { bytes, request }: Omit<ExtractTask, "signal">,
): Promise<WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>> {
  const writer = stdin.getWriter();
  const head = new TextEncoder().encode(JSON.stringify(request));
  try {
    for (const part of [frameHead(head.byteLength), head, frameHead(bytes.byteLength), bytes]) {
      await writer.write(part);
    }
  } catch {
    // It died while it was told: the end of its output says so too.
  }
  return writer;
}

async function receive(stdout: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<DocumentOutcome | null> {
  const reader = stdout.getReader({ mode: "byob" });
  const source: ByteSource = {
    async read(into) {
      const { value, done } = await reader.read(new Uint8Array(Math.min(into.byteLength, 65_536)));
      if (done || value === undefined) return null;
      into.set(value);
      return value.byteLength;
    },
  };
  try {
    const frame = await readFrame(source, extractLimits.maxAnswerBytes);
    return frame === null ? null : readOutcome(JSON.parse(new TextDecoder().decode(frame)));
  } catch {
    return null;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function outcomeOfDeath(why: Killer["why"], { code, signal }: Deno.CommandStatus): DocumentOutcome {
  if (why === "late") return { kind: "rejected", reason: "too-slow" };
  if (why === "unwanted") return { kind: "unavailable", reason: "closed" };
  const isMemory = why === null && (signal === "SIGKILL" || memoryCodes.has(code));
  return { kind: "rejected", reason: isMemory ? "too-much-memory" : "crashed" };
}
