/** What undoing one change would do, before it is done, and whether somebody edited the page since. */

import type { OverseenChange } from "../../../notes/past/oversight.ts";
import { type Html, html } from "../../../web/html.ts";
import { withMarks } from "./marked_text.ts";
import { pageLink } from "./caller_words.ts";
import { changeSentence, type ChangesView } from "./changes_page.ts";
import { diffBlock } from "./diff_block.ts";
import { troubleBox } from "./owner_frame.ts";

/** A place where the change and a later edit touch the same lines. */
export interface Clash {
  readonly line: number;
  readonly changedTo: string;
  readonly was: string;
  readonly isNow: string;
}

export type UndoPreview =
  | {
    readonly kind: "possible";
    /** The version that undoing is bound to; `null`: the page is not there. */
    readonly ifMatch: string | null;
    readonly editedSince: boolean;
    readonly diff: string | null;
    readonly isCut: boolean;
    /** What else comes of it, in sentences. */
    readonly also: readonly string[];
  }
  | { readonly kind: "refused"; readonly message: string; readonly clashes: readonly Clash[] };

export interface UndoView extends Pick<ChangesView, "names" | "space" | "now"> {
  readonly change: OverseenChange;
  readonly preview: UndoPreview;
  /** Why it was not done just now. */
  readonly trouble: string | null;
  readonly ticket: string;
}

export function renderUndo(view: UndoView): Html {
  const { change, preview, trouble, space } = view;
  return html`
    ${trouble === null ? null : troubleBox(trouble)}
    <p>${changeSentence(change, view)}</p>
    ${change.entry.diff === undefined || change.entry.diff === "" ? null : html`
      <details><summary>What it changed</summary>${diffBlock(
        change.entry.diff,
        change.entry.diff_cut === true,
      )}</details>
    `}
    ${preview.kind === "possible" ? possible(view, preview) : html`
      ${troubleBox(html`<strong>This cannot be undone as it is.</strong> ${preview.message}.`)}
      ${preview.clashes.map(clashBlock)}
      <p>Open ${pageLink(change.page, {
        space,
        gone: false,
      })} in SilverBullet and decide what shall stand there.</p>
      <p><a class="button" href="/owner/changes">Back</a></p>
    `}
  `;
}

function possible(
  { change, ticket }: UndoView,
  { ifMatch, editedSince, diff, isCut, also }: UndoPreview & { readonly kind: "possible" },
): Html {
  return html`
    <p>${sinceWords(change, editedSince)}</p>
    ${also.map((line) => html`<p>${line}</p>`)}
    ${diff === null || diff === "" ? null : html`<h2>What undoing it does</h2>${diffBlock(diff, isCut)}`}
    <form method="post" action="/owner/changes?undo=${change.entry.change}" class="row">
      <input type="hidden" name="ticket" value="${ticket}">
      <input type="hidden" name="change" value="${change.entry.change}">
      <input type="hidden" name="if_match" value="${ifMatch ?? ""}">
      <button type="submit" name="do" value="undo" class="main">Undo it</button>
      <a class="button" href="/owner/changes">Leave it</a>
    </form>
    <p class="hint">Undoing is a change like any other: it is in the list afterwards and can be undone too.</p>
  `;
}

function sinceWords({ left }: OverseenChange, editedSince: boolean): Html {
  if (editedSince) {
    return html`<strong>The page was edited since.</strong> Those edits stay; only this change is taken back.`;
  }
  return left === null ? html`The page comes back as it was.` : html`Nobody edited the page since.`;
}

function clashBlock({ line, changedTo, was, isNow }: Clash): Html {
  return html`
    <dl class="facts">
      <dt>Line ${line}, before</dt>
      <dd>
        <pre class="diff">${withMarks(was)}</pre>
      </dd>
      <dt>The change made of it</dt>
      <dd>
        <pre class="diff">${withMarks(changedTo)}</pre>
      </dd>
      <dt>Now there is</dt>
      <dd>
        <pre class="diff">${withMarks(isNow)}</pre>
      </dd>
    </dl>
  `;
}
