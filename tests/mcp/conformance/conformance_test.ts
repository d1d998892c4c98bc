/**
 * The official conformance suite: against the running product, whose expected failures need fixtures that a
 * product has no use for, and against the same HTTP and MCP stack with those fixtures behind it.
 */

import assert from "node:assert/strict";
import { systemClock } from "../../../src/core/clock.ts";
import { silentLogger } from "../../../src/core/log.ts";
import { createHttp } from "../../../src/http/http.ts";
import { createNodeServer, defaultLimits } from "../../../src/http/node_server.ts";
import { createMcpStack } from "../../../src/mcp/endpoint.ts";
import { freePort, withProgram } from "../../support/app.ts";
import { principal } from "../../support/mcp_endpoint.ts";
import { fixtureServer } from "./fixture_server.ts";
import { runConformance } from "./runner.ts";
import { cites } from "../../requirements.ts";

const pages = {
  "index.md": "Welcome, see [[Projects/Alpha]].\n",
  "Projects/Alpha.md": "# Alpha\n\n* [ ] first task\n",
};

for (const revision of ["2025-11-25", "2026-07-28"] as const) {
  Deno.test(`the running product conforms to ${revision}`, async () => {
    cites("mcp.conformance");
    const env = {
      SILVERBRIDGE_TOKEN: null,
      SILVERBRIDGE_AUTH: "none",
      SILVERBRIDGE_RATE_LIMIT_PER_MINUTE: "0",
    };
    await withProgram({ env, space: { files: pages } }, async ({ url }) => {
      const expected = `product-${revision}.yml`;
      const { code, report } = await runConformance({ url: `${url}/mcp`, revision, expected });
      assert.equal(code, 0, report);
    });
  });

  Deno.test(`the stack with every fixture behind it conforms to ${revision}`, async () => {
    const port = freePort();
    const stack = createMcpStack({ serverFor: fixtureServer, maxBodyBytes: 4_000_000, logger: silentLogger });
    const server = createNodeServer({
      handle: createHttp({
        publicUrl: `http://127.0.0.1:${port}`,
        allowedHosts: [],
        wildcardBind: false,
        allowedOrigins: [],
        mcpOrigins: [],
        trustedProxies: [],
        publicMode: false,
        allowQueryToken: false,
        configuredRateLimitPerMinute: 0,
        rateLimitPerMinute: 0,
        maxBodyBytes: 4_000_000,
        callers: {
          verifier: null,
          local: principal({ kind: "none" }),
          assertion: null,
          issuer: null,
          signIn: null,
          owner: null,
        },
        space: null,
        notes: null,
        readOnly: false,
        tokens: [],
        roots: [],
        instructions: null,
        audit: () => {},
        unknownRedirects: "warn",
        writingTools: new Set(),
        mcp: { handle: stack.handle, run: () => assert.fail("No folders here") },
        ready: async () => ({ ok: true }),
        landing: { address: "", signIn: false, token: false, version: "0.0.0", revisions: [] },
        clock: systemClock,
        logger: silentLogger,
      }),
      logger: silentLogger,
      clock: systemClock,
      limits: defaultLimits,
      trustsRequestId: () => false,
    });
    await server.listen({ host: "127.0.0.1", port });
    try {
      const expected = revision === "2025-11-25" ? { expected: "fixtures-2025-11-25.yml" } : {};
      const { code, report } = await runConformance({
        url: `http://127.0.0.1:${port}/mcp`,
        revision,
        ...expected,
      });
      assert.equal(code, 0, report);
    } finally {
      await stack.close();
      await server.close();
    }
  });
}
