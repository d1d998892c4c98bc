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
import { cancelledError, Deadlines } from "./deadlines.ts";
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
  const runner = new ToolRunner(options);
  return {
    run: (request) => runner.run(request),
    list: (caller) => runner.list(caller),
    idle: () => runner.idle(),
  };
}

class ToolRunner implements Runner {
  readonly #options: RunnerOptions;
  readonly #catalog;
  readonly #deadlines: Deadlines;
  readonly #parsers = new Map<Tool, ArgumentParser>();

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#catalog = createCatalog(options);
    this.#deadlines = new Deadlines(options.clock);
  }

  list(caller: Caller): readonly ToolDefinition[] {
    const mine = this.#catalog.forCaller(caller.principal);
    const plain = hidesFlaggedText({ style: this.#options.errorStyle, ...caller });
    return plain ? mine.plainDefinitions : mine.definitions;
  }

  idle(): Promise<void> {
    return this.#deadlines.idle();
  }

  async run(request: RunRequest): Promise<RunOutcome> {
    const { clock, errorStyle } = this.#options;
    const mine = this.#catalog.forCaller(request.principal);
    const plain = hidesFlaggedText({ style: errorStyle, ...request });
    const tool = mine.tools.get(request.name);
    if (tool === undefined) return this.#refuse(request, { mine, plain });
    const started = clock.elapsed();
    try {
      const result = await this.#call(tool, mine, request);
      this.#log({ tool, request, outcome: "ok", ms: clock.elapsed() - started, bytes: sizeOf(result) });
      return { kind: "done", result, plain };
    } catch (thrown) {
      const error = this.#explain(thrown, tool, request);
      this.#log({ tool, request, outcome: error.code, ms: clock.elapsed() - started });
      return this.#failed(error, { mine, plain, called: [request.name, tool.name] });
    }
  }

  /** A tool that this caller does not have, or that nobody has. */
  #refuse(request: RunRequest, { mine, plain }: Pick<Failing, "mine" | "plain">): RunOutcome {
    const { name } = request;
    if (!this.#catalog.writing.has(name)) return unknownTool(request, mine);
    const refusal = this.#options.readOnly ? readOnlyRefusal(name) : null;
    const outcome = refusal?.code ?? "forbidden_path";
    this.#options.audit(auditEvent({ tool: name, request, outcome, input: {} }));
    if (refusal === null) return unknownTool(request, mine);
    return this.#failed(refusal, { mine, plain, called: [name] });
  }

  #failed(error: AppError, { mine, plain, called }: Failing): RunOutcome {
    // Whoever calls a tool knows it, shown or not.
    const shown = new Set([...mine.shown, ...called]);
    return { kind: "failed", answer: errorAnswer(error, { all: this.#catalog.names, shown }), plain };
  }

  async #call(tool: Tool, mine: CallerCatalog, request: RunRequest): Promise<ToolResult> {
    const options = this.#options;
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
      input = this.#parserOf(tool)(request.arguments, request.exact);
      const principal = narrowPrincipal(request.principal);
      const { caller, requestId, progress } = request;
      const { services } = options;
      const result = await this.#deadlines.within(tool, request.signal, (signal) =>
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

  #parserOf(tool: Tool): ArgumentParser {
    const parser = this.#parsers.get(tool) ?? argumentParser(tool);
    this.#parsers.set(tool, parser);
    return parser;
  }

  #explain(thrown: unknown, tool: Tool, request: RunRequest): AppError {
    if (thrown instanceof AppError) return thrown;
    if (request.signal.aborted) return cancelledError(tool);
    const fields = { tool: tool.name, request: request.requestId };
    return internalError(tool, this.#options.logger.incident("tool_failed", thrown, fields));
  }

  #log({ tool, request, ...fields }: LoggedCall): void {
    this.#options.logger.log(fields.outcome.startsWith("internal") ? "error" : "info", "tool", {
      request: request.requestId,
      client: request.principal.id,
      tool: tool.name,
      outcome: fields.outcome,
      ms: Math.round(fields.ms * 10) / 10,
      bytes: fields.bytes,
    });
  }
}

interface Failing {
  readonly mine: CallerCatalog;
  readonly plain: boolean;
  /** Names of the tool that was called. */
  readonly called: readonly string[];
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

function readOnlyRefusal(name: string): AppError {
  return new AppError({
    code: "read_only",
    message: `Cannot run ${name}: this server is read-only`,
    remedy: "Only the owner of this server can change that; reading works as always.",
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
