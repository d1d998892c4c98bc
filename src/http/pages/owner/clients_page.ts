/** Who is connected: who vouches for it, what it may do, what it did lately, and an end to it. */

import type { PagesChanged } from "../../../notes/past/history.ts";
import type { Ending, Grant } from "../../../oauth/grants.ts";
import { redirectPlace } from "../../../oauth/redirect_uri.ts";
import { type Html, html } from "../../../web/html.ts";
import { standingWords } from "../consent_words.ts";
import { connectList } from "../connect_list.ts";
import type { ConnectFacts } from "../connect_steps.ts";
import { fullTime, timeAgo } from "../time_words.ts";
import { clientName } from "./caller_words.ts";

export interface ConnectedClient {
  readonly grant: Grant;
  readonly rights: readonly Html[];
  /** Of the last seven days; `null` where no history is kept. */
  readonly changed: PagesChanged | null;
}

export interface ConfiguredToken {
  readonly name: string;
  readonly changed: PagesChanged | null;
}

export interface ClientsView {
  readonly connected: readonly ConnectedClient[];
  /** Over, and still known. */
  readonly earlier: readonly Grant[];
  readonly tokens: readonly ConfiguredToken[];
  readonly connect: ConnectFacts;
  readonly ticket: string;
  readonly now: number;
}

export function renderClients(view: ClientsView): Html {
  const { connected, earlier, tokens, connect, now } = view;
  return html`
    ${connected.length > 0 ? connected.map((client, index) => card(client, index, view)) : html`
      <p>No client has signed in yet. This is how one does:</p>
      ${connectList(connect)}
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
        <summary>No longer connected: ${earlier.length}</summary>
        <ul>${earlier.map((grant) => html`<li>${pastWords(grant, now)}</li>`)}</ul>
      </details>
    `}
    ${connected.length === 0 ? null : html`<p><a href="/">Connect another client</a></p>`}
  `;
}

function card(
  { grant, rights, changed }: ConnectedClient,
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
        <dt>Signed in</dt>
        <dd>${timeAgo(made, now)}; unless it is used, until ${fullTime(until)}</dd>
      </dl>
      <form method="post" action="/owner" class="row">
        <input type="hidden" name="ticket" value="${ticket}">
        <input type="hidden" name="grant" value="${id}">
        <a class="button"
          href="/owner?client=${id}">Change what it may do<span class="unseen">: ${name}</span></a>
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
