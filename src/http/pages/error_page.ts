/** Refusals as a page, where a person with a browser is looking; everybody else keeps the JSON. */

import type { Exchange } from "../../web/exchange.ts";
import { html } from "../../web/html.ts";
import { htmlResponse } from "../../web/respond.ts";
import type { Refusal, RefusalCode } from "../refusals.ts";
import { renderPage } from "./layout.ts";

/** What a person can do about it, for the refusals that a browser can meet. */
const advice: Readonly<Partial<Record<RefusalCode, string>>> = {
  "not-found": "Check the address, or begin at the start page.",
  "no-sign-in": "The start page says how clients are connected.",
  "no-folders": "The start page says what this server has.",
  "no-owner-page":
    "It is there once the server lets clients sign in: SILVERBRIDGE_AUTH=oauth and an owner’s secret.",
  "method-not-allowed": "This address is for programs; begin at the start page.",
  "rate-limited": "Wait a moment, then load the page again.",
  "server-busy": "Wait a moment, then load the page again.",
  "request-body-too-large": "Go back, shorten what you typed, and try again.",
  "origin-not-allowed":
    "The form did not come from this server’s own page, or not from where you are signed in now. Begin again there.",
  "host-not-allowed": "If this is your server, look at its log and set what it names there.",
  "invalid-token": "The start page says how to connect one.",
  "remote-without-token": "Open it on the machine that runs the server, or give the server a token.",
  "token-in-url-refused": "Take the token out of the address and replace it with a new one.",
  "internal-error": "Load the page again; if it stays, look up the incident in the server's log.",
};

/** Headings where the sentence speaks to a program. */
const headings: Readonly<Partial<Record<RefusalCode, string>>> = {
  "invalid-token": "This address is for assistants",
};

/** The refusal itself, or the same status as a page for a navigating browser. */
export function presentRefusal(exchange: Exchange, refusal: Refusal): Response {
  if (!isNavigation(exchange)) return refusal;
  const { status, sentence, code, incident } = refusal;
  const heading = headings[code] ?? sentence;
  const page = renderPage({
    title: heading,
    heading,
    main: html`
      <p>${advice[code] ?? "Go back and try again."}</p>
      ${incident === null ? null : html`<p class="hint">Incident <code>${incident}</code></p>`}
      <p>${isOwnerPage(exchange) && status !== 404
        ? html`<a href="/owner">Owner’s page</a>`
        : html`<a href="/">Start page</a>`}</p>
    `,
  });
  const kept = ["allow", "retry-after", "www-authenticate"]
    .flatMap((name) => {
      const value = refusal.headers.get(name);
      return value === null ? [] : [[name, value]];
    });
  return htmlResponse(status, page, Object.fromEntries(kept));
}

function isOwnerPage({ path }: Exchange): boolean {
  return path === "/owner" || path.startsWith("/owner/");
}

/**
 * A browser opening a page, or sending the form of one. Discovery never answers with a page, and the MCP endpoint only
 * where the browser says itself that a person opened it: some clients ask for HTML.
 */
function isNavigation(exchange: Exchange): boolean {
  const sendsForm = exchange.method === "POST" && (exchange.path === "/authorize" || isOwnerPage(exchange));
  if (exchange.method !== "GET" && exchange.method !== "HEAD" && !sendsForm) return false;
  if (exchange.path.startsWith("/.well-known/")) return false;
  const mode = exchange.header("sec-fetch-mode");
  return mode === null && exchange.path !== "/mcp"
    ? (exchange.header("accept") ?? "").trimStart().startsWith("text/html")
    : mode === "navigate";
}
