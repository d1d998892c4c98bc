/** Pages that are gone and can be had again, and emptying the trash for good. */

import type { Deletion } from "../../../notes/past/deletions.ts";
import { type Html, html } from "../../../web/html.ts";
import { problemBox, secretField, type SecretProblem } from "../secret_field.ts";
import { fullTime, timeAgo } from "../time_words.ts";
import { type CallerNames, callerWords, pageWords } from "./caller_words.ts";
import { readOnlyHint } from "./owner_frame.ts";

export interface TrashView {
  readonly rows: readonly Deletion[];
  readonly more: boolean;
  readonly isPartial: boolean;
  /** No page can be changed through this server. */
  readonly readOnly: boolean;
  readonly names: CallerNames;
  readonly ticket: string;
  readonly now: number;
}

/** Ages in days; `0`: everything. */
export const emptyAges: readonly number[] = [90, 30, 7, 0];

export function renderTrash(view: TrashView): Html {
  const { rows, more, isPartial, readOnly } = view;
  return html`
    ${readOnly ? readOnlyHint : null}
    ${isPartial
      ? html`<p class="notice">SilverBullet does not answer now, so copies in its own trash folder are missing here.</p>`
      : null}
    ${rows.length === 0 ? html`<p>Nothing is in the trash.</p>` : html`
      <p>What was deleted through this server, the newest first. It is kept for a while, then it goes by itself.</p>
      <ul class="entries">${rows.map((row) => html`<li>${deletionRow(row, view)}</li>`)}</ul>
      ${more
        ? html`<p>There is more than fits here: older things are seen once some of these are gone.</p>`
        : null}
      ${readOnly ? null : emptyForm()}
    `}
  `;
}

function deletionRow(
  { change, copy, page, time, principal }: Deletion,
  { readOnly, names, ticket, now }: TrashView,
): Html {
  const by = principal === null ? null : html`
    by ${callerWords(principal, names)}
  `;
  return html`
    <p><strong>${pageWords(page)}</strong> deleted ${timeAgo(time, now)}${by}
      <span class="hint">${fullTime(time)}</span></p>
    ${readOnly ? null : html`
      <form method="post" action="/owner/trash" class="row">
        <input type="hidden" name="ticket" value="${ticket}">
        <input type="hidden" name="${change === null ? "copy" : "change"}" value="${change ?? copy}">
        <button type="submit" name="do" value="restore"
          class="small">Restore<span class="unseen"> ${pageWords(page)}</span></button>
      </form>
    `}
  `;
}

function emptyForm(): Html {
  return html`
    <h2>Empty the trash</h2>
    <form method="get" action="/owner/trash" class="filter">
      <p><label for="empty">Deleted</label>
      <select id="empty" name="empty">${emptyAges.map((days) =>
        html`<option value="${days}">${ageWords(days)}</option>`
      )}</select></p>
      <p><button type="submit">Look what would go</button></p>
    </form>
  `;
}

/** `more than 30 days ago`. */
export function ageWords(days: number): string {
  return days === 0 ? "at any time" : `more than ${days} days ago`;
}

export interface EmptyView {
  readonly days: number;
  /** What was deleted before that time would go. */
  readonly before: number;
  /** Names of pages that would go. */
  readonly pages: readonly string[];
  /** More than can be emptied at once. */
  readonly more: boolean;
  readonly problem: SecretProblem | null;
  readonly ticket: string;
  readonly now: number;
}

const maxNamed = 30;

export function renderEmpty({ days, before, pages, more, problem, ticket, now }: EmptyView): Html {
  if (pages.length === 0) {
    return html`
      <p>Nothing in the trash was deleted ${ageWords(days)}.</p>
      <p><a class="button" href="/owner/trash">Back</a></p>
    `;
  }
  return html`
    ${problem === null ? null : problemBox(problem, now)}
    <p
      class="problem"><strong>This cannot be undone.</strong> Everything that this server keeps of these pages goes:
      their texts, their earlier versions, their copies in the trash folder. Backups of your own are not touched.</p>
    <p>${pages.length} page${pages.length === 1 ? "" : "s"}, deleted ${ageWords(days)}${more
      ? ", and no more at once"
      : ""}:</p>
    <ul>${pages.slice(0, maxNamed).map((page) => html`<li>${pageWords(page)}</li>`)}
      ${pages.length > maxNamed ? html`<li>and ${pages.length - maxNamed} more</li>` : null}</ul>
    <form method="post" action="/owner/trash?empty=${days}" class="decide">
      <input type="hidden" name="ticket" value="${ticket}">
      <input type="hidden" name="before" value="${before}">
      ${secretField(problem, { hint: "Asked for once more, since nothing of this comes back." })}
      <p class="buttons">
        <a class="button" href="/owner/trash">Keep them</a>
        <button type="submit" name="do" value="empty" class="danger">Delete for good</button>
      </p>
    </form>
  `;
}
