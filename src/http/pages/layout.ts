/** The frame of every page: language, title, style sheet, landmarks, one `h1`. */

import { type Html, html } from "../../web/html.ts";

export interface PageParts {
  /** Shown in the tab, before the program's name. */
  readonly title: string;
  readonly heading: string;
  readonly main: Html;
  /** Links to other pages of the same kind, between heading and content. */
  readonly nav?: Html;
  readonly footer?: Html;
}

export function renderPage(parts: PageParts): string {
  const footer = parts.footer === undefined ? null : html`<footer>${parts.footer}</footer>`;
  return html`
    <!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex, nofollow">
        <title>${parts.title} · silverbridge</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="/style.css">
      </head>
      <body>
    <a class="skip" href="#main">Skip to content</a>
    <header><h1>${parts.heading}</h1>${parts.nav}</header>
    <main id="main">${parts.main}</main>
    ${footer}
      </body>
    </html>
  `.toString();
}
