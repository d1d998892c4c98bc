/** What `server_status` says of the notes: how changes are made safe here, and within which limits. */

import { AppError } from "../core/errors.ts";
import type { StoreFacts } from "../core/page_store.ts";
import type { NotesParts } from "./parts.ts";
import type { NotesFacts } from "./requests.ts";

/** A SilverBullet that does not answer is one of the facts. */
export async function notesFacts(
  { history, settings }: NotesParts,
  ask: () => Promise<StoreFacts>,
): Promise<NotesFacts> {
  const server = await serverFacts(ask);
  const trash = settings.trash === "history" && history === null ? "space" : settings.trash;
  return {
    ...server,
    read_only: settings.readOnly || server.read_only,
    history: history === null ? "off" : "on",
    trash,
    blind_writes: settings.blindWrites,
    max_page_bytes: settings.maxPageBytes,
    unsettled_changes: history?.unsettled().length ?? 0,
    history_bytes: history?.texts.bytes() ?? 0,
  };
}

async function serverFacts(
  ask: () => Promise<StoreFacts>,
): Promise<Pick<NotesFacts, "dialect" | "server_version" | "read_only" | "unavailable">> {
  try {
    const { dialect, version, readOnly } = await ask();
    return { dialect, server_version: version, read_only: readOnly };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { dialect: "unknown", server_version: null, read_only: false, unavailable: error.message };
  }
}
