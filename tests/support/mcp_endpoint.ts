/** An MCP endpoint in memory over given tools, with everything that it tells kept for looking at. */

import type { AuditEvent } from "../../src/core/audit.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createLogger } from "../../src/core/log.ts";
import type { Principal, Profile } from "../../src/core/principal.ts";
import { createRights, type VerbGlobs } from "../../src/core/rights.ts";
import { createMcpEndpoint, type McpEndpointOptions } from "../../src/mcp/endpoint.ts";

export const everything: VerbGlobs = {
  read: ["**"],
  append: ["**"],
  create: ["**"],
  write: ["**"],
  delete: ["**"],
};

export function principal(options: Partial<Principal> & { readonly grants?: VerbGlobs } = {}): Principal {
  const { grants = everything, ...rest } = options;
  return {
    id: "token:test",
    kind: "token",
    name: "test",
    rights: createRights({ layers: [grants], hidden: [], roots: "all" }),
    profile: "full",
    ...rest,
  };
}

/** Every profile shows exactly these. */
export function showing(names: readonly string[]): Readonly<Record<Profile, ReadonlySet<string>>> {
  const shown = new Set(names);
  return { standard: shown, full: shown, read: shown, chatgpt: shown, files: shown };
}

export interface TestEndpoint {
  /** One request as the given caller, through no network. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  readonly audited: readonly AuditEvent[];
  readonly logged: readonly string[];
  close(): Promise<void>;
}

export interface TestEndpointOptions extends Partial<McpEndpointOptions> {
  readonly principal?: Principal;
  readonly userAgent?: string | null;
}

export const testUrl = "http://127.0.0.1:8787/mcp";

export function testEndpoint(options: TestEndpointOptions = {}): TestEndpoint {
  const audited: AuditEvent[] = [];
  const logged: string[] = [];
  const clock = options.clock ?? systemClock;
  const endpoint = createMcpEndpoint({
    tools: [],
    services: { notes: null, status: { describe: async () => ({}) } },
    version: "0.0.0-test",
    readOnly: false,
    errorStyle: "auto",
    maxBodyBytes: 4 * 1024 * 1024,
    instructions: null,
    profiles: showing((options.tools ?? []).map((tool) => tool.name)),
    logger: createLogger({ level: "debug", format: "json", clock, write: (line) => logged.push(line) }),
    audit: (event) => audited.push(event),
    ...options,
    clock,
  });
  let count = 0;
  return {
    fetch(input, init) {
      const request = input instanceof Request ? input : new Request(input, init);
      return endpoint.handle(request, {
        principal: options.principal ?? principal(),
        requestId: `test-${++count}`,
        userAgent: options.userAgent ?? request.headers.get("user-agent"),
      });
    },
    audited,
    logged,
    close: () => endpoint.close(),
  };
}
