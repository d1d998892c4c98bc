/**
 * What the product answers to each MCP method, as plain values: tools, pages as resources, completions, and the
 * instructions of the handshake. Knows no protocol revision and no library; `endpoint.ts` puts these on the wire.
 */

import type { Audit } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import type { Folders } from "../folders/folders.ts";
import type { FolderCaller } from "../folders/requests.ts";
import type { Notes } from "../notes/notes.ts";
import type { Caller } from "../notes/requests.ts";
import type { ToolDefinition } from "../tools/definitions.ts";
import { narrowPrincipal } from "../tools/profiles.ts";
import type { Runner } from "../tools/run.ts";
import type { CallerInfo, Progress } from "../tools/tool.ts";
import { completePageName, type Completion, type CompletionRequest, noCompletion } from "./completions.ts";
import { completeFolder } from "./folder_completions.ts";
import { folderResourceTemplate, readFolderResource, rootResources } from "./folder_resources.ts";
import { folderTemplate } from "./folder_uri.ts";
import { buildInstructions } from "./instructions.ts";
import type { ListeningOptions } from "./listening.ts";
import {
  pageResourceTemplate,
  readResource,
  recentResources,
  type ResourceContent,
  type ResourceRow,
  type ResourceTemplate,
} from "./resources.ts";
import { type CallResult, callResult } from "./results.ts";
import { codes, RpcFault } from "./rpc.ts";

export interface MethodsOptions {
  readonly runner: Runner;
  readonly notes: Notes | null;
  readonly folders: Folders | null;
  readonly readOnly: boolean;
  /** The operator's own text for assistants, asked for at every handshake. */
  readonly instructions: ((signal: AbortSignal) => Promise<string | null>) | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: Audit;
}

const ownTextMs = 3_000;

/** Who calls, and until when anyone waits for the answer. */
export interface MethodCall {
  readonly principal: Principal;
  readonly caller: CallerInfo;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

export interface ToolArguments {
  readonly name: string;
  readonly arguments: unknown;
  readonly progress?: Progress;
}

export interface Methods {
  listTools(call: MethodCall): Promise<readonly ToolDefinition[]>;
  callTool(call: MethodCall, tool: ToolArguments): Promise<CallResult>;
  readonly templates: readonly ResourceTemplate[];
  listResources(call: MethodCall): Promise<readonly ResourceRow[]>;
  readResource(call: MethodCall, uri: string): Promise<ResourceContent>;
  complete(call: MethodCall, request: CompletionRequest): Promise<Completion>;
  /** Tells of changes that the caller may know of; `null` where nothing is told. */
  readonly watch: ListeningOptions["watch"] | null;
  /** The operator's text is left out, and that logged, when it cannot be read. */
  instructions(call: MethodCall): Promise<string>;
}

export function createMethods(options: MethodsOptions): Methods {
  const methods = new ProductMethods(options);
  const { notes, folders } = options;
  return {
    templates: [
      ...notes === null ? [] : [pageResourceTemplate],
      ...folders === null ? [] : [folderResourceTemplate],
    ],
    watch: notes === null || notes.finding.watch === null ? null : methods.watcher(notes.finding.watch),
    listTools: (call) => methods.guarded(call, async () => options.runner.list(call)),
    callTool: (call, tool) => methods.guarded(call, () => methods.callTool(call, tool)),
    listResources: (call) => methods.guarded(call, () => methods.listResources(call)),
    readResource: (call, uri) => methods.guarded(call, () => methods.readResource(call, uri)),
    complete: (call, request) => methods.guarded(call, () => methods.complete(call, request)),
    instructions: (call) => methods.guarded(call, () => methods.instructions(call)),
  };
}

class ProductMethods {
  readonly #options: MethodsOptions;

  constructor(options: MethodsOptions) {
    this.#options = options;
  }

  /** What a method throws is sent as it is, so nothing unexpected leaves this. */
  async guarded<T>(call: MethodCall, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof RpcFault) throw thrown;
      if (thrown instanceof AppError) throw faultOf(thrown);
      const incident = this.#options.logger.incident("method_failed", thrown, { request: call.requestId });
      throw new RpcFault(codes.internal, `Internal error, incident ${incident}`, { incident });
    }
  }

  async callTool(call: MethodCall, tool: ToolArguments): Promise<CallResult> {
    const outcome = await this.#options.runner.run({ ...call, ...tool });
    const result = callResult(outcome);
    if (result !== null) return result;
    const close = outcome.kind === "unknown" ? outcome.close : [];
    const hint = close.length === 0 ? "" : `; did you mean ${close.join(", ")}?`;
    throw new RpcFault(codes.invalidParams, `Unknown tool: ${clip(tool.name)}${hint}`);
  }

  async listResources(call: MethodCall): Promise<readonly ResourceRow[]> {
    const { notes, folders } = this.#options;
    return [
      ...notes === null ? [] : await recentResources(notes, this.#notesCaller(call, "resources/list")),
      ...folders === null ? [] : rootResources(folders, folderCaller(call)),
    ];
  }

  async readResource(call: MethodCall, uri: string): Promise<ResourceContent> {
    const { notes, folders } = this.#options;
    const caller = this.#notesCaller(call, "resources/read");
    const found = (notes === null ? null : await readResource(notes, caller, uri)) ??
      (folders === null ? null : await readFolderResource(folders, folderCaller(call), uri));
    if (found !== null) return found;
    throw new RpcFault(codes.invalidParams, `Resource not found: ${clip(uri)}`, { uri });
  }

  async complete(call: MethodCall, request: CompletionRequest): Promise<Completion> {
    const { notes, folders } = this.#options;
    if (request.uri === folderTemplate) {
      return folders === null ? noCompletion : await completeFolder(folders, folderCaller(call), request);
    }
    if (notes === null) return noCompletion;
    return await completePageName(notes, this.#notesCaller(call, "completion/complete"), request);
  }

  async instructions(call: MethodCall): Promise<string> {
    const { runner, readOnly } = this.#options;
    const shown = new Set(runner.list(call).map((tool) => tool.name));
    const own = await this.#ownText(call);
    return buildInstructions({ principal: call.principal, shown, readOnly, own });
  }

  watcher(watch: NonNullable<Notes["finding"]["watch"]>): ListeningOptions["watch"] {
    const method = "subscriptions/listen";
    return (call, told) => this.guarded(call, () => watch(this.#notesCaller(call, method), told));
  }

  /** Bounded: a page that cannot be had at once must not keep a client from connecting. */
  async #ownText(call: MethodCall): Promise<string | null> {
    const { instructions, clock, logger } = this.#options;
    if (instructions === null) return null;
    const over = new AbortController();
    const limit = clock.sleep(ownTextMs, over.signal).then(() => {
      throw new AppError({ code: "upstream", upstream: "timeout", message: "Too slow", remedy: "Wait." });
    });
    try {
      return await Promise.race([instructions(AbortSignal.any([call.signal, over.signal])), limit]);
    } catch (thrown) {
      if (thrown instanceof AppError) logger.log("warn", "instructions_unreadable", { code: thrown.code });
      else logger.incident("instructions_failed", thrown, { request: call.requestId });
      return null;
    } finally {
      over.abort();
    }
  }

  #notesCaller(call: MethodCall, method: string): Caller {
    return {
      principal: narrowPrincipal(call.principal),
      tool: method,
      client: call.caller.client,
      requestId: call.requestId,
      signal: call.signal,
      audit: this.#options.audit,
    };
  }
}

function folderCaller({ principal, signal }: MethodCall): FolderCaller {
  return { rights: narrowPrincipal(principal).rights, signal };
}

function faultOf(error: AppError): RpcFault {
  const code = error.code === "internal" ? codes.internal : codes.invalidParams;
  const upstream = error.code === "upstream" ? codes.server : code;
  return new RpcFault(upstream, error.message, {
    error: error.code,
    status: error.status,
    remediation: error.remedy,
  });
}

function clip(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200).toWellFormed()}…`;
}
