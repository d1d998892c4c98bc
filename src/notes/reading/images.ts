/** Which files are shown as pictures, and up to what size. */

import { Buffer } from "node:buffer";
import type { PageEntry } from "../../core/page_store.ts";

/** Clients refuse or shrink bigger ones. */
export const maxImageBytes = 1_500_000;

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** The type of a picture that clients can show, by its name: servers disagree about types. */
export function imageType(entry: PageEntry): string | null {
  const extension = /\.([A-Za-z0-9]+)$/.exec(entry.path)?.[1]?.toLowerCase() ?? "";
  return types[extension] ?? null;
}

export function readImage(bytes: Uint8Array<ArrayBuffer>, mimeType: string) {
  return { data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64"), mimeType };
}
