/**
 * Files of allowlisted folders as MCP resources: a file as its text or bytes, a folder as its listing.
 *
 * Goes through the same operations as the folder tools, so that rights, hidden names and limits are the same.
 */

import { AppError } from "../core/errors.ts";
import type { ImageAnswer, ReadAnswer } from "../folders/answers.ts";
import type { Folders } from "../folders/folders.ts";
import type { FolderCaller } from "../folders/requests.ts";
import { type FolderAddress, folderTemplate, folderUri, parseFolderUri } from "./folder_uri.ts";
import type { ResourceContent, ResourceRow } from "./resources.ts";

export const folderResourceTemplate = {
  uriTemplate: folderTemplate,
  name: "folder_file",
  title: "File",
  description: "A file of an allowlisted folder as text, a document as its text, a folder as its listing",
} as const;

/** The roots that the caller may read. */
export function rootResources(folders: Folders, caller: FolderCaller): readonly ResourceRow[] {
  return folders.roots(caller).roots.map(({ alias }) => ({
    uri: folderUri(`${alias}/`),
    name: alias,
    mimeType: "application/json",
  }));
}

/** `null` for an address of nothing this caller can see; other failures throw. */
export async function readFolderResource(
  folders: Folders,
  caller: FolderCaller,
  uri: string,
): Promise<ResourceContent | null> {
  const address = parseFolderUri(uri);
  if (address === null) return null;
  try {
    return contentOf(uri, await read(folders, caller, address));
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    if (thrown.details["detail"] === "not-a-file") {
      const listing = await folders.list(caller, { ...address, cursor: null });
      return { uri, mimeType: "application/json", text: JSON.stringify(listing) };
    }
    if (isAbsence(thrown)) return null;
    throw thrown;
  }
}

function read(
  folders: Folders,
  caller: FolderCaller,
  address: FolderAddress,
): Promise<ReadAnswer | ImageAnswer> {
  return folders.read(caller, {
    ...address,
    maxChars: Number.MAX_SAFE_INTEGER,
    offset: 0,
    encoding: null,
    pages: null,
    sheet: null,
  });
}

function contentOf(uri: string, answer: ReadAnswer | ImageAnswer): ResourceContent {
  if (isImage(answer)) return { uri, mimeType: answer.image.mimeType, blob: answer.image.data };
  if (answer.truncated) throw tooLong(answer);
  return {
    uri,
    mimeType: /\.(?:md|markdown)$/i.test(answer.ref) ? "text/markdown" : "text/plain",
    text: answer.content,
  };
}

function isImage(answer: ReadAnswer | ImageAnswer): answer is ImageAnswer {
  return "image" in answer;
}

/** A resource comes whole or not at all. */
function tooLong({ ref, limits }: ReadAnswer): AppError {
  return new AppError({
    code: "invalid-argument",
    message: `Cannot read ${
      JSON.stringify(ref)
    } as a resource: it has more than ${limits.max_chars} characters`,
    remedy: "Call `read_file`, which shows it in parts.",
    details: { detail: "too-long" },
  });
}

/** What must look the same from outside: not there, hidden, and no path at all. */
function isAbsence({ code }: AppError): boolean {
  return code === "file-not-found" || code === "path-excluded" || code === "unknown-root" ||
    code === "not-a-directory" || code === "invalid-params";
}
