/** Reading documents as the running program does: in child processes, real ones or ones with a probe in place of the parsers. */

import {
  defaultLimits,
  type DocumentFormat,
  type DocumentOutcome,
  type DocumentRequest,
} from "../../src/documents/outcome.ts";
import { type ExtractCommand, extractCommand } from "../../src/launch/extract_command.ts";
import { createExtractRun } from "../../src/launch/extract_run.ts";

/** The child with `probe_parser.ts`; `mainTries` are attempts for its main thread. */
export function probeCommand(mainTries: ReadonlyArray<readonly [string, string]> = []): ExtractCommand {
  const { program, args, env } = extractCommand();
  const script = new URL("./probe_extract_main.ts", import.meta.url).href;
  return { program, env, args: [...args.slice(0, -2), script, JSON.stringify(mainTries)] };
}

export function documentRequest(
  format: DocumentFormat,
  other: Partial<DocumentRequest> = {},
): DocumentRequest {
  return { format, pages: null, sheet: null, limits: defaultLimits, ...other };
}

/** One reading in a real child. */
export function readInChild(
  bytes: Uint8Array<ArrayBuffer>,
  request: DocumentRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<DocumentOutcome> {
  return createExtractRun(extractCommand())({ bytes, request, signal });
}

/** Has the probe do that. */
export function order(
  what: Readonly<Record<string, unknown>>,
  { signal = new AbortController().signal, softMs = 2000, graceMs = 3000 }: {
    readonly signal?: AbortSignal;
    readonly softMs?: number;
    readonly graceMs?: number;
  } = {},
): Promise<DocumentOutcome> {
  const request = documentRequest("docx", { limits: { ...defaultLimits, softMs } });
  return createExtractRun(probeCommand(), graceMs)({
    bytes: new TextEncoder().encode(JSON.stringify(what)),
    request,
    signal,
  });
}

/** Processes that were started by this one and still are there, by what they run: Linux alone can say. */
export function childrenNow(): string[] {
  const found: string[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const parent = /^PPid:\s*(\d+)/m.exec(Deno.readTextFileSync(`/proc/${name}/status`))?.[1];
      if (Number(parent) === Deno.pid) {
        found.push(Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " "));
      }
    } catch {
      // It ended while it was looked at.
    }
  }
  return found;
}
