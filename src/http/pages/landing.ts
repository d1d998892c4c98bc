/**
 * The page at `/`: what this is, the address to paste, and how each client is connected.
 *
 * Says nothing about the space, the folders or who is connected, and no more to a scanner than a version.
 */

import { html } from "../../web/html.ts";
import { connectList } from "./connect_list.ts";
import type { ConnectFacts } from "./connect_steps.ts";
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
      ${connectList(facts)}
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
