/** What the configuration file gives: settings by their names in lower case, and the sections. */

import type { Candidate } from "./candidate.ts";
import { keyOf, type OptionName, optionNames, options } from "./options.ts";
import type { Report } from "./report.ts";
import { sectionKeys } from "./sections.ts";
import { Fields, textOrItems } from "./yaml_fields.ts";
import type { YamlMap, YamlNode } from "./yaml_tree.ts";

export interface FileSettings {
  readonly candidates: readonly Candidate[];
  /** Secrets that still stand in files. */
  readonly files: readonly (Omit<Candidate, "text"> & { readonly path: string })[];
  readonly sections: ReadonlyMap<string, YamlNode>;
  /** True when a secret stands in the file itself. */
  readonly holdsSecret: boolean;
}

export function readFileSettings(root: YamlMap, report: Report): FileSettings {
  const keys = fileKeys();
  const fields = new Fields(root, { label: "", keys: [...keys.keys(), ...sectionKeys], report });
  const candidates: Candidate[] = [];
  const files: (Omit<Candidate, "text"> & { path: string })[] = [];
  let holdsSecret = false;
  for (const [key, { option, file }] of keys) {
    const node = fields.node(key);
    if (node === null || (option === "ROOTS" && node.kind === "list")) continue;
    const name = fields.nameOf(key);
    const text = textOrItems(node);
    if (text === null) {
      report.problem(name, `${name} must be a single value`, `Wanted: ${options[option].kind.label}`);
    } else if (text === "") report.problem(name, `${name} has no value`, "Give it one, or remove the line");
    else if (!file) candidates.push({ option, level: "file", name, text, alias: null });
    else if (typeof text === "string") {
      files.push({ option, level: "file", name, path: text.trim(), alias: null });
    }
    if (options[option].secret && !file) holdsSecret = true;
  }
  const sections = new Map<string, YamlNode>();
  for (const key of sectionKeys) {
    const node = fields.node(key);
    if (node !== null && (key !== "roots" || node.kind !== "text")) sections.set(key, node);
  }
  return { candidates, files, sections, holdsSecret };
}

function fileKeys(): ReadonlyMap<string, { readonly option: OptionName; readonly file: boolean }> {
  const keys = new Map<string, { option: OptionName; file: boolean }>();
  for (const option of optionNames()) {
    if (options[option].old || option === "CONFIG") continue;
    keys.set(keyOf(option), { option, file: false });
    if (options[option].secret) keys.set(`${keyOf(option)}_file`, { option, file: true });
  }
  return keys;
}
