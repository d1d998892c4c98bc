/** The address to paste, and how each client is connected, folded. */

import { type Html, html } from "../../web/html.ts";
import { type ClientSteps, type ConnectFacts, connectSteps } from "./connect_steps.ts";

/** The address to paste, in a field that is selected and copied without a script. */
export function addressField({ address }: ConnectFacts, hint = ""): Html {
  return html`
    <label for="address">Address to paste into your assistant</label>
    <input id="address" type="text" readonly value="${address}" spellcheck="false" autocomplete="off"
      aria-describedby="address-hint">
    <p class="hint" id="address-hint">Select it and copy.${hint === "" ? "" : ` ${hint}`}</p>
  `;
}

export function connectList(facts: ConnectFacts): readonly Html[] {
  return connectSteps(facts).map(renderClient);
}

/** Characters that fit on a line of a block at the page's full width. */
const blockColumns = 62;

/** Lines that a text takes, for browsers that do not fit a block to its text by themselves. */
function linesOf(text: string): number {
  return text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / blockColumns)), 0);
}

function renderClient(client: ClientSteps, index: number): Html {
  const id = `block-${index}`;
  return html`
    <details>
    <summary>${client.name}</summary>
    <ol>${client.steps.map((step) => html`<li>${step}</li>`)}</ol>
    ${client.block === null ? null : html`<label for="${id}">${client.block.label}</label>
<textarea id="${id}" readonly rows="${
      linesOf(client.block.text)
    }" spellcheck="false">${client.block.text}</textarea>`}
    </details>
  `;
}
