/** Where state is kept: `STATE_DIR`, the service manager's folder, or the XDG state home. */

import { basename, dirname, isAbsolute, join } from "node:path";
import type { StateSetting } from "./config.ts";
import { type Context, named } from "./context.ts";
import { breadthOf } from "./folders.ts";
import { isWithin } from "./paths.ts";
import type { Source } from "./source.ts";

export interface StateOptions {
  /** False where nothing is to be remembered; then no folder is looked for. */
  readonly needed: boolean;
  readonly spacePath: string | null;
}

/** The folder is not made here: `null` where there is none that can be written to, and that is said. */
export function settleState(context: Context, { needed, spacePath }: StateOptions): StateSetting {
  const { values, report, source } = context;
  const setting = { key: values.STATE_KEY, maxBytes: values.STATE_MAX_BYTES };
  const wanted = values.STATE_DIR ?? derivedFolder(context);
  if (!needed) return { dir: null, ...setting };
  const name = named(context, "STATE_DIR");
  const without = "notes work without history and undo, and sign-ins end with the process";
  if (wanted === null) {
    report.warn("no_state", `${name} is not set and there is no home folder: ${without}`);
    return { dir: null, ...setting };
  }
  const dir = canonicalOf(wanted, source);
  if (!checkFolder(context, { dir: dir ?? wanted, name, spacePath })) return { dir: null, ...setting };
  if (dir !== null && canKeepIn(dir, source)) return { dir, ...setting };
  if (dir !== null && source.listFolder(dir) === "wrong_kind") {
    report.problem(name, `${name} names a file`, "Name a folder, which need not exist yet");
    return { dir: null, ...setting };
  }
  report.warn("no_state", `${name} cannot be written to: ${without}`);
  return { dir: null, ...setting };
}

function derivedFolder({ source, home }: Context): string | null {
  const [managed = ""] = (source.env["STATE_DIRECTORY"] ?? "").split(":");
  if (isAbsolute(managed)) return managed;
  const stateHome = source.env["XDG_STATE_HOME"] ?? "";
  if (isAbsolute(stateHome)) return join(stateHome, "silverbridge");
  return home === null ? null : join(home, ".local", "state", "silverbridge");
}

/** The canonical form of a path whose last parts may not exist yet. */
function canonicalOf(path: string, source: Source): string | null {
  const real = source.realPath(path);
  if (typeof real !== "string") return real.path;
  if (real !== "missing" || dirname(path) === path) return null;
  const parent = canonicalOf(dirname(path), source);
  return parent === null ? null : join(parent, basename(path));
}

function canKeepIn(dir: string, source: Source): boolean {
  const real = source.realPath(dir);
  if (typeof real !== "string") return typeof source.listFolder(dir) !== "string" && source.canWriteIn(dir);
  const parent = dirname(dir);
  if (real !== "missing" || parent === dir) return false;
  // A name that is listed but leads nowhere is a broken link: no folder can be made there.
  const listed = source.listFolder(parent);
  if (typeof listed !== "string" && listed.includes(basename(dir))) return false;
  return canKeepIn(parent, source);
}

/** The server may read and write everything in this folder, so it must be one of its own. */
function checkFolder(
  { report, home, configFile }: Context,
  { dir, name, spacePath }: {
    readonly dir: string;
    readonly name: string;
    readonly spacePath: string | null;
  },
): boolean {
  if (
    breadthOf(dir, home) !== "ordinary" || ["/tmp", "/var", "/var/lib", "/usr", "/opt", "/srv"].includes(dir)
  ) {
    report.problem(
      name,
      `${name} must be a folder of its own`,
      "Name a folder such as /var/lib/silverbridge",
    );
    return false;
  }
  if (spacePath !== null && isWithin(dir, spacePath)) {
    const mend = "Name a folder outside: SilverBullet would serve what is kept there as documents";
    report.problem(name, `${name} lies in SPACE_PATH`, mend);
    return false;
  }
  if (configFile !== null && isWithin(configFile, dir)) {
    report.warn(
      "config_in_state",
      `The configuration file lies in ${name}, where the server itself may write`,
    );
  }
  return true;
}
