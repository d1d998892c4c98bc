/** The audit event of a call, as the runner sees it. */

import type { AuditEvent } from "../core/audit.ts";
import { parsePageName } from "../core/page_name.ts";
import type { Principal } from "../core/principal.ts";
import type { CallerInfo } from "./tool.ts";

export interface AuditedCall {
  readonly tool: string;
  readonly request: AuditedRequest;
  readonly outcome: string;
  readonly input: Readonly<Record<string, unknown>>;
}

interface AuditedRequest {
  readonly principal: Principal;
  readonly caller: CallerInfo;
  readonly requestId: string;
}

/** The form of every audit line: the path of the file. What is no name at all stays as it came. */
function auditedPage(page: string): string {
  try {
    return parsePageName(page).path;
  } catch {
    return page;
  }
}

/** What a call did to which page, for the lines that no room below writes itself: refusals, and tools without one. */
export function auditEvent({ tool, request, outcome, input }: AuditedCall): AuditEvent {
  const page = input["page"] ?? input["from"];
  const { client } = request.caller;
  return {
    action: tool,
    tool,
    ...(typeof page === "string" ? { page: auditedPage(page) } : {}),
    principal: request.principal.id,
    ...(client === null ? {} : { client }),
    requestId: request.requestId,
    outcome,
  };
}
