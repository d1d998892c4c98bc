/**
 * The page at `/`: what this is, the address to paste, and how each client is connected.
 *
 * Says nothing about the space, the folders or who is connected, and no more to a scanner than a version.
 */

import { html } from "../../web/html.ts";
import { addressField, connectList } from "./connect_list.ts";
import type { ConnectFacts } from "./connect_steps.ts";
import { renderPage } from "./layout.ts";

export interface LandingFacts extends ConnectFacts {
  readonly version: string;
  /** Protocol revisions that `/mcp` speaks, newest first. */
  readonly revisions: readonly string[];
}

export interface LandingSettings extends Pick<LandingFacts, "signIn" | "version" | "revisions"> {
  /** Origin that clients reach, without a trailing slash. */
  readonly publicUrl: string;
  /** Ways in: `oauth`, `token`, `jwt`. */
  readonly auth: readonly string[];
}

export function landingFacts({ publicUrl, auth, signIn, version, revisions }: LandingSettings): LandingFacts {
  const token = auth.includes("token") || auth.includes("jwt");
  return { address: `${publicUrl}/mcp`, signIn, token, version, revisions };
}

export function renderLanding(facts: LandingFacts): string {
  return renderPage({
    title: "Connect",
    heading: "silverbridge",
    main: html`
      <p>This server lets AI assistants read, search and carefully edit the notes of one SilverBullet space.</p>
      ${addressField(facts, wayIn(facts))}
      <h2>How to connect</h2>
      ${connectList(facts)}
      ${facts.signIn
        ? html`
          <p>Is this server yours? <a href="/owner">Its page for the owner</a> shows who is connected and what they
            changed, and undoes it.</p>
        `
        : null}
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
