/** What the page where the owner decides says, in plain words: who asks, where it goes back to, what it gets. */

import type { Client } from "../../oauth/client.ts";
import type { Consent } from "../../oauth/consent.ts";
import type { ConsentBounds } from "../../oauth/consent_form.ts";
import type { Currency } from "../../oauth/documents.ts";
import type { VerifiedRedirect } from "../../oauth/verified_redirect.ts";
import { type Html, html } from "../../web/html.ts";
import { timeAgo } from "./time_words.ts";

const maxGlobs = 8;

/** How the client is called in a sentence. A name that nobody vouches for is told apart. */
export function callName({ name, standing }: Client): string {
  if (name === "") return "A program without a name";
  return standing === "registered" ? `A program that calls itself “${name}”` : name;
}

/** Who vouches for the name. */
export function standingWords({ standing, host }: Pick<Client, "standing" | "host">): Html {
  switch (standing) {
    case "document":
      return html`<strong>${host ?? ""}</strong> vouches for this name`;
    case "configured":
      return html`set up by whoever runs this server`;
    case "registered":
      return html`<strong class="warn">unverified</strong>: this name was chosen by the program itself`;
  }
}

/** A word of caution where what is known is not current; `null` where it is. */
export function currencyWords({ host }: Client, currency: Currency, now: number): Html | null {
  switch (currency.kind) {
    case "current":
      return null;
    case "earlier":
      return html`<strong>${host}</strong> does not answer at the moment. What you see here is what it said ${
        timeAgo(currency.fetched, now)
      }.`;
    case "built_in":
      return html`<strong>${host}</strong> does not answer at the moment. What you see here is what this server knows
        about that client by itself.`;
  }
}

export interface DestinationWords {
  /** The redirect host, as a part of a sentence. */
  readonly place: Html;
  readonly caution: Html | null;
  /** The caution is a strong one: refusing is the first choice. */
  readonly isStrange: boolean;
}

/** `warns`: hosts that nobody knows get a louder word. */
export function destinationWords({ place, known }: VerifiedRedirect, warns: boolean): DestinationWords {
  switch (place.kind) {
    case "loopback":
      return {
        place: html`<strong>this computer</strong> (${place.host})`,
        caution: html`Approve only if a program on the computer in front of you opened this page just now.`,
        isStrange: false,
      };
    case "program":
      return {
        place: html`<strong>a program on this computer</strong> (${place.host})`,
        caution: html`Approve only if a program on the computer in front of you opened this page just now.`,
        isStrange: false,
      };
    case "site": {
      const name = html`<strong>${place.host}</strong>`;
      if (known !== null) {
        return { place: html`${name}, which is ${known.vendor}`, caution: null, isStrange: false };
      }
      const caution =
        html`<strong>This server does not know that host.</strong> Whoever runs it gets what you approve
        here. Approve only if it is yours, or you trust it with your notes and began this sign-in yourself.`;
      return { place: name, caution: warns ? caution : null, isStrange: warns };
    }
  }
}

/** What the client gets at most, as three lines. `space`: what the notes are called; `null` where there are none. */
export function rightsWords(
  bounds: ConsentBounds,
  { asksWrite, space }: { readonly asksWrite: boolean; readonly space: string | null },
): readonly Html[] {
  const lines: Html[] = [];
  if (space !== null && bounds.sees.length > 0) {
    lines.push(html`Read and search ${pagesWords(bounds.sees)} of <strong>${space}</strong>`);
  }
  if (space !== null && asksWrite && bounds.write) {
    lines.push(
      html`Create, change, move and delete ${
        pagesWords(bounds.changes)
      }, unless you choose “read only” below; what it
      changes through this server can be undone for a while`,
    );
  } else if (space !== null) {
    lines.push(
      html`Change nothing${asksWrite ? ", since this server’s settings leave it reading alone" : ""}`,
    );
  }
  if (bounds.roots.length > 0) lines.push(html`Read the folders ${listWords(bounds.roots)}`);
  return lines;
}

/** What the owner gave the last time. */
export function earlierWords({ write, sees, changes }: Consent): Html {
  if (!write) return html`it may read ${pagesWords(sees)}`;
  return html`it may read ${pagesWords(sees)} and change ${pagesWords(changes)}`;
}

export function pagesWords(globs: readonly string[]): Html {
  if (globs.includes("**")) return html`all pages`;
  return html`the pages ${listWords(globs)}`;
}

export function listWords(names: readonly string[]): Html {
  const shown = names.slice(0, maxGlobs).map((name, index) =>
    html`${index === 0 ? "" : ", "}<code>${name}</code>`
  );
  const more = names.length - maxGlobs;
  return html`${shown}${more > 0 ? ` and ${more} more` : ""}`;
}
