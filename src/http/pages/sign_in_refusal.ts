/** Why a sign-in cannot go on, for the owner whose browser a client sent here. Shown, never redirected. */

import type { ShownReason } from "../../oauth/reasons.ts";
import { type Html, html } from "../../web/html.ts";
import { renderPage } from "./layout.ts";

interface Words {
  readonly happened: string;
  readonly mend: Html;
}

export function renderSignInRefusal(reason: ShownReason): string {
  const { happened, mend } = wordsOf(reason);
  return renderPage({
    title: "Sign-in cannot go on",
    heading: "This sign-in cannot go on",
    main: html`
      <p><strong>${happened}</strong></p>
      <p>${mend}</p>
      <p>Nothing was approved, and nobody was sent anywhere.</p>
      <p class="hint">For the client’s makers: <code>${reason}</code></p>
      <p><a href="/">How to connect a client</a></p>
    `,
  });
}

export function refusalStatus(reason: ShownReason): number {
  switch (reason) {
    case "document_unreachable":
      return 502;
    case "document_busy":
      return 429;
    case "redirect_host_unknown":
      return 403;
    case "request_malformed":
    case "client_missing":
    case "client_repeated":
    case "client_unknown":
    case "client_documents_off":
    case "document_refused":
    case "redirect_missing":
    case "redirect_repeated":
    case "redirect_mismatch":
      return 400;
  }
}

function wordsOf(reason: ShownReason): Words {
  const again =
    html`Remove the connection in the client and add it again. If that does not help, its makers have to
    mend it.`;
  switch (reason) {
    case "request_malformed":
      return { happened: "The client sent a request that cannot be read.", mend: again };
    case "client_missing":
      return { happened: "The client did not say which one it is.", mend: again };
    case "client_repeated":
      return { happened: "The client said twice which one it is.", mend: again };
    case "client_unknown":
      return {
        happened: "This server does not know that client.",
        mend:
          html`Remove the connection in the client and add it again, so that it registers anew. A client with an
          identifier of its own has to be set up on this server first (<code>OAUTH_CLIENT_ID</code>).`,
      };
    case "client_documents_off":
      return {
        happened:
          "This client is known by a document at its own address, and this server does not accept those.",
        mend: html`Whoever runs this server can switch them on (<code>CLIENT_DOCUMENTS</code>).`,
      };
    case "document_unreachable":
      return {
        happened: "The client’s own address, which says what the client is, does not answer.",
        mend: html`Try again in a few minutes. Whoever runs this server finds the cause in its log.`,
      };
    case "document_refused":
      return {
        happened: "What the client’s own address says about it cannot be accepted.",
        mend: html`The client’s makers have to mend it. Whoever runs this server finds the cause in its log.`,
      };
    case "document_busy":
      return {
        happened: "Too many clients have been looked up just now.",
        mend: html`Wait a minute, then try again.`,
      };
    case "redirect_missing":
      return { happened: "The client did not say where to send you back to.", mend: again };
    case "redirect_repeated":
      return { happened: "The client gave two addresses to send you back to.", mend: again };
    case "redirect_mismatch":
      return {
        happened: "The client wants you to be sent to an address that is not one of its own.",
        mend:
          html`If you did not begin this sign-in yourself, somebody may be trying to trick you: close this page.
          Else remove the connection in the client and add it again.`,
      };
    case "redirect_host_unknown":
      return {
        happened: "The client wants you to be sent to a host that this server does not know.",
        mend: html`Whoever runs this server decided to refuse those (<code>UNKNOWN_REDIRECTS</code>).`,
      };
  }
}
