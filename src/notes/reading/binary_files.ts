/** Which attachments are never shown as text, even where their bytes happen to be readable as some. */

import type { PagePath } from "../../core/page_name.ts";

const binaryExtensions = new Set(
  ("pdf doc docx xls xlsx ppt pptx odt ods odp epub zip gz bz2 xz zst 7z rar tar jar " +
    "mp3 mp4 m4a m4v mov avi mkv webm ogg oga opus wav flac bmp tif tiff ico heic heif avif " +
    "ttf otf woff woff2 wasm exe dll so bin iso db sqlite sqlite3 dat key p12 pfx der").split(" "),
);

/** By its name: servers disagree about content types. */
export function isBinaryFile(path: PagePath): boolean {
  return binaryExtensions.has(/\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? "");
}
