/**
 * The operator's rules for clients that signed in: which rule fits which client, and what it leaves of the ceiling.
 *
 * A client is matched by what it cannot choose for itself: the address of its document, or the host that its browser is
 * sent back to. Its name is its own choice and decides nothing.
 */

import type { Profile } from "../core/principal.ts";
import type { VerbGlobs } from "../core/rights.ts";

export interface ClientRule {
  /** As the operator calls it. */
  readonly name: string;
  /** Whatever is given must fit. `client` is the identifier, `*` for any run of characters. */
  readonly match: { readonly client: string | null; readonly redirectHost: string | null };
  /** `null`: everything within the ceiling. */
  readonly rights: VerbGlobs | null;
  readonly roots: readonly string[] | "all";
  readonly profile: Profile | null;
}

export interface MatchedClient {
  readonly id: string;
  /** Host, with its port where it has one, that its browser is sent back to. */
  readonly redirectHost: string;
}

/** The first rule that fits; `null` where none does. */
export type FindRule = (client: MatchedClient) => ClientRule | null;

export function createFindRule(rules: readonly ClientRule[]): FindRule {
  const compiled = rules.map((rule) => ({ rule, fits: compileMatch(rule.match) }));
  return (client) => compiled.find(({ fits }) => fits(client))?.rule ?? null;
}

function compileMatch({ client, redirectHost }: ClientRule["match"]): (candidate: MatchedClient) => boolean {
  if (client === null && redirectHost === null) return () => false;
  const id = client === null ? null : idPattern(client);
  const host = redirectHost?.toLowerCase() ?? null;
  return (candidate) =>
    (id === null || id.test(candidate.id)) &&
    (host === null || candidate.redirectHost === host || hostName(candidate.redirectHost) === host);
}

function idPattern(glob: string): RegExp {
  const source = glob.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&")).join(".*");
  return new RegExp(`^${source}$`, "s");
}

/** Without the port, which a program on the owner's computer chooses anew each time. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, "");
}
