/**
 * MCP over Streamable HTTP for one program: `Request` in, `Response` out, both protocol eras, no session table.
 *
 * The only importer of the MCP server library. Authentication, Host, Origin and rate limits are settled before.
 */

import type { Audit } from "../core/audit.ts";
import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import type { Principal } from "../core/principal.ts";
import type { ErrorStyle } from "../tools/errors_text.ts";
import type { Tool, ToolServices } from "../tools/tool.ts";

export interface McpEndpointOptions {
  readonly tools: readonly Tool[];
  readonly services: ToolServices;
  readonly version: string;
  readonly readOnly: boolean;
  readonly errorStyle: ErrorStyle;
  /** Bytes that a request body may have. */
  readonly maxBodyBytes: number;
  /** The operator's own text for assistants, read anew for every handshake; `null` for none. */
  readonly instructions: ((signal: AbortSignal) => Promise<string | null>) | null;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: Audit;
}

export interface McpCall {
  readonly principal: Principal;
  readonly requestId: string;
  readonly userAgent: string | null;
}

export interface McpEndpoint {
  /** Answers any method on the MCP path; never throws. */
  handle(request: Request, call: McpCall): Promise<Response>;
  /** Ends open streams and waits for handlers that still run. */
  close(): Promise<void>;
}

export function createMcpEndpoint(_options: McpEndpointOptions): McpEndpoint {
  throw new TypeError("Under construction");
}
