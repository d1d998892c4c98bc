/** Where the owner changes what one client may do. */

import type { Grant } from "../../../oauth/grants.ts";
import type { ConsentBounds, ConsentForm } from "../../../oauth/consent_form.ts";
import { type Html, html } from "../../../web/html.ts";
import { accessChoice, limits } from "../consent_fields.ts";
import { problemBox, secretField, type SecretProblem } from "../secret_field.ts";
import { clientName } from "./caller_words.ts";

export interface RightsView {
  readonly grant: Grant;
  readonly form: ConsentForm;
  readonly bounds: ConsentBounds;
  readonly problem: SecretProblem | { readonly kind: "secret-needed" } | null;
  /** What it may do now. */
  readonly rights: readonly Html[];
  readonly hasNotes: boolean;
  readonly ticket: string;
  readonly now: number;
}

export function renderRights(view: RightsView): Html {
  const { grant: { id, approval: { client, asked } }, form, bounds, problem, rights, hasNotes, ticket, now } =
    view;
  const wrong = problem?.kind === "globs" ? problem.field : null;
  const asksWrite = asked.write && bounds.write;
  return html`
    ${problem === null ? null : problem.kind === "secret-needed" ? neededBox : problemBox(problem, now)}
    <dl class="facts">
      <dt>It may now</dt>
      <dd>
        <ul>${rights.map((line) => html`<li>${line}</li>`)}</ul>
      </dd>
    </dl>
    <form method="post" action="/owner?client=${id}" class="decide">
      <input type="hidden" name="ticket" value="${ticket}">
      <input type="hidden" name="grant" value="${id}">
      ${asksWrite && hasNotes ? accessChoice(form) : null}
      ${asksWrite || !hasNotes ? null : html`
        <p>${clientName(client)} asked for reading alone. To let it change pages, connect it again.</p>
      `}
      ${limits({ form, bounds, wrong, isLater: true }, { asksWrite, space: hasNotes ? "" : null })}
      ${secretField(problem?.kind === "secret-needed" ? null : problem, {
        isRequired: false,
        hint: "Only needed to give it more than it has now. Taking something away needs no secret.",
      })}
      <p class="buttons">
        <button type="submit" name="do" value="change" class="main">Save</button>
        <a class="button" href="/owner">Cancel</a>
      </p>
      <p class="hint">Counts from the client’s next call on. It sees other tools once it asks for them again.</p>
    </form>
  `;
}

const neededBox = html`
  <div class="problem" role="alert" id="problem">
    <p><strong>This gives the client more than it has now.</strong> Type the owner’s secret to allow that.</p>
  </div>
`;
