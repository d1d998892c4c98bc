/** What `doctor` looks at on this machine: the configuration file, open files, the state folder, folders, the port. */

import { createServer } from "node:net";
import type { Config } from "../../config/config.ts";
import type { EffectiveSetting } from "../../config/effective.ts";
import { affordableConnections } from "../../launch/descriptors.ts";
import { fileSystemOf } from "../../launch/file_system.ts";
import { keepsState } from "../../launch/permissions.ts";
import { lookThroughState } from "../../state/backup.ts";
import { StateError, stateExists } from "../../state/state.ts";
import { ownAddress } from "../own_address.ts";
import { ask, member } from "./ask.ts";
import type { Report } from "./finding.ts";

/** Whether the file that holds settings, and perhaps secrets, is its owner's alone. */
export function checkConfigFile(settings: readonly EffectiveSetting[], report: Report): void {
  const check = "configuration-file";
  const path = settings.find(({ name }) => name === "CONFIG")?.shown ?? "";
  if (path === "") {
    return report({ check, status: "ok", text: "No configuration file: settings come from elsewhere" });
  }
  try {
    const { mode } = Deno.statSync(path);
    if (mode !== null && (mode & 0o077) !== 0) {
      return report({
        ...{
          check,
          status: "warn",
          text: "The configuration file can be read by other users of this machine",
        },
        mend: "chmod 600 the file; secrets in it may be known already, so make new ones",
      });
    }
    report({ check, status: "ok", text: "The configuration file is yours alone" });
  } catch {
    report({
      check,
      status: "warn",
      text: "The configuration file cannot be looked at",
      mend: "Check its path",
    });
  }
}

const usualConnections = 256;

export function checkOpenFiles(report: Report): void {
  const check = "open-files";
  const { max } = affordableConnections();
  if (max >= usualConnections) {
    return report({ check, status: "ok", text: "Enough files can be open at once" });
  }
  report({
    ...{ check, status: max < 64 ? "fail" : "warn" },
    text: `The limit of open files leaves room for ${max} connections alone`,
    mend:
      "Raise it: LimitNOFILE=4096 in a systemd unit, --ulimit nofile=4096 for a container, ulimit -n in a shell",
  });
}

const network =
  /^(?:nfs\d?|cifs|smb\d?|smbfs|9p|v9fs|afs|ceph|coda|fuse\.sshfs|fuseblk|glusterfs|lustre|gpfs|ncpfs)$/i;
const passing = /^(?:tmpfs|ramfs|overlayfs|overlay|aufs)$/i;

/** `network`: its locks cannot be trusted. `passing`: gone after a restart of the machine or the container. */
export function fileSystemMatter(kind: string | null): "network" | "passing" | null {
  if (kind === null) return null;
  return network.test(kind) ? "network" : passing.test(kind) ? "passing" : null;
}

export async function checkState(config: Config, report: Report): Promise<void> {
  const check = "state-folder";
  if (!keepsState(config)) return report({ check, status: "ok", text: "Nothing has to be kept" });
  const { dir } = config.state;
  if (dir === null) {
    return report({
      ...{
        check,
        status: "fail",
        text: "There is no state folder that this user can write to: no history, no undo",
      },
      mend: "Set SILVERBRIDGE_STATE_DIR to a folder of its own that this user owns",
    });
  }
  const kind = await fileSystemOf(nearest(dir));
  const matter = fileSystemMatter(kind);
  if (matter === "network") {
    return report({
      ...{
        check,
        status: "fail",
        text: `The state folder is on a network file system (${kind}), whose locks cannot be trusted`,
      },
      mend: "Set SILVERBRIDGE_STATE_DIR to a folder on a disk of this machine",
    });
  }
  if (matter === "passing") {
    report({
      ...{
        check,
        status: "warn",
        text: `The state folder is on ${kind}, which does not outlive a restart of machine or container`,
      },
      mend: "Set SILVERBRIDGE_STATE_DIR to a folder on a disk, in a container to a mounted volume",
    });
  }
  if (!stateExists(dir)) {
    return report({ check, status: "ok", text: "The state folder can be written to; nothing is kept yet" });
  }
  checkStateFile(dir, report);
}

/** Only looked through: a newer program must not bring the state up to date under a server that runs. */
function checkStateFile(dir: string, report: Report): void {
  const check = "state-file";
  try {
    lookThroughState(dir);
    report({ check, status: "ok", text: "What was kept can be read" });
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    report({ check, status: "fail", text: error.message, mend: error.remedy });
  }
}

/** The folder itself, or the one that it will be made in. */
function nearest(path: string): string {
  for (let at = path;;) {
    try {
      return Deno.realPathSync(at);
    } catch {
      const parent = at.replace(/\/[^/]*$/, "");
      if (parent === "" || parent === at) return "/";
      at = parent;
    }
  }
}

export function checkRoots(config: Config, report: Report): void {
  for (const { alias, path } of config.roots) {
    const check = `folder-${alias}`;
    try {
      Deno.readDirSync(path)[Symbol.iterator]().next();
      report({ check, status: "ok", text: `The folder ${alias} can be read` });
    } catch {
      report({
        ...{ check, status: "fail", text: `The folder ${alias} cannot be read` },
        mend: `Let this user read it, or correct its path in SILVERBRIDGE_ROOTS`,
      });
    }
  }
}

/** Whether a silverbridge runs at the configured address; says so where another program does. */
export async function checkPort({ host, port }: Config, report: Report): Promise<boolean> {
  const check = "port";
  const answer = await ask(`${ownAddress({ host, port })}/healthz`);
  if ("status" in answer && answer.status === 200 && member(answer.json, "ok") === true) {
    report({ check, status: "ok", text: `A silverbridge runs on port ${port}` });
    return true;
  }
  const taken = await bindFault(host.replace(/^\[|\]$/g, ""), port);
  if (taken === null) {
    report({ check, status: "note", text: `Port ${port} is free: the server does not run` });
  } else {
    const mends: Readonly<Record<string, string>> = {
      EADDRINUSE: "Stop that program, or set SILVERBRIDGE_PORT to a free port",
      EACCES: "Set SILVERBRIDGE_PORT to a port above 1023",
    };
    const text = taken === "EADDRINUSE"
      ? `Another program has port ${port}`
      : `Nothing can listen on port ${port} here`;
    const mend = mends[taken] ?? "Set SILVERBRIDGE_HOST to an address of this machine, or to 127.0.0.1";
    report({ check, status: "fail", text, mend });
  }
  return false;
}

function bindFault(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : "fault"));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
