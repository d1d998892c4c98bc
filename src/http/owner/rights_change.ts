/** Changing what one client may do: less at once, more only with the owner's secret. */

import type { Consent } from "../../oauth/consent.ts";
import { formOf, readConsent } from "../../oauth/consent_form.ts";
import type { Grant } from "../../oauth/grants.ts";
import type { Parameters } from "../../oauth/parameters.ts";
import { widens } from "../../oauth/widening.ts";
import { clientName } from "../pages/owner/caller_words.ts";
import { renderRights, type RightsView } from "../pages/owner/rights_page.ts";
import { grantedWords } from "../pages/owner/rights_words.ts";
import { noteGrant } from "./grant_note.ts";
import type { OwnerPageOptions, OwnerVisit, PartAnswer, PartPage } from "./owner_part.ts";

export interface RightsChange {
  show(visit: OwnerVisit, grant: Grant): PartPage;
  change(visit: OwnerVisit, grant: Grant, fields: Parameters): Promise<PartAnswer>;
}

export function createRightsChange({ owner, notes, roots }: OwnerPageOptions): RightsChange {
  function page(
    { ticket, now }: OwnerVisit,
    view: Pick<RightsView, "grant" | "form" | "problem"> & { readonly status: number },
  ): PartPage {
    const { grant, status } = view;
    const bounds = owner.boundsOf(grant);
    const hasNotes = notes !== null;
    const rights = grantedWords(owner.principalOf(grant), { hasNotes, roots });
    const main = renderRights({ ...view, ...{ bounds, rights, hasNotes, ticket, now } });
    return { heading: `What ${clientName(grant.approval.client)} may do`, main, status };
  }

  return {
    show(visit, grant) {
      const { consent, asked } = grant.approval;
      const form = formOf(null, { consent, askedWrite: asked.write });
      return page(visit, { grant, form, problem: null, status: 200 });
    },
    async change(visit, grant, fields) {
      const form = formOf(fields);
      const { consent: before, asked } = grant.approval;
      const again = (problem: NonNullable<RightsView["problem"]>): PartAnswer => ({
        kind: "page",
        page: page(visit, { grant, form, problem, status: 400 }),
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
      if (!owner.grants.setConsent(grant.id, consent)) return { kind: "done", done: "over" };
      noteGrant(owner.audit, visit, { action: "change", grant });
      return { kind: "done", done: "changed" };
    },
  };
}

/** On a server that only reads for now nobody is asked about changes, so that what was said of them before stays. */
function keepingChanges(consent: Consent, before: Consent): Consent {
  const seesTheSame = consent.sees.join("\n") === before.sees.join("\n");
  return seesTheSame ? { ...consent, write: before.write, changes: before.changes } : consent;
}
