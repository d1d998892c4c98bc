/** A system that exists only in a test: variables, files, folders and links, handed to `load()`. */

import assert from "node:assert/strict";
import { basename, dirname, resolve } from "node:path";
import { load, parseYaml } from "../../src/config/load.ts";
import type { LoadedConfig, Problem, RefusedConfig } from "../../src/config/outcome.ts";
import type { FileFault, Purpose, Source } from "../../src/config/source.ts";

export interface FakeSystem {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Text by absolute path; the folders above exist by themselves. */
  readonly files?: Readonly<Record<string, string>>;
  readonly folders?: readonly string[];
  /** Symlinks: path to absolute target. */
  readonly links?: Readonly<Record<string, string>>;
  /** Files that every user may read. */
  readonly shared?: readonly string[];
  /** Folders in which nothing can be written. */
  readonly readOnly?: readonly string[];
  /** Files and folders that cannot be read. */
  readonly denied?: readonly string[];
  readonly terminal?: boolean;
  readonly purpose?: Purpose;
}

/** Folders that every fake system has. */
const usualFolders = [
  "/home/ann",
  "/srv/docs",
  "/srv/more",
  "/srv/space",
  "/var/lib",
  "/etc",
  "/proc/1",
  "/dev/shm",
];

export function fakeSource(system: FakeSystem): Source {
  const files = system.files ?? {};
  const links = system.links ?? {};
  const denied = new Set(system.denied);
  const folders = new Set(["/"]);
  const named = [
    ...usualFolders,
    ...system.folders ?? [],
    ...Object.keys(files).map((file) => dirname(file)),
  ];
  for (const folder of named) {
    for (let each = folder; each !== "/"; each = dirname(each)) folders.add(each);
  }
  function real(path: string): string | null {
    let current = resolve("/", path);
    for (const [link, target] of Object.entries(links)) {
      if (current === link || current.startsWith(`${link}/`)) current = target + current.slice(link.length);
    }
    return folders.has(current) || Object.hasOwn(files, current) ? current : null;
  }
  function folderAt(path: string): string | FileFault {
    const found = real(path);
    if (found === null) return "missing";
    if (denied.has(found)) return "denied";
    return folders.has(found) ? `at ${found}` : "wrong_kind";
  }
  return {
    args: system.args ?? [],
    env: { HOME: "/home/ann", ...system.env },
    cwd: "/srv",
    isTerminal: system.terminal ?? false,
    ...(system.purpose === undefined ? {} : { purpose: system.purpose }),
    readFile(path, maxBytes) {
      const found = real(path);
      if (found === null) return "missing";
      const text = files[found];
      if (text === undefined) return "wrong_kind";
      if (denied.has(found)) return "denied";
      const bytes = new TextEncoder().encode(text);
      if (bytes.length > maxBytes) return "too_large";
      return { bytes, shared: (system.shared ?? []).includes(found) };
    },
    realPath(path) {
      const found = real(path);
      return found === null ? "missing" : { path: found };
    },
    listFolder(path) {
      const found = folderAt(path);
      if (!found.startsWith("at ")) return found as FileFault;
      const base = found.slice(3);
      const names = [...Object.keys(files), ...Object.keys(links)].filter((path) => dirname(path) === base);
      return names.map((path) => basename(path));
    },
    canWriteIn: (path) => !(system.readOnly ?? []).includes(path),
    parseYaml,
  };
}

export async function loaded(system: FakeSystem): Promise<LoadedConfig> {
  const result = await load(fakeSource(system));
  if ("problems" in result) assert.fail(result.problems.map(({ message }) => message).join("\n"));
  return result;
}

export async function refused(system: FakeSystem): Promise<RefusedConfig> {
  const result = await load(fakeSource(system));
  if ("config" in result) assert.fail("The configuration was accepted");
  return result;
}

/** The problems of a configuration, none where it is accepted. */
export async function problemsOf(system: FakeSystem): Promise<readonly Problem[]> {
  const result = await load(fakeSource(system));
  return "problems" in result ? result.problems : [];
}

export const strongToken = "Zk3vR8qLw1Tx6Yb0Nc5Md9Hf2Jg7Ps4Q";

/** The least that serves notes on loopback. */
export const notes = {
  SILVERBRIDGE_SILVERBULLET_URL: "http://127.0.0.1:3000",
  SILVERBRIDGE_TOKEN: strongToken,
};

/** The least that serves a folder on loopback. */
export const folders = { SILVERBRIDGE_ROOTS: "docs=/srv/docs" };
