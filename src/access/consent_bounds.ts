/** What the operator's settings leave a client before the owner is asked, for the page where the owner decides. */

import { type Verb, verbs } from "../core/rights.ts";
import type { ConsentBounds } from "../oauth/consent_form.ts";
import type { Admit } from "./ceiling.ts";
import type { FindRule, MatchedClient } from "./client_rules.ts";

export interface ConsentBoundsOptions {
  readonly admit: Admit;
  readonly findRule: FindRule;
  /** Aliases of every folder that there is. */
  readonly roots: readonly string[];
}

const changing: readonly Verb[] = verbs.filter((verb) => verb !== "read");

/** Hidden globs are never part of it. */
export function createConsentBounds(options: ConsentBoundsOptions): (client: MatchedClient) => ConsentBounds {
  return (client) => {
    const rule = options.findRule(client);
    const { rights, profile } = options.admit({
      id: "asking",
      kind: "oauth",
      name: "",
      rights: rule?.rights ?? null,
      roots: rule?.roots ?? "all",
      profile: rule?.profile ?? null,
    });
    const granted = rights.describe().verbs;
    const changes = [...new Set(changing.flatMap((verb) => granted[verb] ?? []))];
    return {
      write: changes.length > 0,
      sees: granted.read ?? [],
      changes: changes.includes("**") ? ["**"] : changes,
      roots: options.roots.filter((alias) => rights.allowsRoot(alias)),
      profile,
      rule: rule?.name ?? null,
    };
  };
}
