/** Makes this program forget a page for good: history, remembered versions, cache. One row with the hash stays. */

import type { PageContent } from "../core/page_store.ts";
import type { NotesParts } from "./parts.ts";
import { trashedFrom } from "./places.ts";
import type { Caller } from "./requests.ts";

const allChanges = 100_000;

/** To be called once the page is gone. Answers the id of the row that stays, or `null` without a history. */
export async function purge(parts: NotesParts, caller: Caller, content: PageContent): Promise<string | null> {
  const { history, versions } = parts;
  const reader = parts.readerFor(caller);
  const { path } = content.entry;
  const names = [path];
  const original = trashedFrom(path);
  // The history of a page that is there again under its old name is that page's own.
  if (original !== null && await reader.readNow(original) === null) names.push(original);
  reader.cache.forgetContent(content.hash);
  for (const name of names) {
    for (const { before, after } of history?.of(name, allChanges) ?? []) {
      if (before !== null) reader.cache.forgetContent(before);
      if (after !== null) reader.cache.forgetContent(after);
    }
    versions.forget(name);
  }
  return history?.purge(names, {
    path,
    before: { hash: content.hash, bytes: null },
    principal: caller.principal.id,
    client: caller.client,
    tool: caller.tool,
    requestId: caller.requestId,
  }) ?? null;
}
