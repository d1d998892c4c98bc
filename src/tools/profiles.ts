/**
 * Which tools a caller is shown (product §4), and the lowering of rights that three profiles bring.
 *
 * `standard` and `full` only choose what is shown: any tool that the rights allow can be called by name. A tool
 * that the rights forbid does not exist, whatever the profile says.
 */

import type { PagePath } from "../core/page_name.ts";
import type { Principal, Profile } from "../core/principal.ts";
import { type Rights, type Verb, verbs } from "../core/rights.ts";
import type { Tool } from "./tool.ts";

const folderTools = [
  "list_roots",
  "list_files",
  "read_file",
  "read_file_range",
  "tail_file",
  "read_multiple_files",
  "get_file_info",
  "search_files",
];

const standard = [
  "read_page",
  "page_exists",
  "write_page",
  "create_page",
  "append_to_page",
  "prepend_to_page",
  "patch_page_lines",
  "patch_page_replace",
  "move_page",
  "delete_page",
  "list_pages",
  "diff_pages",
  "list_tasks",
  "check_task",
  "search_pages",
  "find_backlinks",
  "patch_section",
  "set_frontmatter",
  "restore_page",
  "undo",
  ...folderTools,
];

const full = [
  ...standard,
  "pages_touching_topic",
  "recent_pages",
  "tag_summary",
  "journal_histogram",
  "journal_page",
  "page_history",
  "list_conflicts",
  "resolve_conflict",
  "changes_since",
  "context_pack",
  "server_status",
];

const read = [
  "list_pages",
  "read_page",
  "page_exists",
  "search_pages",
  "find_backlinks",
  "list_tasks",
  "recent_pages",
  "diff_pages",
  "changes_since",
  "context_pack",
  "server_status",
  ...folderTools,
];

/** Tool names that each profile shows, before rights and configuration take some away. */
export const profiles: Readonly<Record<Profile, ReadonlySet<string>>> = {
  standard: new Set(standard),
  full: new Set(full),
  read: new Set(read),
  chatgpt: new Set(["search", "fetch"]),
  files: new Set(folderTools),
};

const readVerbs: ReadonlySet<Verb> = new Set<Verb>(["read"]);
const noVerbs: ReadonlySet<Verb> = new Set<Verb>();

/** Verbs over pages that a profile leaves; `null` leaves all of them. */
function verbsOf(profile: Profile): ReadonlySet<Verb> | null {
  switch (profile) {
    case "standard":
    case "full":
      return null;
    case "read":
    case "chatgpt":
      return readVerbs;
    case "files":
      return noVerbs;
  }
}

/** The caller's rights under its profile. Only ever narrower; applying it twice changes nothing. */
export function narrowRights(rights: Rights, profile: Profile): Rights {
  const left = verbsOf(profile);
  if (left === null) return rights;
  return {
    allows: (verb, path: PagePath) => left.has(verb) && rights.allows(verb, path),
    allowsSomewhere: (verb) => left.has(verb) && rights.allowsSomewhere(verb),
    hides: (path) => rights.hides(path),
    allowsRoot: (alias) => rights.allowsRoot(alias),
    describe: () => {
      const granted = rights.describe();
      const kept = verbs.filter((verb) => left.has(verb) && granted.verbs[verb] !== undefined);
      return {
        verbs: Object.fromEntries(kept.map((verb) => [verb, granted.verbs[verb]])),
        roots: granted.roots,
      };
    },
  };
}

const narrowed = new WeakMap<Principal, Principal>();

/** The caller under its profile: the same object for the same caller, so that what is known of it can be kept. */
export function narrowPrincipal(principal: Principal): Principal {
  const known = narrowed.get(principal);
  if (known !== undefined) return known;
  const rights = narrowRights(principal.rights, principal.profile);
  if (rights === principal.rights) return principal;
  const mine = { ...principal, rights };
  narrowed.set(principal, mine);
  return mine;
}

/** True when a caller with these rights has the tool at all. */
export function toolExists(tool: Tool, rights: Rights): boolean {
  if (tool.family === "folders") {
    const { roots } = rights.describe();
    return roots === "all" || roots.length > 0;
  }
  return tool.verbs.length === 0 || tool.verbs.some((verb) => rights.allowsSomewhere(verb));
}

/** Names under which a tool answers in a profile, the listed one first (`search_files` is P's `search`). */
export function namesOf(tool: Tool, profile: Profile): readonly string[] {
  if (tool.name !== "search_files" || profile === "chatgpt") return [tool.name];
  return profile === "files" ? ["search", "search_files"] : ["search_files", "search"];
}
