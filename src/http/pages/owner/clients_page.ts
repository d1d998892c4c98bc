/** Who is connected: who vouches for it, what it may do, what it did lately, and an end to it. */

import type { Refused } from "../../../access/refused_attempts.ts";
import type { PagesChanged } from "../../../notes/past/history.ts";
import type { Ending, Grant } from "../../../oauth/grants.ts";
import { redirectPlace } from "../../../oauth/redirect_uri.ts";
import { type Html, html } from "../../../web/html.ts";
import { standingWords } from "../consent_words.ts";
import { addressField, connectList } from "../connect_list.ts";
import type { ConnectFacts } from "../connect_steps.ts";
import { fullTime, timeAgo } from "../time_words.ts";
import { clientName } from "./caller_words.ts";

export interface ConnectedClient {
  readonly grant: Grant;
  readonly rights: readonly Html[];
  /** Of the last seven days; `null` where no history is kept. */
  readonly changed: PagesChanged | null;
  /** What it was refused in the last seven days. */
  readonly refused: readonly Refused[];
}

export interface ConfiguredToken {
  readonly name: string;
  readonly changed: PagesChanged | null;
}

export interface ClientsView {
  readonly connected: readonly ConnectedClient[];
  /** Connected, and not shown. */
  readonly moreConnected: number;
  /** Over, and still known. */
  readonly earlier: readonly Grant[];
  readonly moreEarlier: number;
  readonly tokens: readonly ConfiguredToken[];
  readonly connect: ConnectFacts;
  readonly ticket: string;
  readonly now: number;
}

export function renderClients(view: ClientsView): Html {
  const { connected, moreConnected, earlier, moreEarlier, tokens, connect, now } = view;
  return html`
    ${connected.length > 0 ? connected.map((client, index) => card(client, index, view)) : html`
      <p>${earlier.length === 0
        ? "No client has signed in yet. This is how one does:"
        : "No client is connected now. This is how one is:"}</p>
      ${addressField(connect)}
      ${connectList(connect)}
    `}
    ${moreConnected === 0 ? null : html`
      <p>${moreConnected} more are connected and were used less lately; <code>silverbridge grants</code> on the
        server’s machine lists all of them.</p>
    `}
    ${tokens.length === 0 ? null : html`
      <h2>Tokens of the settings</h2>
      <p
        class="hint">Whoever holds one of them may do what the settings say. It ends when it is taken out there.</p>
      <ul>${tokens.map((token) =>
        html`<li>${token.name}${
          token.changed === null ? null : html`: ${changedLink(`token:${token.name}`, token.changed)}`
        }</li>`
      )}</ul>
    `}
    ${earlier.length === 0 ? null : html`
      <details>
        <summary>No longer connected: ${earlier.length + moreEarlier}</summary>
        <ul>${earlier.map((grant) => html`<li>${pastWords(grant, now)}</li>`)}
          ${moreEarlier === 0 ? null : html`<li>and ${moreEarlier} more</li>`}</ul>
      </details>
    `}
    ${connected.length === 0 ? null : html`<p><a href="/">Connect another client</a></p>`}
  `;
}

function card(
  { grant, rights, changed, refused }: ConnectedClient,
  index: number,
  { ticket, now }: ClientsView,
): Html {
  const { id, approval: { client, redirectUri }, made, used, expires, ends } = grant;
  const name = clientName(client);
  const until = Math.min(expires, ends);
  return html`
    <section class="card" aria-labelledby="client-${index}">
      <h2 id="client-${index}">${name}</h2>
      <dl class="facts">
        <dt>Who vouches</dt>
        <dd>${standingWords(client)}; it goes back to <strong>${redirectPlace(redirectUri).host}</strong></dd>
        <dt>It may</dt>
        <dd><ul>${rights.map((line) => html`<li>${line}</li>`)}</ul></dd>
        <dt>Last used</dt>
        <dd>${used === null ? "not yet" : timeAgo(used, now)}</dd>
        ${changed === null ? null : html`
          <dt>This week</dt>
          <dd>${changedLink(`grant:${id}`, changed)}</dd>
        `}
        ${refused.length === 0 ? null : html`
          <dt>Refused</dt>
          <dd>${refusedLink(`grant:${id}`, refused)}</dd>
        `}
        <dt>Signed in</dt>
        <dd>${timeAgo(made, now)}; unless it is used, until ${fullTime(until)}</dd>
      </dl>
      <form method="post" action="/owner" class="row">
        <input type="hidden" name="ticket" value="${ticket}">
        <input type="hidden" name="grant" value="${id}">
        <a class="button"
          href="/owner?client=${id}">Change what it may do<span class="unseen"> (${name})</span></a>
        <button type="submit" name="do" value="end">Disconnect<span class="unseen"> ${name}</span></button>
      </form>
      <p class="hint">Disconnecting takes effect at once. The client can ask to sign in again.</p>
    </section>
  `;
}

function changedLink(principal: string, { changed, deleted }: PagesChanged): Html {
  if (changed === 0) return html`no page changed`;
  const pages = `${changed} page${changed === 1 ? "" : "s"} changed`;
  const gone = deleted === 0 ? "" : `, ${deleted} of them deleted or moved`;
  return html`<a href="/owner/changes?by=${encodeURIComponent(principal)}">${pages}${gone}</a>`;
}

function refusedLink(principal: string, refused: readonly Refused[]): Html {
  const times = refused.reduce((sum, { count }) => sum + count, 0);
  const address = `/owner/changes?by=${encodeURIComponent(principal)}#refused`;
  const words = times === 1 ? "once this week" : `${times} times this week`;
  return html`<a href="${address}">${words}</a>${
    refused.some(({ code }) => code === "rate_limited")
      ? html`; <span class="warn">it was stopped at the number of changes that it may make in an hour</span>`
      : null
  }`;
}

function pastWords({ approval: { client }, ended, expires, ends }: Grant, now: number): Html {
  const name = html`<strong>${clientName(client)}</strong>`;
  if (ended === null) {
    return html`${name}: it was not used for too long; over ${timeAgo(Math.min(expires, ends), now)}`;
  }
  return html`${name}: ${endings[ended.ending]} ${timeAgo(ended.at, now)}`;
}

const endings: Readonly<Record<Ending, string>> = {
  owner: "you disconnected it",
  client: "it signed out by itself",
  code_replayed: "ended, since its sign-in code came a second time:",
  refresh_reused: "ended, since an old token of it came again; somebody may have copied it:",
  key_changed: "ended, since the old signing key was changed:",
};
