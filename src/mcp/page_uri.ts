/**
 * Addresses of pages as MCP resources: `silverbullet://page/{+name}{?format}`.
 *
 * Slashes stay; `?`, `#`, `%`, spaces and everything beyond ASCII in a name are percent-encoded. A name that was
 * put in raw is read as it stands, so that a client that expands the template by hand is understood too.
 */

export type PageFormat = "markdown" | "json";

export interface PageAddress {
  readonly page: string;
  readonly format: PageFormat;
}

export const pageTemplate = "silverbullet://page/{+name}{?format}";

const base = "silverbullet://page/";

export function pageUri(page: string): string {
  return base + encodeURI(page.toWellFormed()).replace(/[?#]/g, encodeURIComponent);
}

/** `null` for what is no address of a page. */
export function parsePageUri(uri: string): PageAddress | null {
  if (!uri.startsWith(base)) return null;
  const rest = uri.slice(base.length);
  const mark = rest.indexOf("?");
  const format = mark < 0 ? "markdown" : formatIn(rest.slice(mark + 1));
  const encoded = mark < 0 ? rest : rest.slice(0, mark);
  if (format === null || encoded === "") return null;
  return { page: decode(encoded), format };
}

function formatIn(query: string): PageFormat | null {
  const wanted = new URLSearchParams(query).get("format") ?? "markdown";
  return wanted === "json" || wanted === "markdown" ? wanted : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
