/** Brings together every place where settings are given, and reads the files that hold values. */

import { dirname, isAbsolute, join } from "node:path";
import type { Candidate } from "./candidate.ts";
import { credentialNames, readEnvironment } from "./environment.ts";
import { type FileSettings, readFileSettings } from "./file_settings.ts";
import { readFlags } from "./flags.ts";
import { type OptionName, options, variableOf } from "./options.ts";
import { absolutePath } from "./paths.ts";
import { type Report, shownName } from "./report.ts";
import { readSecretFile, readSettingFile, readWithMode } from "./secret_file.ts";
import type { Source } from "./source.ts";
import { suggest } from "./suggest.ts";
import { inFile } from "./yaml_fields.ts";
import type { YamlNode } from "./yaml_tree.ts";

export const maxSecretBytes = 64 * 1024;
const maxConfigBytes = 256 * 1024;

export interface Gathered {
  readonly candidates: readonly Candidate[];
  /** Settings that were given in any way, also where what was given could not be read. */
  readonly attempted: ReadonlySet<OptionName>;
  readonly sections: ReadonlyMap<string, YamlNode>;
  readonly emptied: ReadonlySet<string>;
  readonly configFile: string | null;
  /** Absolute paths; a folder where a whole folder holds secrets. Grows while sections are read. */
  readonly secretFiles: string[];
  readonly home: string | null;
  absolute(path: string, level: Candidate["level"]): string;
  /** Reads a secret's file and remembers it; `null` after a problem. */
  readSecret(path: string, name: string): string | null;
}

export async function gather(source: Source, report: Report): Promise<Gathered> {
  const home = isAbsolute(source.env["HOME"] ?? "") ? source.env["HOME"] ?? null : null;
  const secretFiles: string[] = [];
  const flags = readFlags(source.args, report);
  const environment = readEnvironment(source.env, report);
  function absoluteFrom(folder: string): (path: string) => string {
    return (path) => absolutePath(path, { folder, home });
  }
  function readSecret(path: string, name: string): string | null {
    const real = source.realPath(path);
    secretFiles.push(typeof real === "string" ? path : real.path);
    return readSecretFile({ name, path, maxBytes: maxSecretBytes }, { source, report });
  }
  const fromHere = absoluteFrom(source.cwd);
  const configPath = flags.find((flag) => flag.option === "CONFIG")?.text ??
    source.env[variableOf("CONFIG")]?.trim();
  const file = configPath ? await readConfigFile(fromHere(configPath), { source, report, flags }) : null;
  const fromFile = absoluteFrom(file === null ? source.cwd : dirname(file.path));
  const files = [...environment.files, ...file?.settings.files ?? []];
  const settled: Candidate[] = flags.flatMap(({ option, name, text, file }) => {
    const value = file ? readSecret(fromHere(text), name) : text;
    return value === null ? [] : [{ option, level: "flag" as const, name, text: value, alias: null }];
  });
  settled.push(...environment.candidates);
  for (const { path, ...rest } of files) {
    const text = readSecret(rest.level === "file" ? fromFile(path) : fromHere(path), rest.name);
    if (text !== null) settled.push({ ...rest, text });
  }
  settled.push(...readCredentials(source, { report, secretFiles }), ...file?.settings.candidates ?? []);
  return {
    candidates: settled,
    attempted: new Set([...flags, ...files, ...settled].map(({ option }) => option)),
    sections: file?.settings.sections ?? new Map(),
    emptied: environment.emptied,
    configFile: file?.path ?? null,
    ...{ secretFiles, home, readSecret },
    absolute: (path, level) => level === "file" ? fromFile(path) : fromHere(path),
  };
}

interface ConfigFile {
  /** Canonical. */
  readonly path: string;
  readonly settings: FileSettings;
}

async function readConfigFile(
  path: string,
  { source, report, flags }: {
    readonly source: Source;
    readonly report: Report;
    readonly flags: ReturnType<typeof readFlags>;
  },
): Promise<ConfigFile | null> {
  const name = flags.find((flag) => flag.option === "CONFIG")?.name ?? variableOf("CONFIG");
  const read = readWithMode({ name, path, maxBytes: maxConfigBytes }, { source, report });
  if (read === null) return null;
  const outcome = await source.parseYaml(read.text);
  if ("faults" in outcome) {
    for (const fault of outcome.faults) {
      const where = fault.place === null ? "The configuration file" : inFile("The text", fault.place);
      report.problem(name, `${where} ${fault.message}`, fault.mend);
    }
    return null;
  }
  const settings = readFileSettings(outcome.root, report);
  if (settings.holdsSecret && read.shared) {
    report.warn(
      "open_secret_file",
      "The configuration file holds a secret, and every user of this machine may read it",
    );
  }
  const real = source.realPath(path);
  return { path: typeof real === "string" ? path : real.path, settings };
}

/** `$CREDENTIALS_DIRECTORY`: one file a setting. Other files there are somebody else's, unless the name is close. */
function readCredentials(
  source: Source,
  { report, secretFiles }: { readonly report: Report; readonly secretFiles: string[] },
): readonly Candidate[] {
  const folder = source.env["CREDENTIALS_DIRECTORY"] ?? "";
  if (!isAbsolute(folder)) return [];
  const listed = source.listFolder(folder);
  if (typeof listed === "string") {
    report.warn("credentials", "CREDENTIALS_DIRECTORY names a folder that cannot be read");
    return [];
  }
  const real = source.realPath(folder);
  secretFiles.push(typeof real === "string" ? folder : real.path);
  const known = credentialNames();
  return listed.flatMap((file) => {
    const option = known.get(file);
    const name = `credential ${shownName(file)}`;
    if (option === undefined) {
      const close = suggest(file.replaceAll("-", "_"), [...known.keys()]);
      if (close.length > 0) {
        report.inform("unknown_name", `${name} has no effect; did you mean ${close.join(" or ")}?`);
      }
      return [];
    }
    const setting = { name, path: join(folder, file), maxBytes: maxSecretBytes };
    const read = options[option].secret ? readSecretFile : readSettingFile;
    const text = read(setting, { source, report });
    return text === null ? [] : [{ option, level: "credential" as const, name, text, alias: null }];
  });
}
