/** How the server is: SilverBullet behind it, history, index, folders, and who is signed in to this page. */

import type { IndexState } from "../../../notes/feed/page_index.ts";
import type { NotesFacts } from "../../../notes/requests.ts";
import type { OwnerSession } from "../../../oauth/owner_sessions.ts";
import { type Html, html } from "../../../web/html.ts";
import { fullTime, spanWords, timeAgo } from "../time_words.ts";
import { notReadyText, type Readiness } from "../../readiness.ts";
import { problemBox, type SecretProblem } from "../secret_field.ts";
import type { SpaceWords } from "./caller_words.ts";

export interface StateView {
  readonly version: string;
  /** The address that clients are given. */
  readonly address: string;
  readonly space: SpaceWords | null;
  /** Whether SilverBullet and the folders can be read now. */
  readonly ready: Readiness;
  readonly hasNotes: boolean;
  /** `null` without notes, or where SilverBullet does not say in time. */
  readonly facts: NotesFacts | null;
  /** `null` while it is not open. */
  readonly index: IndexState | null;
  readonly roots: readonly string[];
  /** SHA-256 of the operator's text for assistants; `null` where there is none. */
  readonly instructions: string | null;
  readonly sessions: readonly OwnerSession[];
  /** The session that looks. */
  readonly session: string | null;
  /** `null` where none can count for this server's address. */
  readonly passkeys: Html | null;
  /** Why a passkey was not taken. */
  readonly problem: SecretProblem | null;
  readonly ticket: string;
  readonly now: number;
}

export function renderState(view: StateView): Html {
  const { version, address, space, ready, hasNotes, facts, index, roots, instructions } = view;
  return html`
    ${view.problem === null ? null : problemBox(view.problem, view.now)}
    <dl class="facts">
      <dt>This server</dt>
      <dd>silverbridge ${version}, at <code>${address}</code></dd>
      ${space === null ? null : html`
        <dt>SilverBullet</dt>
        <dd><a href="${space.address}/" rel="noreferrer">${space.address}</a></dd>
      `}
      <dt>Ready</dt>
      <dd>${readyWords(ready, facts)}</dd>
      ${facts === null ? null : factRows(facts)}
      ${hasNotes
        ? html`
          <dt>Search index</dt>
          <dd>${index === null ? "being opened" : indexWords(index)}</dd>
        `
        : null}
      ${roots.length === 0 ? null : html`
        <dt>Folders</dt>
        <dd>${roots.map((alias, at) => html`${at === 0 ? "" : ", "}<code>${alias}</code>`)}</dd>
      `}
      ${instructions === null ? null : html`
        <dt>Your text for assistants</dt>
        <dd>SHA-256 <code>${instructions}</code><br><span class="hint">If this is another one than before, somebody
          changed what assistants are told. Through this server nobody can.</span></dd>
      `}
    </dl>
    <p
      class="hint">Run <code>silverbridge doctor</code> on the server’s machine to have everything looked at, with what to do
      about each finding.</p>
    ${sessionList(view)}
    ${view.passkeys}
  `;
}

function readyWords(ready: Readiness, facts: NotesFacts | null): Html {
  if (!ready.ok) return html`<strong class="warn">no</strong>: ${notReadyText(ready.reason)}`;
  const version = facts?.server_version ?? null;
  return version === null ? html`yes` : html`yes; SilverBullet is version ${version}`;
}

function factRows(facts: NotesFacts): Html {
  return html`
    <dt>Edits</dt>
    <dd>${facts.read_only ? "none: nothing can be changed there" : dialectWords[facts.dialect]}</dd>
    <dt>Undo</dt>
    <dd>${facts.history === "on"
      ? `every change is kept for a while; ${sizeWords(facts.history_bytes)} so far`
      : html`<strong class="warn">no history is kept</strong>: nothing can be undone`}</dd>
    ${facts.unsettled_changes === 0 ? null : html`
      <dt>In doubt</dt>
      <dd>${facts.unsettled_changes} changes of which nobody knows yet whether they were made</dd>
    `}
  `;
}

const dialectWords: Readonly<Record<NotesFacts["dialect"], string>> = {
  conditional: "SilverBullet compares versions itself, so that no edit is ever written over",
  guarded:
    "this server compares versions before it writes and looks afterwards: no edit of an assistant is lost, though " +
    "somebody who saves in the same moment may have to put two versions together",
  unknown: "not known yet",
};

function indexWords({ files, waiting, filled, comparedAgo, isBehind, failed, bytes }: IndexState): string {
  const parts = [
    `${files} files, ${sizeWords(bytes)}`,
    ...(filled < 1 ? [`${Math.floor(filled * 100)} % filled`] : []),
    ...(waiting > 0 ? [`${waiting} still to be read`] : []),
    ...(failed > 0 ? [`${failed} could not be read so far`] : []),
    comparedAgo === null
      ? "not yet compared with SilverBullet"
      : `compared with SilverBullet ${spanWords(Math.max(1, comparedAgo / 1000))} ago`,
    ...(isBehind ? ["behind, since SilverBullet cannot be read now"] : []),
  ];
  return parts.join("; ");
}

function sizeWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function sessionList({ sessions, session, ticket, now }: StateView): Html {
  return html`
    <h2>Signed in to this page</h2>
    <ul>${sessions.map(({ id, made, expires }) =>
      html`<li>${id === session ? html`<strong>This browser</strong>` : "Another browser"}: since ${
        timeAgo(made, now)
      }, until ${fullTime(expires)}</li>`
    )}</ul>
    ${sessions.length < 2 ? null : html`
      <form method="post" action="/owner/state" class="row">
        <input type="hidden" name="ticket" value="${ticket}">
        <button type="submit" name="do" value="others-out">Sign the others out</button>
      </form>
    `}
  `;
}
