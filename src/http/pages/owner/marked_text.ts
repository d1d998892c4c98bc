/** Text of strangers in which nothing is invisible: what a reader could not see, or would see in another order, is named. */

import { visibly } from "../../../text/invisible.ts";
import { type Html, html } from "../../../web/html.ts";

export function withMarks(text: string): Html {
  const parts = visibly(text);
  return html`${
    parts.map(({ text, isMark }) => isMark ? html`<span class="mark">${text}</span>` : html`${text}`)
  }`;
}
