/** Faults of the disk that nobody expects: an incident for the log, a code for the caller, and not a word of the system's. */

import assert from "node:assert/strict";
import { systemClock } from "../../src/core/clock.ts";
import { createLogger } from "../../src/core/log.ts";
import { createRights } from "../../src/core/rights.ts";
import { systemDisk } from "../../src/folders/resolve.ts";
import { allTools } from "../../src/tools/all.ts";
import { cites } from "../requirements.ts";
import { token } from "../support/app.ts";
import { withFolders } from "../support/folders.ts";
import { principal, testEndpoint, testUrl } from "../support/mcp_endpoint.ts";

const calls: Readonly<Record<string, Record<string, unknown>>> = {
  list_files: {},
  read_file: { path: "a.txt" },
  read_file_range: { path: "a.txt", start_line: 1, line_count: 1 },
  tail_file: { path: "a.txt", last_lines: 1 },
  read_multiple_files: { paths: ["a.txt"] },
  get_file_info: { path: "a.txt" },
  search_files: { q: "a" },
};

Deno.test("an unexpected fault of the disk is an incident, and its text goes nowhere", async () => {
  cites("folders.faults");
  const secret = `EMFILE: too many open files, open '/srv/secret/place' ${token}`;
  const fail = () => Promise.reject(Object.assign(new Error(secret), { code: "EMFILE" }));
  const disk = { ...systemDisk, realPath: fail };
  const logged: string[] = [];
  const clock = systemClock;
  const logger = createLogger({ level: "debug", format: "json", clock, write: (line) => logged.push(line) });
  await withFolders({ "a.txt": "a" }, async ({ folders, root }) => {
    const rights = createRights({ layers: [], hidden: [], roots: "all" });
    const endpoint = testEndpoint({
      tools: allTools,
      services: { notes: null, folders, status: { describe: async () => ({}) } },
      principal: { ...principal({}), rights },
    });
    for (const [name, args] of Object.entries(calls)) {
      const response = await endpoint.fetch(testUrl, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: { root: "r", ...args } },
        }),
      });
      const raw = await response.text();
      const { content, isError } = JSON.parse(raw).result;
      const several = name === "read_multiple_files";
      const told = several ? JSON.parse(content[0].text).files[0] : JSON.parse(content[1].text);
      assert.equal(isError ?? false, !several, "one file of several ends nothing");
      assert.equal(told.error, "internal-error", name);
      assert.match(told.incident, /^[a-z0-9]{8,}$/, name);
      for (const hidden of [token, "/srv/secret", "EMFILE", root]) {
        assert.equal(raw.includes(hidden), false, name);
      }
      const log = [...endpoint.logged, ...logged].join("\n");
      assert.ok(log.includes(told.incident), "the log has the incident");
      for (const hidden of [token, "/srv/secret", root]) {
        assert.equal(log.includes(hidden), false, `${name}: the log`);
      }
    }
    await endpoint.close();
  }, { disk, logger });
});
