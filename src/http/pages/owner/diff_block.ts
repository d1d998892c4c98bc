/** A diff as it reads: lines that came and lines that went, each marked by more than its colour. */

import { type Html, html } from "../../../web/html.ts";

export function diffBlock(diff: string, isCut: boolean): Html {
  const lines = diff.replace(/\n$/, "").split("\n");
  return html`
    <pre class="diff">${lines.map((line) => html`${marked(line)}${"\n"}`)}</pre>
    ${isCut ? html`<p class="hint">More changed than is shown here.</p>` : null}
  `;
}

function marked(line: string): Html {
  if (line.startsWith("+")) return html`<ins>${line}</ins>`;
  if (line.startsWith("-")) return html`<del>${line}</del>`;
  if (line.startsWith("@@")) return html`<span class="hint">${line}</span>`;
  return html`${line}`;
}
