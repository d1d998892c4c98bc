/**
 * Pages as MCP resources: the recent ones as a list, any by its address, as Markdown or as a JSON envelope.
 *
 * Goes through the same page operations as the tools, so that rights, hidden pages and limits are the same.
 */

import { AppError } from "../core/errors.ts";
import type { Notes } from "../notes/notes.ts";
import type { Caller } from "../notes/requests.ts";
import { pageTemplate, pageUri, parsePageUri } from "./page_uri.ts";

const listed = 50;
/** A resource comes whole or not at all; a few callers that ask for more at once would fill the memory. */
const wholePage = 4 * 1024 * 1024;

export interface ResourceRow {
  readonly [key: string]: unknown;
  readonly uri: string;
  readonly name: string;
  readonly mimeType: string;
  readonly size?: number;
  readonly annotations?: { readonly lastModified: string };
}

export type ResourceContent =
  | { readonly uri: string; readonly mimeType: string; readonly text: string }
  | { readonly uri: string; readonly mimeType: string; readonly blob: string };

export interface ResourceTemplate {
  readonly [key: string]: unknown;
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType?: string;
}

export const pageResourceTemplate: ResourceTemplate = {
  uriTemplate: pageTemplate,
  name: "silverbullet_page",
  title: "Page",
  description: "A page of the space as Markdown, or with format=json as one JSON object with its version",
  mimeType: "text/markdown",
};

/** The pages changed last, newest first. */
export async function recentResources(notes: Notes, caller: Caller): Promise<readonly ResourceRow[]> {
  if (!caller.principal.rights.allowsSomewhere("read")) return [];
  const { pages } = await notes.list(caller, {
    prefix: "",
    contains: "",
    kind: "pages",
    sort: "recent",
    limit: listed,
    cursor: null,
    includeTrash: false,
    includeLibrary: false,
  });
  return pages.map((row) => ({
    uri: pageUri(row.page),
    name: row.page,
    mimeType: "text/markdown",
    size: row.size_bytes,
    annotations: { lastModified: row.last_modified },
  }));
}

/** `null` for an address of nothing this caller can see; other failures throw. */
export async function readResource(
  notes: Notes,
  caller: Caller,
  uri: string,
): Promise<ResourceContent | null> {
  const address = parsePageUri(uri);
  if (address === null || !caller.principal.rights.allowsSomewhere("read")) return null;
  try {
    const { info, text, image } = await notes.read(caller, {
      page: address.page,
      view: "full",
      section: null,
      startLine: null,
      endLine: null,
      maxBytes: wholePage,
      cursor: null,
      wholeWithin: wholePage,
    });
    if (image !== null) return { uri, mimeType: image.mimeType, blob: image.data };
    if (address.format === "markdown") return { uri, mimeType: "text/markdown", text: text ?? "" };
    return { uri, mimeType: "application/json", text: JSON.stringify({ body: text ?? "", ...info }) };
  } catch (thrown) {
    if (thrown instanceof AppError && isAbsence(thrown)) return null;
    throw thrown;
  }
}

/** What must look the same from outside: not there, hidden, and no name at all. */
function isAbsence({ code }: AppError): boolean {
  return code === "not_found" || code === "invalid_path" || code === "forbidden_path";
}
