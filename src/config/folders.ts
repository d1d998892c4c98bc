/** Which folders this program may be pointed at. Refusals name the setting, never the path. */

import { dirname } from "node:path";
import type { RootSetting } from "./config.ts";
import { type Context, named } from "./context.ts";
import { isWithin, overlap } from "./paths.ts";
import { faultMends, faultWords } from "./secret_file.ts";
import type { RootDraft } from "./sections.ts";

/** Views of the running system: never a folder of documents. */
const systemFolders = ["/proc", "/sys", "/dev"];
/** Folders whose children are homes. */
const homeParents = ["/home", "/Users", "/var/home", "/export/home"];

export type Breadth = "system" | "broad" | "ordinary";

/** `system` is never accepted; `broad` holds far more than anyone means to show. */
export function breadthOf(path: string, home: string | null): Breadth {
  if (path === "/" || systemFolders.some((folder) => isWithin(path, folder))) return "system";
  const homes = ["/root", "/var/root", ...homeParents, ...(home === null ? [] : [home])];
  const isHome = homes.includes(path) || homeParents.includes(dirname(path));
  const holdsHome = home !== null && isWithin(home, path);
  return ["/etc", "/private/etc"].includes(path) || isHome || holdsHome ? "broad" : "ordinary";
}

export interface RootsOptions {
  readonly stateDir: string | null;
  readonly spacePath: string | null;
  /** True while any rule tells pages apart, which a root over the same files would undo. */
  readonly pageRules: boolean;
}

/** The roots with canonical paths; what cannot be one is a problem. */
export function settleRoots(context: Context, options: RootsOptions): readonly RootSetting[] {
  const drafts = rootDrafts(context);
  const settled: RootSetting[] = [];
  for (const draft of drafts) {
    const twin = settled.find((other) => other.alias === draft.alias);
    const name = `${draft.name}: root ${draft.alias}`;
    if (twin !== undefined) {
      context.report.problem(draft.name, `${name} is given twice`, "Give each root a name of its own");
      continue;
    }
    const path = canonicalFolder(draft.path, { context, name });
    if (path === null) continue;
    checkRoot(path, { ...options, context, name });
    settled.push({ alias: draft.alias, path, index: draft.index, exclude: draft.exclude });
  }
  checkAliases(context, drafts.map((draft) => draft.alias));
  return settled;
}

/** The canonical path of a folder that can be listed, or `null` after a problem. */
export function canonicalFolder(
  path: string,
  { context, name }: { readonly context: Context; readonly name: string },
): string | null {
  const { source, report } = context;
  const real = source.realPath(path);
  const listed = typeof real === "string" ? real : source.listFolder(real.path);
  if (typeof listed !== "string") return typeof real === "string" ? null : real.path;
  report.problem(name, `${name} ${faultWords[listed]}`, faultMends[listed]);
  return null;
}

function rootDrafts(context: Context): readonly RootDraft[] {
  const name = named(context, "ROOTS");
  if (context.values.ROOTS === null) return context.sections.roots;
  return context.values.ROOTS.map((root) => ({ ...root, index: true, exclude: [], name }));
}

function checkRoot(
  path: string,
  options: RootsOptions & { readonly context: Context; readonly name: string },
): void {
  const { context, name, stateDir, spacePath, pageRules } = options;
  const { report, values, configFile, secretFiles, home } = context;
  const breadth = breadthOf(path, home);
  if (breadth === "system") {
    report.problem(
      name,
      `${name} is / or a view of the running system`,
      "Name the folder with the documents",
    );
  } else if (breadth === "broad" && !values.ALLOW_BROAD_ROOT) {
    const mend = "Name a folder inside, or set SILVERBRIDGE_ALLOW_BROAD_ROOT=on if all of it is meant";
    report.problem(name, `${name} is a home folder or /etc as a whole`, mend);
  }
  if (stateDir !== null && overlap(path, stateDir)) {
    report.problem(
      name,
      `${name} holds or lies in STATE_DIR`,
      "Move one of the two: state is never readable as a file",
    );
  }
  if (configFile !== null && isWithin(configFile, path)) {
    report.problem(name, `${name} holds the configuration file`, "Move the configuration file elsewhere");
  }
  if (secretFiles.some((file) => isWithin(file, path))) {
    report.problem(name, `${name} holds a file that a secret is read from`, "Move the secret elsewhere");
  }
  if (pageRules && spacePath !== null && overlap(path, spacePath)) {
    const mend = "Remove the root, or the page globs: as files the pages would be readable past them";
    report.problem(name, `${name} overlaps SPACE_PATH while page globs are set`, mend);
  }
}

function checkAliases(context: Context, known: readonly string[]): void {
  for (const { name, aliases } of context.sections.rootsClaims) {
    const unknown = aliases.filter((alias) => !known.includes(alias));
    if (unknown.length === 0) continue;
    const mend = known.length === 0 ? "Add the root, or remove the name" : `Known are ${known.join(", ")}`;
    context.report.problem(name, `${name} names a root that does not exist`, mend);
  }
}
