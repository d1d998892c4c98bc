/**
 * Addresses of files as MCP resources: `folder://{root}/{+path}`.
 *
 * Slashes stay; everything else that has a meaning in an address is percent-encoded. A path that was put in raw is read as it
 * stands, so that a client that expands the template by hand is understood too.
 */

export const folderTemplate = "folder://{root}/{+path}";

const form = /^folder:\/\/([A-Za-z0-9_-]+)(?:\/(.*))?$/s;

export interface FolderAddress {
  readonly root: string;
  readonly path: string;
}

/** The address of what answers call `ref`: alias and path in one. */
export function folderUri(ref: string): string {
  return `folder://${encodeURI(ref.toWellFormed()).replace(/[?#]/g, encodeURIComponent)}`;
}

/** `null` for what is no address of a file. */
export function parseFolderUri(uri: string): FolderAddress | null {
  const match = form.exec(uri);
  return match === null ? null : { root: match[1] ?? "", path: decode(match[2] ?? "") };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
