/** What everybody did to the pages, newest first, with what changed and a way to undo it. */

import type { Refused } from "../../../access/refused_attempts.ts";
import type { OverseenChange } from "../../../notes/past/oversight.ts";
import { type Html, html } from "../../../web/html.ts";
import { fullTime, timeAgo } from "../time_words.ts";
import {
  type CallerNames,
  callerWords,
  deedWords,
  isOwner,
  pageLink,
  pageWords,
  type SpaceWords,
} from "./caller_words.ts";
import { diffBlock } from "./diff_block.ts";
import { readOnlyHint } from "./owner_frame.ts";
import { refusedList } from "./refused_list.ts";

export interface ChangesFilter {
  /** Identifier of a caller; empty: everybody. */
  readonly by: string;
  /** As it was typed; empty: every page. */
  readonly page: string;
}

export interface ChangesView {
  readonly changes: readonly OverseenChange[];
  /** Address of what is older; `null`: nothing is. */
  readonly older: string | null;
  /** Address of the beginning; `null`: this is it. */
  readonly newest: string | null;
  readonly filter: ChangesFilter;
  /** Everybody who has changed something. */
  readonly callers: readonly string[];
  readonly refused: readonly Refused[];
  /** No page can be changed through this server. */
  readonly readOnly: boolean;
  readonly names: CallerNames;
  readonly space: SpaceWords | null;
  readonly now: number;
}

export function renderChanges(view: ChangesView): Html {
  const { changes, older, newest, readOnly, refused, names, now } = view;
  return html`
    ${readOnly ? readOnlyHint : null}
    ${filterForm(view)}
    ${changes.length > 0
      ? html`<ol class="entries">${changes.map((change) => html`<li>${changeEntry(change, view)}</li>`)}</ol>`
      : html`<p>${noneWords(view)}</p>`}
    ${older === null && newest === null ? null : html`
      <p class="row">${newest === null ? null : html`<a href="${newest}">Newest changes</a>`}
        ${older === null ? null : html`<a href="${older}">Older changes</a>`}</p>
    `}
    ${refused.length === 0 ? null : refusedList(refused, { names, now })}
  `;
}

function noneWords({ filter, older, newest }: ChangesView): string {
  if (older !== null) return "Nothing of this part is to be seen any more.";
  if (newest !== null) return "There is nothing older.";
  const isFiltered = filter.by !== "" || filter.page !== "";
  return isFiltered ? "There is no such change." : "Nothing was changed through this server so far.";
}

function filterForm({ filter, callers, names }: ChangesView): Html {
  return html`
    <form method="get" action="/owner/changes" class="filter">
      <p><label for="by">Made by</label>
      <select id="by" name="by">
        <option value="">everybody</option>
        ${callers.map((caller) =>
          html`
            <option value="${caller}" ${caller === filter.by ? selected : null}>${callerWords(
              caller,
              names,
            )}</option>
          `
        )}
      </select></p>
      <p><label for="page">Page</label>
      <input id="page" name="page" type="text" value="${filter
        .page}" autocapitalize="none" spellcheck="false"></p>
      <p><button type="submit">Show</button></p>
    </form>
  `;
}

const selected = html`
  selected
`;

/** One change in a sentence. */
export function changeSentence(
  { page, principal, entry, isUndo }: OverseenChange,
  { names, space, now }: Pick<ChangesView, "names" | "space" | "now">,
): Html {
  const { action, time, tool, moved_from: from, moved_to: to } = entry;
  const at = Date.parse(time);
  const link = pageLink(page, { space, gone: action === "delete" || action === "purge" || to !== undefined });
  const details = [...(isOwner(principal) ? [] : [tool]), fullTime(at)];
  return html`
    <strong>${callerWords(principal, names)}</strong> ${deedWords(entry)} ${link}
    ${from === undefined ? null : html`from <strong>${pageWords(from)}</strong>`}
    ${to === undefined ? null : html`to ${pageLink(to, { space, gone: false })}`}
    ${isUndo ? "to undo an earlier change," : null} ${timeAgo(at, now)}
    <span class="hint">${details.join(" · ")}</span>
  `;
}

function changeEntry(change: OverseenChange, view: ChangesView): Html {
  const { page, entry: { change: id, unconfirmed, undone } } = change;
  const canUndo = change.canUndo && !view.readOnly && id !== undefined;
  return html`
    <p>${changeSentence(change, view)}</p>
    ${unconfirmed === true
      ? html`<p class="hint">Nobody knows whether it was made: SilverBullet did not answer.</p>`
      : null}
    ${undone === true ? html`<p class="hint">This was undone.</p>` : null}
    <div class="row">
      ${diffDetails(change)}
      ${canUndo
        ? html`
          <a class="button small"
            href="/owner/changes?undo=${id}">Undo<span class="unseen"> ${pageWords(page)}</span></a>
        `
        : null}
    </div>
  `;
}

function diffDetails({ entry: { diff, diff_cut: isCut } }: OverseenChange): Html | null {
  if (diff !== undefined && diff !== "") {
    return html`<details><summary>What changed</summary>${diffBlock(diff, isCut === true)}</details>`;
  }
  return isCut === true ? html`<p class="hint">Too much changed to be shown here.</p>` : null;
}
