/**
 * Folders over plain HTTP, for curl and programs that speak no MCP: `GET /read` and its like, and `POST /call` for callers on
 * this machine. Addresses, names, codes and statuses are those of personal-mcp-bridge.
 *
 * Nothing about folders is decided here. A request becomes a call of the same tool through the same runner as over MCP, so
 * that the two can never allow different things; only the arguments are taken exactly as they are.
 */

import { acceptedProperties, type JsonSchema } from "../../tools/definitions.ts";
import type { Runner } from "../../tools/run.ts";
import type { Tool } from "../../tools/tool.ts";
import type { Handler, Passed } from "../pipeline.ts";
import { Refusal, refuse } from "../refusals.ts";
import { failure, fault, nothingThere, outcomeCode, success } from "./answers.ts";
import { readCall } from "./call_body.ts";
import { queryArguments } from "./query.ts";
import { type FileRoute, fileRoutes, toolOfRoute, withAddresses } from "./tools.ts";

export interface FilesApiOptions {
  readonly run: Runner["run"];
  /** The folder tools, among any others. */
  readonly tools: readonly Tool[];
}

interface ToolCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Puts what an error says into the caller's own terms. */
  readonly words: (text: string) => string;
}

export function createFilesApi(options: FilesApiOptions): Readonly<Record<FileRoute | "call", Handler>> {
  const run = (passed: Passed, call: ToolCall) => runTool(options.run, passed, call);

  function handlerOf(route: FileRoute): Handler {
    const tool = toolOfRoute[route];
    const properties = propertiesOf(options.tools, tool);
    return (passed) => {
      const query = queryArguments(passed.exchange.query, properties);
      if ("args" in query) return run(passed, { tool, args: query.args, words: withAddresses });
      passed.exchange.note({ code: "invalid-argument" });
      return fault("invalid-argument", query.problem);
    };
  }

  const handlers = Object.fromEntries(fileRoutes.map((route) => [route, handlerOf(route)]));
  return {
    ...handlers as Record<FileRoute, Handler>,
    call: (passed) => {
      const { exchange, body } = passed;
      const called = readCall(body ?? new Uint8Array(), exchange.header("content-type"));
      if (!(called instanceof Response)) return run(passed, { ...called, words: (text) => text });
      if (!(called instanceof Refusal)) exchange.note({ code: "invalid-argument" });
      return called;
    },
  };
}

async function runTool(
  run: Runner["run"],
  { exchange, principal }: Passed,
  call: ToolCall,
): Promise<Response> {
  if (principal === null) return refuse("invalid-token");
  const userAgent = exchange.header("user-agent");
  const outcome = await run({
    principal,
    caller: { client: userAgent, userAgent },
    name: call.tool,
    arguments: call.args,
    exact: true,
    requestId: exchange.id,
    signal: exchange.signal,
  });
  const code = outcomeCode(outcome);
  if (code !== null) exchange.note({ code });
  switch (outcome.kind) {
    case "done":
      return success(outcome.result);
    case "failed":
      return failure(outcome.answer.json, call.words);
    case "unknown":
      return nothingThere(call.tool);
  }
}

function propertiesOf(tools: readonly Tool[], name: string): Readonly<Record<string, JsonSchema>> {
  const tool = tools.find((each) => each.name === name);
  return tool === undefined ? {} : acceptedProperties(tool);
}
