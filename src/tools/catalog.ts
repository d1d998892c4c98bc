/**
 * Which tools a caller has and which it is shown, worked out once for each kind of caller.
 *
 * Two callers are of one kind when profile, granted verbs and roots agree: that is all that the answer depends on, so
 * the memory stays small however many callers there are.
 */

import type { Principal, Profile } from "../core/principal.ts";
import { type Rights, verbs } from "../core/rights.ts";
import { defineForWire, type ToolDefinition } from "./definitions.ts";
import { namesOf, narrowRights, profiles, toolExists } from "./profiles.ts";
import type { Tool, ToolServices } from "./tool.ts";

export interface CatalogOptions {
  readonly tools: readonly Tool[];
  readonly services: ToolServices;
  readonly readOnly: boolean;
  /** Names that each profile shows; the product's own unless a test brings tools of its own. */
  readonly profiles?: Readonly<Record<Profile, ReadonlySet<string>>>;
}

/** What one kind of caller has. */
export interface CallerCatalog {
  /** Names as listed. */
  readonly shown: ReadonlySet<string>;
  /** Sorted by name. */
  readonly definitions: readonly ToolDefinition[];
  /** The same without output schemas, for callers whose errors come without the flag. */
  readonly plainDefinitions: readonly ToolDefinition[];
  /** By every name that works, shown or not. */
  readonly tools: ReadonlyMap<string, Tool>;
}

export interface Catalog {
  /** Every tool name of the product, whoever calls. */
  readonly names: ReadonlySet<string>;
  forCaller(principal: Principal): CallerCatalog;
  /** Names of tools that change something. */
  readonly writing: ReadonlySet<string>;
}

export function createCatalog(options: CatalogOptions): Catalog {
  const { tools, services, readOnly } = options;
  const listed = options.profiles ?? profiles;
  const aliases = services.folders?.aliases ?? [];
  const served = tools.filter((tool) => isServed(tool, services));
  const usable = readOnly ? served.filter((tool) => tool.hints.readOnlyHint) : served;
  const wire = new Map(usable.map((tool) => [tool, defineForWire(tool)] as const));
  const known = new Map<string, CallerCatalog>();
  const asked = new WeakMap<Principal, CallerCatalog>();
  return {
    names: new Set(tools.map(nameOf)),
    writing: new Set(served.filter((tool) => !tool.hints.readOnlyHint).map(nameOf)),
    forCaller(principal) {
      const before = asked.get(principal);
      if (before !== undefined) return before;
      const { profile } = principal;
      const rights = narrowRights(principal.rights, profile);
      const roots = aliases.filter((alias) => rights.allowsRoot(alias));
      const kind = kindOf(profile, rights, roots);
      let catalog = known.get(kind);
      if (catalog === undefined) {
        catalog = buildCatalog(wire, { profile, rights, roots, listed: listed[profile] });
        known.set(kind, catalog);
      }
      asked.set(principal, catalog);
      return catalog;
    },
  };
}

function isServed({ family }: Tool, { notes, folders }: ToolServices): boolean {
  if (family === "notes") return notes !== null;
  return family !== "folders" || (folders !== undefined && folders !== null);
}

function kindOf(profile: Profile, rights: Rights, roots: readonly string[]): string {
  const granted = verbs.filter((verb) => rights.allowsSomewhere(verb)).join();
  return `${profile} ${granted} ${roots.join()}`;
}

interface CallerKind {
  readonly profile: Profile;
  readonly rights: Rights;
  /** Those that are configured and that these rights allow. */
  readonly roots: readonly string[];
  readonly listed: ReadonlySet<string>;
}

function buildCatalog(
  wire: ReadonlyMap<Tool, ToolDefinition>,
  { profile, rights, roots, listed }: CallerKind,
): CallerCatalog {
  const definitions: ToolDefinition[] = [];
  const tools = new Map<string, Tool>();
  for (const [tool, definition] of wire) {
    if (!toolExists(tool, rights) || (tool.family === "folders" && roots.length === 0)) continue;
    const names = namesOf(tool, profile);
    for (const name of names) if (!tools.has(name)) tools.set(name, tool);
    if (listed.has(tool.name)) {
      definitions.push({ ...withRoots(definition, tool, roots), name: names[0] ?? tool.name });
    }
  }
  definitions.sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    definitions,
    plainDefinitions: definitions.map(({ outputSchema: _, ...definition }) => definition),
    shown: new Set(definitions.map(nameOf)),
    tools,
  };
}

/** A root is one of those that the caller may read: a closed choice, which models get right. */
function withRoots(definition: ToolDefinition, { family }: Tool, roots: readonly string[]): ToolDefinition {
  const { inputSchema } = definition;
  const root = inputSchema.properties["root"];
  if (family !== "folders" || root === undefined) return definition;
  const properties = { ...inputSchema.properties, root: { ...root, enum: [...roots] } };
  return { ...definition, inputSchema: { ...inputSchema, properties } };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
