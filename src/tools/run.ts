/**
 * The one way in which a tool is run: find it for this caller, parse its arguments, bound its time, call it, and
 * turn whatever comes back into an answer. Nothing that a handler throws goes further than this.
 *
 * Knows neither HTTP nor the MCP library.
 */

import { Buffer } from "node:buffer";
import type { Audit } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import { closeNames } from "../text/close_names.ts";
import { type ArgumentParser, argumentParser } from "./arguments.ts";
import { auditEvent } from "./audit_event.ts";
import { type CallerCatalog, type CatalogOptions, createCatalog } from "./catalog.ts";
import type { ToolDefinition } from "./definitions.ts";
import { type ErrorAnswer, errorAnswer, type ErrorStyle, hidesFlaggedText } from "./errors_text.ts";
import { narrowPrincipal } from "./profiles.ts";
import type { CallerInfo, Progress, Tool, ToolResult } from "./tool.ts";

export interface RunnerOptions extends CatalogOptions {
  readonly errorStyle: ErrorStyle;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: Audit;
}

export interface Caller {
  readonly principal: Principal;
  readonly caller: CallerInfo;
}

export interface RunRequest extends Caller {
  readonly name: string;
  /** As it came over the wire. */
  readonly arguments: unknown;
  /** The arguments count as they are: nothing is coerced, and no other names are known. */
  readonly exact?: boolean;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly progress?: Progress;
}

export type RunOutcome =
  | { readonly kind: "done"; readonly result: ToolResult; readonly plain: boolean }
  /** `plain`: the answer goes without the error flag. */
  | { readonly kind: "failed"; readonly answer: ErrorAnswer; readonly plain: boolean }
  /** No tool of that name for this caller; `close` are shown names that look like it. */
  | { readonly kind: "unknown"; readonly close: readonly string[] };

export interface Runner {
  run(request: RunRequest): Promise<RunOutcome>;
  /** What `tools/list` answers this caller. */
  list(caller: Caller): readonly ToolDefinition[];
  /** Resolves when no handler is running any more, those that were given up on included. */
  idle(): Promise<void>;
}

export function createRunner(options: RunnerOptions): Runner {
  const { clock, logger } = options;
  const catalog = createCatalog(options);
  const parsers = new Map<Tool, ArgumentParser>();
  const running = new Set<Promise<unknown>>();

  function parserOf(tool: Tool): ArgumentParser {
    const parser = parsers.get(tool) ?? argumentParser(tool);
    parsers.set(tool, parser);
    return parser;
  }

  async function run(request: RunRequest): Promise<RunOutcome> {
    const mine = catalog.forCaller(request.principal);
    const plain = hidesFlaggedText({ style: options.errorStyle, ...request });
    const tool = mine.tools.get(request.name);
    const fail = (error: AppError): RunOutcome => {
      // Whoever calls a tool knows it, shown or not.
      const shown = new Set([...mine.shown, request.name, ...(tool === undefined ? [] : [tool.name])]);
      return { kind: "failed", answer: errorAnswer(error, { all: catalog.names, shown }), plain };
    };
    if (tool === undefined) {
      if (!catalog.writing.has(request.name)) return unknownTool(request, mine);
      const refusal = options.readOnly ? readOnlyRefusal(request.name) : null;
      const outcome = refusal?.code ?? "forbidden_path";
      options.audit(auditEvent({ tool: request.name, request, outcome, input: {} }));
      return refusal === null ? unknownTool(request, mine) : fail(refusal);
    }
    const started = clock.elapsed();
    try {
      const result = await call(tool, mine, request);
      logCall({ tool, request, outcome: "ok", ms: clock.elapsed() - started, bytes: sizeOf(result) });
      return { kind: "done", result, plain };
    } catch (thrown) {
      const error = explain(thrown, tool, request);
      logCall({ tool, request, outcome: error.code, ms: clock.elapsed() - started });
      return fail(error);
    }
  }

  async function call(tool: Tool, mine: CallerCatalog, request: RunRequest): Promise<ToolResult> {
    let input: Readonly<Record<string, unknown>> = {};
    let audited = false;
    const audit: Audit = (event) => {
      audited = true;
      options.audit(event);
    };
    const report = (outcome: string) => {
      if (tool.hints.readOnlyHint || audited || (outcome === "ok" && input["dry_run"] === true)) return;
      options.audit(auditEvent({ tool: tool.name, request, outcome, input }));
    };
    try {
      input = parserOf(tool)(request.arguments, request.exact);
      const principal = narrowPrincipal(request.principal);
      const { caller, requestId, progress } = request;
      const { services } = options;
      const result = await withinDeadline(tool, request, (signal) =>
        tool.handle(input, {
          principal,
          caller,
          requestId,
          signal,
          services,
          audit,
          shown: mine.shown,
          ...(progress === undefined ? {} : { progress }),
        }));
      report("ok");
      return result;
    } catch (thrown) {
      report(thrown instanceof AppError ? thrown.code : "internal");
      throw thrown;
    }
  }

  async function withinDeadline(
    tool: Tool,
    request: RunRequest,
    handle: (signal: AbortSignal) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    const control = new AbortController();
    const timer = new AbortController();
    const stop = () => control.abort(request.signal.reason);
    if (request.signal.aborted) stop();
    request.signal.addEventListener("abort", stop, { once: true });
    const work = Promise.resolve().then(() => handle(control.signal));
    const tracked = work.then(ignore, ignore).finally(() => running.delete(tracked));
    running.add(tracked);
    const deadline = clock.sleep(deadlineOf(tool), timer.signal).then(() => {
      const late = deadlineError(tool);
      control.abort(late);
      throw late;
    });
    try {
      return await Promise.race([work, deadline]);
    } finally {
      timer.abort(over);
      request.signal.removeEventListener("abort", stop);
    }
  }

  function explain(thrown: unknown, tool: Tool, request: RunRequest): AppError {
    if (thrown instanceof AppError) return thrown;
    if (request.signal.aborted) return cancelledError(tool);
    const fields = { tool: tool.name, request: request.requestId };
    return internalError(tool, logger.incident("tool_failed", thrown, fields));
  }

  function logCall({ tool, request, ...fields }: LoggedCall): void {
    logger.log(fields.outcome.startsWith("internal") ? "error" : "info", "tool", {
      request: request.requestId,
      client: request.principal.id,
      tool: tool.name,
      outcome: fields.outcome,
      ms: Math.round(fields.ms * 10) / 10,
      bytes: fields.bytes,
    });
  }

  return {
    run,
    list(caller) {
      const mine = catalog.forCaller(caller.principal);
      const plain = hidesFlaggedText({ style: options.errorStyle, ...caller });
      return plain ? mine.plainDefinitions : mine.definitions;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function unknownTool({ name }: RunRequest, { shown }: CallerCatalog): RunOutcome {
  return { kind: "unknown", close: closeNames(name, shown, 3) };
}

interface LoggedCall {
  readonly tool: Tool;
  readonly request: RunRequest;
  readonly outcome: string;
  readonly ms: number;
  /** Of the content; left out where there is an error instead. */
  readonly bytes?: number;
}

function sizeOf(result: ToolResult): number {
  return result.blocks.reduce(
    (sum, block) => sum + (block.type === "text" ? Buffer.byteLength(block.text) : block.data.length),
    0,
  );
}

function ignore(): void {}

/** A reason of its own, since making the usual exception costs more than the rest of the timer. */
const over = new Error("The call is over");

/** Some clients give up after a minute without saying so; an answer must be there well before. */
const longestDeadline = 45_000;

function readOnlyRefusal(name: string): AppError {
  return new AppError({
    code: "read_only",
    message: `Cannot run ${name}: this server is read-only`,
    remedy: "Only the owner of this server can change that; reading works as always.",
  });
}

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

function cancelledError(tool: Tool): AppError {
  return new AppError({
    code: "upstream",
    status: 499,
    message: `${tool.name} was cancelled by the client before it finished`,
    remedy: "Look at what is there now before you do it again.",
    retryable: false,
  });
}

function internalError(tool: Tool, incident: string): AppError {
  return new AppError({
    code: tool.family === "folders" ? "internal-error" : "internal",
    message: `${tool.name} failed through a fault in this server, incident ${incident}`,
    remedy: "Try once more; if it fails again, tell the owner of this server the incident number.",
    details: { incident },
  });
}
