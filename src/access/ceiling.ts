/**
 * The operator's ceiling, and how a rule narrows it into the rights of one caller (product §8).
 *
 * A rule can only take away. A profile that lowers rights (`read`, `chatgpt`: reading alone; `files`: no page at
 * all) does so wherever it is named, in the ceiling or in the rule.
 */

import type { Principal, Profile } from "../core/principal.ts";
import { createRights, type VerbGlobs } from "../core/rights.ts";

export interface CeilingOptions {
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly hiddenPaths: readonly string[];
  readonly readOnly: boolean;
  readonly profile: Profile;
}

/** What is known about one caller before rights are worked out. */
export interface CallerRule {
  readonly id: string;
  readonly kind: Principal["kind"];
  readonly name: string;
  /** `null`: everything within the ceiling. */
  readonly rights: VerbGlobs | null;
  readonly roots: readonly string[] | "all";
  /** `null`: the operator's default. */
  readonly profile: Profile | null;
  /** What narrows it further, such as the owner's consent. All of them count. */
  readonly narrowing?: { readonly layers: readonly VerbGlobs[]; readonly profiles: readonly Profile[] };
}

/** Turns rules into principals under one ceiling. */
export type Admit = (rule: CallerRule) => Principal;

export function createCeiling(options: CeilingOptions): Admit {
  const ceiling = ceilingLayer(options);
  return (rule) => {
    const profile = rule.profile ?? options.profile;
    const { layers = [], profiles = [] } = rule.narrowing ?? {};
    const rights = createRights({
      layers: [
        ceiling,
        ...[options.profile, profile, ...profiles].flatMap(profileLayers),
        rule.rights ?? everything,
        ...layers,
      ],
      hidden: options.hiddenPaths,
      roots: rule.roots,
    });
    return { id: rule.id, kind: rule.kind, name: rule.name, profile, rights };
  };
}

const everywhere = ["**"];
const everything: VerbGlobs = {
  read: everywhere,
  append: everywhere,
  create: everywhere,
  write: everywhere,
  delete: everywhere,
};

function ceilingLayer(options: CeilingOptions): VerbGlobs {
  const { readPaths: read, writePaths: write, readOnly } = options;
  return readOnly ? { read } : { read, append: write, create: write, write, delete: write };
}

function profileLayers(profile: Profile): readonly VerbGlobs[] {
  switch (profile) {
    case "standard":
    case "full":
      return [];
    case "read":
    case "chatgpt":
      return [{ read: everywhere }];
    case "files":
      return [{}];
  }
}
