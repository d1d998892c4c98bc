/** The page where the owner decides about a client: who asks, where it goes back to, what it gets, yes or no. */

import type { ConsentView } from "../../oauth/authorize_endpoint.ts";
import { type Html, html } from "../../web/html.ts";
import { accessChoice, limits } from "./consent_fields.ts";
import {
  callName,
  currencyWords,
  destinationWords,
  earlierWords,
  rightsWords,
  standingWords,
} from "./consent_words.ts";
import { renderPage } from "./layout.ts";
import { problemBox, secretField } from "./secret_field.ts";
import { timeAgo } from "./time_words.ts";

export interface ConsentPageOptions {
  /** What the notes are called; `null` on a server over folders alone. */
  readonly space: string | null;
  /** Redirect hosts that nobody knows get a louder word. */
  readonly warnsOfHosts: boolean;
}

export function renderConsentPage(view: ConsentView, options: ConsentPageOptions): string {
  const { request: { client, redirect, currency, asked }, bounds, earlier, problem, now } = view;
  const destination = destinationWords(redirect, options.warnsOfHosts);
  const asksWrite = asked.write && bounds.write;
  const wish = options.space === null
    ? "read your folders"
    : asksWrite
    ? "read and change your notes"
    : "read your notes";
  const doubt = currencyWords(client, currency, now);
  const wrong = problem?.kind === "globs" ? problem.field : null;
  return renderPage({
    title: "Approve a client",
    heading: `${callName(client)} wants to ${wish}`,
    main: html`
      ${problem === null ? null : problemBox(problem, now)}
      <dl class="facts">
        <dt>Who asks</dt>
        <dd><strong>${client.name === "" ? "no name" : client.name}</strong><br>${standingWords(
          client,
        )}${doubt === null ? null : html`<br><span class="warn">${doubt}</span>`}</dd>
        <dt>Goes back to</dt>
        <dd>${destination.place}${destination.caution === null
          ? null
          : html`<br><span class="warn">${destination.caution}</span>`}</dd>
        <dt>What it gets</dt>
        <dd><ul>${rightsWords(bounds, { asksWrite: asked.write, space: options.space }).map((line) =>
          html`<li>${line}</li>`
        )}</ul></dd>
        ${earlier === null ? null : html`
          <dt>Last time</dt>
          <dd>You approved this client ${timeAgo(earlier.at, now)}: ${earlierWords(earlier.consent)}</dd>
        `}
      </dl>
      <form method="post" action="${view.action}" class="decide">
        <input type="hidden" name="ticket" value="${view.ticket}">
        ${asksWrite && options.space !== null ? accessChoice(view.form) : null}
        ${limits({ ...view, wrong }, { asksWrite, space: options.space })}
        ${secretField(problem)}
        <p class="buttons">${buttons(destination.isStrange)}</p>
        <p class="hint">If this page stays after you approved, look at the client: it may be connected already.</p>
        <p class="hint">You can change or end this at any time, and see what the client did, on
          <a href="/owner">this server’s page for its owner</a>.</p>
      </form>
    `,
  });
}

/** Enter chooses the first button of a form, so for strangers that is the one that refuses. */
function buttons(isStrange: boolean): readonly Html[] {
  const main = html`
    class="main"
  `;
  const approve = html`
    <button type="submit" name="decision" value="approve" ${isStrange ? null : main}>Approve</button>
  `;
  const deny = html`
    <button type="submit" name="decision" value="deny" formnovalidate${isStrange ? main : null}>Deny</button>
  `;
  return isStrange ? [deny, approve] : [approve, deny];
}
