/**
 * `silverbridge init`: finds SilverBullet, gets a token for it, proves that both work, and writes a configuration file.
 *
 * Nothing is written before everything was tried, no file is ever overwritten without asking, and no secret is shown.
 */

import { join, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { loadFromSystem } from "../config/load.ts";
import { exitCodeOf, renderProblems } from "../config/outcome.ts";
import { systemClock } from "../core/clock.ts";
import { randomId } from "../core/ids.ts";
import { silentLogger } from "../core/log.ts";
import { configurationHome, removeNetworkVariables } from "../launch/environment.ts";
import { openSilverBullet } from "../silverbullet/silverbullet.ts";
import { openPathLock } from "../state/path_lock.ts";
import { type Command, type CommandIo, exitCode } from "./command.ts";
import { checkSpace } from "./doctor/space.ts";
import { findingText } from "./doctor/finding.ts";
import { configText, isThere, type NewConfig, placeConfig } from "./init/config_file.ts";
import { findSpace } from "./init/find_space.ts";
import { type InitFlags, readInitFlags } from "./init/flags.ts";
import { nextSteps } from "./init/next_steps.ts";
import { ask, askYes, NoAnswer } from "./init/question.ts";
import { askSignIn } from "./init/sign_in.ts";
import { obtainToken } from "./init/space_token.ts";

export const init: Command = {
  name: "init",
  summary: "Find SilverBullet, get a token for it, try both, and write a configuration file",
  async run(args, io) {
    const flags = readInitFlags(args);
    if (flags === null) {
      io.stderr("usage: silverbridge init [--yes] [--device] [--config FILE] [--silverbullet-url URL] ...\n");
      return exitCode.usage;
    }
    try {
      return await setUp(flags, io);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      io.stderr("\nNothing was written\n");
      return exitCode.failed;
    }
  },
};

async function setUp(flags: InitFlags, io: CommandIo): Promise<number> {
  const path = targetOf(flags);
  if (path === null) return refuse(io, "There is no home folder to write to: name a file with --config");
  const replaces = isThere(path);
  if (replaces && flags.yes) return refuse(io, `There is a file already: ${path}. It is left as it is`);
  if (
    replaces &&
    !await askYes(`${path} is there already. Keep it under another name, and write a new one?`, io, no)
  ) {
    return refuse(io, "It is left as it is");
  }
  removeNetworkVariables();
  const settings = await spaceSettings(flags, io);
  if (typeof settings === "number") return settings;
  const tried = await trySpace(settings, { flags, io });
  if (tried === null) return refuse(io, "Nothing was written");
  const signIn = flags.yes ? null : await askSignIn(io);
  const { config, token, readOnly } = tried;
  const written: NewConfig = {
    ...{
      silverbulletUrl: config.url,
      silverbulletToken: token,
      caFile: flags.caFile === null ? null : resolve(flags.caFile),
    },
    ...{ token: randomId(40), readOnly, signIn },
  };
  const placed = await placeConfig(path, configText(written), {
    replace: replaces,
    accept: (file) => isAccepted(file, io),
  });
  if (placed === null) return refuse(io, "Nothing was written");
  if ("fault" in placed) {
    const words = { exists: `There is a file already: ${path}`, unwritable: `Cannot write ${path}` };
    return refuse(io, words[placed.fault]);
  }
  if (config.caPem !== null && flags.caFile === null) {
    io.stderr("SILVERBRIDGE_SILVERBULLET_CA_FILE is not part of the file: keep it in the environment\n");
  }
  if (placed.kept !== null) io.stderr(`The file that was there is now ${placed.kept}\n`);
  const program = Deno.build.standalone ? Deno.execPath() : "silverbridge";
  const publicUrl = signIn?.publicUrl ?? null;
  io.stdout(nextSteps({ program, path, address: "http://127.0.0.1:8787/mcp", publicUrl }));
  return exitCode.ok;
}

const no = { usual: false } as const;

function refuse(io: CommandIo, text: string): number {
  io.stderr(`${text}\n`);
  return exitCode.failed;
}

function targetOf({ config }: InitFlags): string | null {
  if (config !== null) return resolve(config);
  const home = configurationHome();
  return home === null ? null : join(home, "silverbridge", "config.yaml");
}

type SpaceSetting = NonNullable<Config["silverbullet"]>;

/** What is set already, by flags, variables or files; the address is looked for and asked for where it is not. */
async function spaceSettings(flags: InitFlags, io: CommandIo): Promise<SpaceSetting | number> {
  const given = await loadFromSystem({ args: flags.settings, purpose: "stdio" });
  if ("config" in given && given.config.silverbullet !== null) return given.config.silverbullet;
  if (flags.hasUrl && "problems" in given) {
    io.stderr(renderProblems(given.problems));
    return exitCodeOf(given.problems);
  }
  const found = await findSpace();
  if (found !== null) io.stderr(`Found a SilverBullet at ${found}\n`);
  if (found === null && flags.yes) {
    return refuse(io, "No SilverBullet was found on this machine: name its address with --silverbullet-url");
  }
  for (;;) {
    const url = flags.yes ? found ?? "" : await ask("Address of SilverBullet", io, found ?? "");
    const loaded = await loadFromSystem({
      args: [...flags.settings, "--silverbullet-url", url],
      purpose: "stdio",
    });
    if ("config" in loaded && loaded.config.silverbullet !== null) return loaded.config.silverbullet;
    for (const { message, mend } of "problems" in loaded ? loaded.problems : []) {
      io.stderr(`${message}\n  ${mend}\n`);
    }
    if (flags.yes) return exitCode.config;
  }
}

interface Tried {
  readonly config: SpaceSetting;
  readonly token: string | null;
  readonly readOnly: boolean;
}

/** `null` where it does not work; why was said. */
async function trySpace(
  setting: SpaceSetting,
  { flags, io }: { readonly flags: InitFlags; readonly io: CommandIo },
): Promise<Tried | null> {
  const token = setting.token ??
    (await isOpen(setting) ? null : await obtainToken({ ...setting, ...flags, io }));
  if (token === "failed") return null;
  let failed = false;
  let takesNoChanges = false;
  const config = { silverbullet: { ...setting, token }, readOnly: false };
  await checkSpace({ config, write: true }, (finding) => {
    if (finding.status === "skip" || finding.status === "note") return;
    const isReadOnly = finding.check === "write" && /takes no changes/.test(finding.text);
    if (isReadOnly) takesNoChanges = true;
    else if (finding.status === "fail" && finding.check !== "token-enforced") failed = true;
    io.stderr(
      findingText(isReadOnly ? { ...finding, status: "warn" } : finding, {
        colour: io.terminal && !Deno.noColor,
      }),
    );
  });
  if (takesNoChanges) io.stderr("So the configuration says read_only: on\n");
  return failed ? null : { config: setting, token, readOnly: takesNoChanges };
}

/** True where SilverBullet answers without a token. */
async function isOpen(setting: SpaceSetting): Promise<boolean> {
  const space = openSilverBullet({
    ...{ url: setting.url, token: null, caPem: setting.caPem, readOnly: true },
    ...{ clock: systemClock, logger: silentLogger, lock: openPathLock({ state: null, clock: systemClock }) },
  });
  try {
    return (await space.ready(AbortSignal.timeout(15_000))).ok;
  } finally {
    space.close();
  }
}

/** Whether the server would start with it. */
async function isAccepted(file: string, io: CommandIo): Promise<boolean> {
  const loaded = await loadFromSystem({ args: ["--config", file], purpose: "serve" });
  if ("config" in loaded) return true;
  io.stderr(renderProblems(loaded.problems));
  return false;
}
