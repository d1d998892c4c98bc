/** What everybody did to the pages, newest first, with what changed and a way to undo it. */

import type { Refused } from "../../../access/refused_attempts.ts";
import type { OverseenChange } from "../../../notes/past/oversight.ts";
import { type Html, html } from "../../../web/html.ts";
import { timeAgo } from "../time_words.ts";
import { type CallerNames, callerWords, deedWords, pageLink, type SpaceWords } from "./caller_words.ts";
import { diffBlock } from "./diff_block.ts";
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
  readonly filter: ChangesFilter;
  /** Everybody who has changed something. */
  readonly callers: readonly string[];
  /** `null` where they are not shown. */
  readonly refused: readonly Refused[] | null;
  readonly names: CallerNames;
  readonly space: SpaceWords | null;
  readonly now: number;
}

export function renderChanges(view: ChangesView): Html {
  const { changes, older, filter, refused, names, now } = view;
  const isFiltered = filter.by !== "" || filter.page !== "";
  return html`
    ${filterForm(view)}
    ${changes.length > 0
      ? html`<ol class="entries">${changes.map((change) => html`<li>${changeEntry(change, view)}</li>`)}</ol>`
      : html`<p>${
        isFiltered ? "There is no such change." : "Nothing was changed through this server so far."
      }</p>`}
    ${older === null ? null : html`<p><a href="${older}">Older changes</a></p>`}
    ${refused === null || refused.length === 0 ? null : refusedList(refused, { names, now })}
  `;
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
  { page, principal, entry }: OverseenChange,
  { names, space, now }: Pick<ChangesView, "names" | "space" | "now">,
): Html {
  const { action, time, tool, moved_from: from, moved_to: to } = entry;
  const link = pageLink(page, { space, gone: action === "delete" || action === "purge" || to !== undefined });
  const way = from !== undefined
    ? html`
      from <strong>${from}</strong>
    `
    : to !== undefined
    ? html`
      to ${pageLink(to, { space, gone: false })}
    `
    : null;
  return html`<strong>${callerWords(principal, names)}</strong> ${deedWords(entry)} ${link}${way} ${
    timeAgo(Date.parse(time), now)
  }${
    tool === undefined ? null : html`
      <span class="hint">${tool}</span>
    `
  }`;
}

function changeEntry(change: OverseenChange, view: ChangesView): Html {
  const { page, entry, canUndo } = change;
  return html`
    <p>${changeSentence(change, view)}</p>
    ${entry.unconfirmed === true
      ? html`<p class="hint">Nobody knows whether it was made: SilverBullet did not answer.</p>`
      : null}
    ${entry.diff === undefined || entry.diff === ""
      ? entry.diff_cut === true ? html`<p class="hint">Too much changed to be shown here.</p>` : null
      : html`<details><summary>What changed</summary>${
        diffBlock(entry.diff, entry.diff_cut === true)
      }</details>`}
    ${entry.undone === true
      ? html`<p class="hint">This was undone.</p>`
      : canUndo && entry.change !== undefined
      ? html`<p><a class="button small" href="/owner/changes?undo=${entry.change}">Undo<span class="unseen">: ${page}</span></a></p>`
      : null}
  `;
}
