/** Runs the official conformance suite, pinned in `deno.json`, against an address, and tells its verdict. */

import manifest from "../../../deno.json" with { type: "json" };

const folder = new URL("./", import.meta.url);

export interface Verdict {
  /** 0: every required scenario passed, or failed as expected. */
  readonly code: number;
  /** From the summary on. */
  readonly report: string;
}

export interface ConformanceRun {
  readonly url: string;
  readonly revision: "2025-11-25" | "2026-07-28";
  /** File beside this one that lists expected failures; the suite fails on one that passes. */
  readonly expected?: string;
}

export async function runConformance({ url, revision, expected }: ConformanceRun): Promise<Verdict> {
  const results = await Deno.makeTempDir({ prefix: "silverbridge-conformance-" });
  try {
    const baseline = expected === undefined
      ? []
      : ["--expected-failures", new URL(expected, folder).pathname];
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--no-prompt", manifest.imports["@modelcontextprotocol/conformance"]],
        ...["server", "--url", url, "--requirements", revision, "--output-dir", results, ...baseline],
      ],
      cwd: new URL("../../../", folder),
      // It waits for ever on a terminal that nobody types at.
      stdin: "null",
      env: { NO_COLOR: "1" },
      signal: AbortSignal.timeout(240_000),
    }).output();
    const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    const summary = text.indexOf("=== SUMMARY ===");
    return { code, report: summary < 0 ? text.slice(-4000) : text.slice(summary) };
  } finally {
    await Deno.remove(results, { recursive: true });
  }
}
