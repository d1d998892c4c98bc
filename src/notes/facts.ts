/** What `server_status` says of the notes: how changes are made safe here, and within which limits. */

import type { StoreFacts } from "../core/page_store.ts";
import type { NotesParts } from "./parts.ts";
import type { NotesFacts } from "./requests.ts";

export async function notesFacts(
  { history, settings }: NotesParts,
  ask: () => Promise<StoreFacts>,
): Promise<NotesFacts> {
  const { dialect, version, readOnly } = await ask();
  const trash = settings.trash === "history" && history === null ? "space" : settings.trash;
  return {
    dialect,
    server_version: version,
    read_only: settings.readOnly || readOnly,
    history: history === null ? "off" : "on",
    trash,
    blind_writes: settings.blindWrites,
    max_page_bytes: settings.maxPageBytes,
    unsettled_changes: history?.unsettled().length ?? 0,
    history_bytes: history?.texts.bytes() ?? 0,
  };
}
