/**
 * The page at `/`: what this is, the address to paste, and how each client is connected.
 *
 * Says nothing about the space, the folders or who is connected, and no more to a scanner than a version.
 */

import { type Html, html } from "../../web/html.ts";
import { type ClientSteps, type ConnectFacts, connectSteps } from "./connect_steps.ts";
import { renderPage } from "./layout.ts";

export interface LandingFacts extends ConnectFacts {
  readonly version: string;
  /** Protocol revisions that `/mcp` speaks, newest first. */
  readonly revisions: readonly string[];
}

export function renderLanding(facts: LandingFacts): string {
  return renderPage({
    title: "Connect",
    heading: "silverbridge",
    main: html`
      <p>This server lets AI assistants read, search and carefully edit the notes of one SilverBullet space.</p>
      <label for="address">Address to paste into your assistant</label>
      <input id="address" type="text" readonly value="${facts.address}" spellcheck="false" autocomplete="off"
        aria-describedby="address-hint">
      <p class="hint" id="address-hint">Select it and copy. ${wayIn(facts)}</p>
      <h2>How to connect</h2>
      ${connectSteps(facts).map(renderClient)}
      <h2>About this server</h2>
      <dl>
        <dt>Version</dt>
        <dd>${facts.version}</dd>
        <dt>Protocol</dt>
        <dd>Model Context Protocol over Streamable HTTP, ${facts.revisions.join(", ")}</dd>
        <dt>Documentation</dt>
        <dd>the <code>docs</code> folder of the program; start with <code>docs/clients</code></dd>
      </dl>
    `,
  });
}

function wayIn(facts: LandingFacts): string {
  if (facts.signIn && facts.token) {
    return "Clients sign in with your browser or send a token that you gave them.";
  }
  if (facts.signIn) return "Clients sign in with your browser.";
  if (facts.token) return "Clients send a token that you gave them.";
  return "It works on this computer only and asks for no token.";
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
