/**
 * silverbullet-mcp-server's way to throw everybody out was to change `JWT_SIGNING_KEY`. Whoever still does that gets
 * what it did: a changed value ends every grant, once.
 */

import type { Logger } from "../core/log.ts";
import { textColumn } from "../state/rows.ts";
import type { State } from "../state/state.ts";
import type { Grants } from "./grants.ts";

export interface SigningKeyOptions {
  readonly state: State;
  readonly grants: Grants;
  readonly logger: Logger;
}

/** `mark`: a hash of the key; `null` where none is set, which changes nothing. */
export function endGrantsOfOldKey(mark: string | null, { state, grants, logger }: SigningKeyOptions): void {
  if (mark === null) return;
  const row = state.db.prepare("SELECT value FROM sign_in_marks WHERE name = 'signing_key'").get();
  const before = row === undefined ? null : textColumn(row, "value");
  if (before === mark) return;
  state.db.prepare(`
    INSERT INTO sign_in_marks (name, value) VALUES ('signing_key', ?)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`).run(mark);
  if (before === null) return;
  const ended = grants.endAll("key_changed");
  const text = "JWT_SIGNING_KEY has changed, so every client that had signed in must sign in again";
  logger.log("warn", "grants_ended", { ended, text });
}
