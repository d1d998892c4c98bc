/**
 * The answer to a client that signed in for reading alone and now wants to change something: 403 with everything that it
 * has to ask for (RFC 6750 §3.1), so that it can come back with the owner's approval.
 *
 * Looked at only for such clients. Whom the owner gave less than it asked for is not sent back to ask again: for it the
 * tool does not exist.
 */

import type { Principal } from "../core/principal.ts";
import { jsonResponse } from "../web/respond.ts";

export interface ScopeGateOptions {
  /** Names of the tools that change something, synonyms included. */
  readonly writing: ReadonlySet<string>;
  /** Parameters of the challenge, such as `resource_metadata="…"`. */
  readonly challenge: readonly string[];
}

export type ScopeGate = (principal: Principal, body: Uint8Array<ArrayBuffer> | null) => null | Response;

export function createScopeGate({ writing, challenge }: ScopeGateOptions): ScopeGate {
  return (principal, body) => {
    if (principal.mayAskForWrite !== true || body === null) return null;
    const tool = calledTool(body);
    if (tool === null || !writing.has(tool)) return null;
    const description = "Changing pages needs the owner's approval for writing";
    const parameters = [
      'realm="silverbridge"',
      'error="insufficient_scope"',
      `error_description="${description}"`,
      ...challenge,
    ];
    return jsonResponse(403, { error: "insufficient_scope", error_description: description }, {
      "www-authenticate": `Bearer ${parameters.join(", ")}`,
    });
  };
}

/** The name in a `tools/call`; `null` for everything else. */
function calledTool(body: Uint8Array<ArrayBuffer>): string | null {
  try {
    const message: unknown = JSON.parse(new TextDecoder().decode(body));
    if (typeof message !== "object" || message === null) return null;
    const { method, params }: { readonly method?: unknown; readonly params?: unknown } = message;
    if (method !== "tools/call" || typeof params !== "object" || params === null) return null;
    return "name" in params && typeof params.name === "string" ? params.name : null;
  } catch {
    return null;
  }
}
