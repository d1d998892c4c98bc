/** What the note tools share: from a tool call to the page operations and back. */

import type { Notes } from "../../notes/notes.ts";
import type { Caller } from "../../notes/requests.ts";
import type { ToolCall } from "../tool.ts";

/** On whose behalf the page operations work. */
export function callerOf(call: ToolCall, tool: string): Caller {
  const { principal, requestId, signal, audit } = call;
  return { principal, tool, client: call.caller.client, requestId, signal, audit };
}

/** The page operations; without them these tools are not listed at all. */
export function notesOf({ services }: ToolCall): Notes {
  if (services.notes === null) throw new TypeError("A note tool was called without notes");
  return services.notes;
}

/** An optional text: clients send an empty one for "not given". */
export function given(text: string | undefined): string | null {
  return text === undefined || text.trim() === "" ? null : text;
}

/** Other servers' names for the same arguments (product §4). */
export const pageSynonyms = { name: "page", path: "page" };
export const contentSynonyms = { body: "content", text: "content", new_content: "content" };
export const matchSynonyms = { expected_last_modified: "if_match" };
