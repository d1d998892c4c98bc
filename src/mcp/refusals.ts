/** What is refused before a server is made for it, beyond what is wrong with any message. */

import { protocolRevisions } from "../core/revisions.ts";
import { initializeProblem } from "./head.ts";
import type { RpcMessage } from "./message.ts";
import { legacyRevisions } from "./revisions.ts";
import { codes, refuse } from "./rpc.ts";

/** `null` for a message of the old era that can be served. */
export function refuseLegacy(request: Request, message: RpcMessage): Response | null {
  const id = message.id ?? null;
  if (message.method === "initialize") {
    const problem = initializeProblem(message.params);
    if (problem === null) return null;
    return refuse({ status: 400, code: codes.invalidParams, message: problem, word: "invalid-params", id });
  }
  const revision = request.headers.get("mcp-protocol-version")?.trim() ?? null;
  if (revision === null || legacyRevisions.includes(revision)) return null;
  return refuse({
    status: 400,
    code: codes.server,
    message: `Unsupported protocol version; supported are ${protocolRevisions.join(", ")}`,
    word: "unsupported-protocol-version",
    id,
  });
}

export function methodNotAllowed(): Response {
  return refuse({
    status: 405,
    code: codes.server,
    message: "Only POST: there are no sessions and no stream to open",
    word: "method-not-allowed",
    headers: { allow: "POST" },
  });
}
