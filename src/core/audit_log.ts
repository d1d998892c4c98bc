/** Audit events as log lines. The field `text` reads as silverbullet-mcp-server's log did, for tools that match on it. */

import type { Audit, AuditEvent } from "./audit.ts";
import type { Logger } from "./log.ts";

/** What was refused may be no name at all, but whatever a caller took for one. */
const longestRefused = 200;

export function createAuditLog(logger: Logger): Audit {
  return (event) => {
    const { action, tool, page, principal, client, requestId, outcome, before, after, change } = event;
    logger.log("info", "audit", {
      text: auditText(event),
      request: requestId,
      client: principal,
      agent: client,
      action,
      tool,
      page: outcome === "ok" ? page : page?.slice(0, longestRefused).toWellFormed(),
      outcome,
      before,
      after,
      change,
    });
  };
}

function auditText({ action, tool, page, outcome }: AuditEvent): string {
  if (outcome !== "ok") return `[ERROR] tool=${tool} code=${outcome}`;
  return `[WRITE] action=${action}${page === undefined ? "" : ` page=${JSON.stringify(page)}`}`;
}
