/** The reading that a change is based on. */

import type { PagePath } from "../core/page_name.ts";
import type { ContentHash, Expectation, PageContent } from "../core/page_store.ts";
import type { ChangeContext } from "./change_context.ts";
import type { EntryRules } from "./entries.ts";
import { content, readSettled } from "./settled_read.ts";

export interface CurrentFile {
  readonly content: PageContent | null;
  /** What the server said the hash was, when it was read. */
  readonly claimed: ContentHash | null;
}

/** One request when the page is the expected one: content of a known hash cannot be torn. */
export async function readCurrent(
  context: ChangeContext,
  path: PagePath,
  call: { readonly rules: EntryRules; readonly expect: Expectation; readonly signal?: AbortSignal },
): Promise<CurrentFile> {
  const { rules, expect, signal } = call;
  if (expect.kind === "hash") {
    const file = await context.wire.get(path, rules, signal);
    if (file?.hash === expect.hash) return { content: content(file), claimed: file.claimed };
  }
  const settled = await readSettled(context, path, { rules, ...(signal === undefined ? {} : { signal }) });
  return { content: settled, claimed: null };
}
