/** What the index is told of one file: the text of a page, only the name of everything else. */

import { isPage, type PagePath } from "../../core/page_name.ts";
import type { PageContent, PageEntry, PageStore } from "../../core/page_store.ts";
import { type FileInput, spaceSource } from "../../index/input.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import type { WantedFile } from "./feed_queue.ts";
import { latestTime } from "../reading/list.ts";
import { isLibrary } from "../places.ts";

/** Longer pages are known by their name alone: 16 MiB. */
const maxTextBytes = 16 * 1024 * 1024;

export interface FileSource extends Pick<PageStore, "read" | "meta"> {
  /** Reads a page as the list shows it, by a faster way where there is one. */
  readonly readListed?: (
    entry: PageEntry,
    options: { readonly signal: AbortSignal },
  ) => Promise<PageContent | null>;
}

/** True for files whose text is read. */
export function hasIndexedText(path: PagePath, size: number): boolean {
  return isPage(path) && !isLibrary(path) && size <= maxTextBytes;
}

/**
 * Reads a file as far as the index needs it; `null` when it is not there. Size and time are what the list said, so that
 * the next list tells the same and nothing is read twice; a file that changed since the list differs from the next one.
 */
export async function readFile(
  { path, listed }: WantedFile,
  { source, signal }: { readonly source: FileSource; readonly signal: AbortSignal },
): Promise<FileInput | null> {
  if (!hasIndexedText(path, listed?.size ?? 0)) {
    const entry = listed ?? await source.meta(path, { signal });
    return entry === null ? null : knownByName(withSaneTimes(entry), `${entry.size}:${entry.modified}`);
  }
  const content = listed === null || source.readListed === undefined
    ? await source.read(path, { signal })
    : await source.readListed(listed, { signal });
  return content === null ? null : pageInput({ ...content, entry: listed ?? content.entry });
}

/** A file whose bytes are at hand. */
export function pageInput({ entry: told, bytes, hash }: PageContent): FileInput {
  const entry = withSaneTimes(told);
  const text = hasIndexedText(entry.path, bytes.length) ? decodeUtf8(bytes) : null;
  const known = knownByName(entry, isPage(entry.path) ? hash : `${entry.size}:${entry.modified}`);
  return text === null ? known : { ...known, content: { format: "page", text } };
}

/** The same with times that a calendar has; servers tell others of files with broken ones. */
export function withSaneTimes(entry: PageEntry): PageEntry {
  const { modified, created } = entry;
  if (modified <= latestTime && (created ?? 0) <= latestTime) return entry;
  return {
    ...entry,
    modified: Math.min(modified, latestTime),
    created: created === null ? null : Math.min(created, latestTime),
  };
}

function knownByName({ path, size, modified, created }: PageEntry, hash: string): FileInput {
  return { source: spaceSource, path, hash, size, modified, created, content: { format: "name" } };
}
