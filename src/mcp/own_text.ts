/** The operator's own text for assistants: as it stands in the settings, or what a page of the space says. */

import { type PagePath, parsePageName } from "../core/page_name.ts";
import type { PageStore } from "../core/page_store.ts";
import { decodeUtf8 } from "../text/utf8.ts";

/** Answers the text, or `null` where there is none to be had. Asked at every handshake. */
export type OwnText = (signal: AbortSignal) => Promise<string | null>;

/** The pages that `page:Name` may mean; nobody changes them through this program. Empty for a plain text. */
export function instructionPages(setting: string | null): readonly PagePath[] {
  if (setting === null || !setting.startsWith("page:")) return [];
  const { path, fallback } = parsePageName(setting.slice("page:".length));
  return fallback === null ? [path] : [path, fallback];
}

/** `setting`: a text or `page:Name`; `null` for none. */
export function ownText(setting: string | null, store: PageStore | null): OwnText | null {
  if (setting === null) return null;
  const pages = instructionPages(setting);
  if (pages.length === 0) return () => Promise.resolve(setting);
  return async (signal) => {
    for (const path of pages) {
      const page = await store?.read(path, { signal }) ?? null;
      if (page !== null) return decodeUtf8(page.bytes);
    }
    return null;
  };
}
