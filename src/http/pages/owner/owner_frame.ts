/** The frame of the owner's page: its four parts, what was just done, and the way out. */

import { type Html, html } from "../../../web/html.ts";
import { renderPage } from "../layout.ts";

export interface OwnerPlace {
  readonly path: string;
  readonly name: string;
}

export interface OwnerFrame {
  readonly places: readonly OwnerPlace[];
  /** The path of the part that is shown. */
  readonly here: string;
  readonly heading: string;
  /** What was just done. */
  readonly notice: string | null;
  readonly ticket: string;
  readonly main: Html;
}

export function renderOwnerPage({ places, here, heading, notice, ticket, main }: OwnerFrame): string {
  return renderPage({
    title: `${heading} · Owner`,
    heading,
    nav: html`
      <nav aria-label="Owner">
        <ul>${places.map(({ path, name }) =>
          html`<li><a href="${path}"${path === here ? current : null}>${name}</a></li>`
        )}</ul>
      </nav>
      <form method="post" action="/owner">
        <input type="hidden" name="ticket" value="${ticket}">
        <button type="submit" name="do" value="sign-out" class="small">Sign out</button>
      </form>
    `,
    main: html`
      ${notice === null ? null : html`<p class="notice" role="status">${notice}</p>`}
      ${main}
    `,
  });
}

const current = html`
  aria-current="page"
`;

export const readOnlyHint = html`
  <p class="notice">This server only reads, so that nothing can be undone, restored or emptied from here.</p>
`;

/** Where something did not work. `back`: a part of the page to go on with. */
export function troubleBox(message: Html | string, back: string | null = null): Html {
  return html`
    <div class="problem" role="alert" id="problem">
      <p>${message}</p>
    </div>
    ${back === null ? null : html`<p><a class="button" href="${back}">Back</a></p>`}
  `;
}
