/** The part of the owner's page about clients: what each may do, changing that, and an end to it. */

import type { Consent } from "../../oauth/consent.ts";
import { formOf, readConsent } from "../../oauth/consent_form.ts";
import type { Grant } from "../../oauth/grants.ts";
import type { Parameters } from "../../oauth/parameters.ts";
import type { SignInAction } from "../../oauth/sign_in_audit.ts";
import { widens } from "../../oauth/widening.ts";
import { clientName } from "../pages/owner/caller_words.ts";
import { renderClients } from "../pages/owner/clients_page.ts";
import { renderRights, type RightsView } from "../pages/owner/rights_page.ts";
import { grantedWords } from "../pages/owner/rights_words.ts";
import type { OwnerPageOptions, OwnerPart, OwnerVisit, PartAnswer, PartPage } from "./owner_part.ts";

const weekMs = 7 * 86_400_000;
/** No page lists more than this. */
const maxShown = 200;

export function createClientsPart(options: OwnerPageOptions): OwnerPart {
  const { owner, notes } = options;
  const { grants } = owner;

  function liveGrant(id: string | null): Grant | null {
    const grant = id === null ? null : grants.find(id);
    return grant !== null && grants.isLive(grant) ? grant : null;
  }

  function list({ ticket, now }: OwnerVisit): PartPage {
    const all = grants.list();
    const changed = (principal: string) =>
      notes === null ? null : notes.oversight?.changedSince(principal, now - weekMs) ?? null;
    const main = renderClients({
      connected: all.filter((grant) => grants.isLive(grant)).slice(0, maxShown).map((grant) => ({
        grant,
        rights: grantedWords(owner.principalOf(grant), { hasNotes: notes !== null, roots: options.roots }),
        changed: changed(`grant:${grant.id}`),
      })),
      earlier: all.filter((grant) => !grants.isLive(grant)).slice(0, maxShown),
      tokens: options.tokens.map((name) => ({ name, changed: changed(`token:${name}`) })),
      connect: options.connect,
      ticket,
      now,
    });
    return { heading: "Clients", main };
  }

  function rightsPage(
    { ticket, now }: OwnerVisit,
    view: Pick<RightsView, "grant" | "form" | "problem"> & { readonly status?: number },
  ): PartPage {
    const { grant, status = 200 } = view;
    const bounds = owner.boundsOf(grant);
    const main = renderRights({ ...view, bounds, hasNotes: notes !== null, ticket, now });
    return { heading: `What ${clientName(grant.approval.client)} may do`, main, status };
  }

  function note(action: SignInAction, { call }: OwnerVisit, { id, approval: { client } }: Grant): void {
    const { address: source, requestId } = call;
    owner.audit({
      ...{ action, outcome: "ok", client: client.name, clientId: client.id },
      grantId: id,
      source,
      requestId,
    });
  }

  async function change(visit: OwnerVisit, grant: Grant, fields: Parameters): Promise<PartAnswer> {
    const form = formOf(fields);
    const { consent: before, asked } = grant.approval;
    const again = (problem: NonNullable<RightsView["problem"]>): PartAnswer => ({
      kind: "page",
      page: rightsPage(visit, { grant, form, problem, status: 400 }),
    });
    const bounds = owner.boundsOf(grant);
    const read = readConsent(form, { bounds, asked });
    if ("field" in read) return again({ kind: "globs", field: read.field });
    const consent = bounds.write ? read : keepingChanges(read, before);
    if (widens(consent, before)) {
      const typed = { secret: fields.text("secret"), unlockCode: fields.text("unlock") };
      if (typed.secret === "") return again({ kind: "secret-needed" });
      const problem = await owner.door.confirm(visit.call, typed);
      if (problem !== null) return again(problem);
    }
    return save(visit, grant, consent);
  }

  function save(visit: OwnerVisit, grant: Grant, consent: Consent): PartAnswer {
    if (!grants.setConsent(grant.id, consent)) return { kind: "done", done: "over" };
    note("change", visit, grant);
    return { kind: "done", done: "changed" };
  }

  return {
    show(visit) {
      const grant = liveGrant(visit.query.one("client"));
      if (grant === null) return Promise.resolve(list(visit));
      const { consent, asked } = grant.approval;
      const form = formOf(null, { consent, askedWrite: asked.write });
      return Promise.resolve(rightsPage(visit, { grant, form, problem: null }));
    },
    async act(visit, fields) {
      const wanted = fields.one("do");
      if (wanted !== "end" && wanted !== "change") return null;
      const grant = liveGrant(fields.one("grant"));
      if (grant === null) return { kind: "done", done: "over" };
      if (wanted === "change") return await change(visit, grant, fields);
      if (!grants.end(grant.id, "owner")) return { kind: "done", done: "over" };
      note("end", visit, grant);
      return { kind: "done", done: "ended" };
    },
  };
}

/** On a server that only reads for now nobody is asked about changes, so that what was said of them before stays. */
function keepingChanges(consent: Consent, before: Consent): Consent {
  const seesTheSame = consent.sees.join("\n") === before.sees.join("\n");
  return seesTheSame ? { ...consent, write: before.write, changes: before.changes } : consent;
}
