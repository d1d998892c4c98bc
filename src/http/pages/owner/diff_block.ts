/** A diff as it reads: lines that came and lines that went, each marked by more than its colour. */

import { type Html, html } from "../../../web/html.ts";
import { withMarks } from "./marked_text.ts";

export function diffBlock(diff: string, isCut: boolean): Html {
  const lines = diff.replace(/\n$/, "").split("\n");
  return html`
    <pre class="diff">${lines.map((line) => html`${marked(line)}${"\n"}`)}</pre>
    ${isCut ? html`<p class="hint">More changed than is shown here.</p>` : null}
  `;
}

function marked(line: string): Html {
  const text = withMarks(line);
  if (line.startsWith("+")) return html`<ins>${text}</ins>`;
  if (line.startsWith("-")) return html`<del>${text}</del>`;
  const place = /^@@ -(\d+)\S* \+(\d+)/.exec(line);
  return place === null ? html`${text}` : html`<span class="hint">${placeWords(place)}</span>`;
}

/** A hunk's header: the line in the new text, or in the old one where nothing is left. */
function placeWords([, old = "", now = ""]: RegExpExecArray): string {
  return `Line ${now === "0" ? old : now}`;
}
