/** `silverbridge doctor`: looks at everything that goes wrong in practice, and says what mends it. */

import type { Config } from "../config/config.ts";
import { loadFromSystem } from "../config/load.ts";
import type { LoadedConfig, Problem } from "../config/outcome.ts";
import { removeNetworkVariables } from "../launch/environment.ts";
import { type Command, type CommandIo, exitCode } from "./command.ts";
import { ask } from "./doctor/ask.ts";
import { failures, type Finding, findingText, type Report } from "./doctor/finding.ts";
import { checkClock, checkReach } from "./doctor/reach.ts";
import { checkSpace } from "./doctor/space.ts";
import { checkConfigFile, checkOpenFiles, checkPort, checkRoots, checkState } from "./doctor/system.ts";

const ownFlags: ReadonlySet<string> = new Set(["--json", "--no-write", "--stdio"]);

export const doctor: Command = {
  name: "doctor",
  summary: "Look at everything that goes wrong in practice, and say what mends it",
  async run(args, io) {
    const flags = new Set(args.filter((arg) => ownFlags.has(arg)));
    const settings = args.filter((arg) => !ownFlags.has(arg));
    const purpose = flags.has("--stdio") ? "stdio" : "serve";
    const asJson = flags.has("--json");
    const findings: Finding[] = [];
    const report: Report = (finding) => {
      findings.push(finding);
      if (!asJson) io.stdout(findingText(finding, { colour: io.terminal && !Deno.noColor }));
    };
    const loaded = await loadFromSystem({ args: settings, purpose });
    if ("problems" in loaded) { for (const problem of loaded.problems) report(problemFinding(problem)); }
    else await examine(loaded, { ...{ report, purpose }, write: !flags.has("--no-write") });
    conclude(findings, { io, asJson });
    if ("problems" in loaded) {
      return loaded.problems.some(({ kind }) => kind === "usage") ? exitCode.usage : exitCode.config;
    }
    return failures(findings) > 0 ? exitCode.failed : exitCode.ok;
  },
};

interface Examination {
  readonly report: Report;
  readonly purpose: "serve" | "stdio";
  readonly write: boolean;
}

async function examine(loaded: LoadedConfig, { report, purpose, write }: Examination): Promise<void> {
  const { config, notices, effective } = loaded;
  removeNetworkVariables();
  // Descriptors are counted before anything else holds some.
  checkOpenFiles(report);
  const warnings = notices.filter(({ level }) => level === "warn");
  for (const { message } of warnings) report({ check: "configuration", status: "warn", text: message });
  if (warnings.length === 0) {
    report({ check: "configuration", status: "ok", text: "The configuration can be used" });
  }
  checkConfigFile(effective, report);
  await checkState(config, report);
  checkRoots(config, report);
  await checkSpaceClock(config, report);
  await checkSpace({ config, write }, report);
  if (purpose === "stdio") return;
  if (await checkPort(config, report)) return await checkReach(config, report);
  report({
    ...{ check: "public-url", status: "skip" },
    text: "The server does not run here, so its address is not tried: start it and ask again",
  });
}

/** By the time that SilverBullet says it is, where it says so. */
async function checkSpaceClock({ silverbullet }: Config, report: Report): Promise<void> {
  if (silverbullet === null || silverbullet.caPem !== null) return;
  const answer = await ask(`${silverbullet.url}/.ping`);
  if ("status" in answer) checkClock(answer, Date.now(), report);
}

function problemFinding({ message, mend }: Problem): Finding {
  return { check: "configuration", status: "fail", text: message, mend };
}

function conclude(
  findings: readonly Finding[],
  { io, asJson }: { readonly io: CommandIo; readonly asJson: boolean },
): void {
  const failed = failures(findings);
  if (asJson) {
    io.stdout(`${JSON.stringify({ ok: failed === 0, findings }, null, 2)}\n`);
    return;
  }
  const warned = findings.filter(({ status }) => status === "warn").length;
  const others = warned === 0 ? "" : `, ${warned} ${warned === 1 ? "warning" : "warnings"}`;
  io.stdout(failed === 0 ? `\nNothing is wrong${others}\n` : `\n${failed} to mend${others}\n`);
}
