/** What plain HTTP answers of a tool's outcome: the same JSON as over MCP, with the status that goes with it. */

import type { RunOutcome } from "../../tools/run.ts";
import type { ToolResult } from "../../tools/tool.ts";
import { baseHeaders, jsonResponse } from "../../web/respond.ts";

type Failure = Readonly<Record<string, unknown>>;

/** Seconds after which a disk that did not answer may be asked again. */
const retrySeconds = "5";

export function success({ blocks }: ToolResult): Response {
  const text = blocks.find((block) => block.type === "text")?.text ?? "{}";
  const image = blocks.find((block) => block.type === "image");
  if (image !== undefined) {
    const { data, mimeType } = image;
    return jsonResponse(200, { ...JSON.parse(text), image: { data, mimeType } });
  }
  return new Response(text, { headers: { "content-type": "application/json", ...baseHeaders } });
}

/** `words` puts what the caller is told to do into its own terms. */
export function failure(json: Failure, words: (text: string) => string): Response {
  const status = Number(json["status"]);
  // The caller has hung up: nobody reads this.
  if (status === 499) return new Response(null, { status });
  const told = {
    ...json,
    error: codeOf(String(json["error"])),
    remediation: words(String(json["remediation"])),
  };
  return jsonResponse(status, told, status === 503 ? { "retry-after": retrySeconds } : undefined);
}

/** Over plain HTTP a wrong argument has one code, whoever finds it. */
function codeOf(code: string): string {
  return code === "invalid-params" ? "invalid-argument" : code;
}

export function fault(code: string, message: string, status = 400): Response {
  return jsonResponse(status, { error: code, status, message });
}

/** For a caller who may read no folder nothing is there, as on a server without any. */
export function nothingThere(tool: string): Response {
  if (tool === "list_roots") return jsonResponse(200, { roots: [], empty: true });
  return fault("unknown-root", "There is no folder that you may read", 403);
}

/** The code of a failed outcome, for the log. */
export function outcomeCode(outcome: RunOutcome): string | null {
  switch (outcome.kind) {
    case "done":
      return null;
    case "unknown":
      return "unknown-root";
    case "failed":
      return codeOf(String(outcome.answer.json["error"]));
  }
}
