/** The part of the owner's page about clients: what each may do, changing that, and an end to it. */

import type { Grant } from "../../oauth/grants.ts";
import { renderClients } from "../pages/owner/clients_page.ts";
import { grantedWords } from "../pages/owner/rights_words.ts";
import { noteGrant } from "./grant_note.ts";
import type { OwnerPageOptions, OwnerPart, OwnerVisit, PartAnswer, PartPage } from "./owner_part.ts";
import { createRightsChange } from "./rights_change.ts";

const weekMs = 7 * 86_400_000;
/** No page lists more than this. */
const maxShown = 100;
const maxRefused = 1000;

export function createClientsPart(options: OwnerPageOptions): OwnerPart {
  const { owner, notes } = options;
  const { grants } = owner;
  const rights = createRightsChange(options);

  function liveGrant(id: string | null): Grant | null {
    const grant = id === null ? null : grants.find(id);
    return grant !== null && grants.isLive(grant) ? grant : null;
  }

  function list({ ticket, now }: OwnerVisit): PartPage {
    const all = grants.list();
    const live = all.filter((grant) => grants.isLive(grant)).sort((a, b) => lastSeen(b) - lastSeen(a));
    const earlier = all.filter((grant) => !grants.isLive(grant));
    const refused = owner.refused.list({ limit: maxRefused }).filter(({ last }) => last > now - weekMs);
    const changed = (principal: string) =>
      notes === null ? null : notes.oversight?.changedSince(principal, now - weekMs) ?? null;
    const main = renderClients({
      connected: live.slice(0, maxShown).map((grant) => ({
        grant,
        rights: grantedWords(owner.principalOf(grant), { hasNotes: notes !== null, roots: options.roots }),
        changed: changed(`grant:${grant.id}`),
        refused: refused.filter(({ who }) => who === `grant:${grant.id}`),
      })),
      moreConnected: Math.max(0, live.length - maxShown),
      earlier: earlier.slice(0, maxShown),
      moreEarlier: Math.max(0, earlier.length - maxShown),
      tokens: options.tokens.map((name) => ({ name, changed: changed(`token:${name}`) })),
      connect: options.connect,
      ticket,
      now,
    });
    return { heading: "Clients", main };
  }

  function end(visit: OwnerVisit, grant: Grant): PartAnswer {
    if (!grants.end(grant.id, "owner")) return { kind: "done", done: "over" };
    noteGrant(owner.audit, visit, { action: "end", grant });
    return { kind: "done", done: "ended" };
  }

  return {
    async show(visit) {
      const grant = liveGrant(visit.query.one("client"));
      return grant === null ? list(visit) : rights.show(visit, grant);
    },
    async act(visit, fields) {
      const wanted = fields.one("do");
      if (wanted !== "end" && wanted !== "change") return null;
      const grant = liveGrant(fields.one("grant"));
      if (grant === null) return { kind: "done", done: "over" };
      return wanted === "change" ? await rights.change(visit, grant, fields) : end(visit, grant);
    },
  };
}

function lastSeen({ used, made }: Grant): number {
  return used ?? made;
}
