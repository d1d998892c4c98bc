/**
 * Every table of the state file, in the order in which they came to be. The number of entries is the schema version.
 *
 * An entry that was released is never changed: a new one is added at the end. Meaning of every column: docs/storage.
 */

import { ownerTables, passkeyTable } from "./owner_tables.ts";
import { signInTables } from "./sign_in_tables.ts";

export const migrations: readonly string[] = [
  // 1: leases on pages (path_lock.ts); history of changes and the versions handed out (notes/).
  `
  CREATE TABLE leases (
    key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    expires INTEGER NOT NULL,
    wanted_by TEXT,
    wanted_until INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE texts (
    hash TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    packing TEXT NOT NULL,
    packed BLOB NOT NULL
  ) STRICT;

  CREATE TABLE sizes (name TEXT PRIMARY KEY, bytes INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO sizes VALUES ('texts', 0);
  CREATE TRIGGER texts_added AFTER INSERT ON texts BEGIN
    UPDATE sizes SET bytes = bytes + length(new.packed) WHERE name = 'texts';
  END;
  CREATE TRIGGER texts_gone AFTER DELETE ON texts BEGIN
    UPDATE sizes SET bytes = bytes - length(old.packed) WHERE name = 'texts';
  END;

  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    time INTEGER NOT NULL,
    path TEXT NOT NULL,
    action TEXT NOT NULL,
    outcome TEXT NOT NULL,
    before_hash TEXT,
    after_hash TEXT,
    guarantee TEXT,
    trash_path TEXT,
    principal TEXT NOT NULL,
    client TEXT,
    tool TEXT NOT NULL,
    request TEXT NOT NULL
  ) STRICT;
  CREATE INDEX changes_by_path ON changes (path, seq);
  CREATE INDEX changes_by_principal ON changes (principal, time);
  CREATE INDEX changes_by_before ON changes (before_hash) WHERE before_hash IS NOT NULL;
  CREATE INDEX changes_by_after ON changes (after_hash) WHERE after_hash IS NOT NULL;
  CREATE INDEX changes_unsettled ON changes (seq) WHERE outcome = 'intended';

  CREATE TABLE versions (
    path TEXT NOT NULL,
    modified INTEGER NOT NULL,
    principal TEXT NOT NULL,
    hash TEXT NOT NULL,
    seen INTEGER NOT NULL,
    PRIMARY KEY (path, modified, principal, hash)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX versions_by_seen ON versions (seen);
  `,
  // 2: moves of pages as journals of steps, changes that belong to one, and changes that take back others.
  `
  ALTER TABLE changes ADD COLUMN move TEXT;
  ALTER TABLE changes ADD COLUMN undoes TEXT;
  CREATE INDEX changes_by_move ON changes (move) WHERE move IS NOT NULL;
  CREATE INDEX changes_by_undone ON changes (undoes) WHERE undoes IS NOT NULL;

  CREATE TABLE moves (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    time INTEGER NOT NULL,
    from_path TEXT NOT NULL,
    to_path TEXT NOT NULL,
    state TEXT NOT NULL,
    mended TEXT,
    undoes TEXT,
    runner TEXT NOT NULL,
    principal TEXT NOT NULL,
    client TEXT,
    tool TEXT NOT NULL,
    request TEXT NOT NULL
  ) STRICT;
  CREATE INDEX moves_by_from ON moves (from_path);
  CREATE INDEX moves_by_to ON moves (to_path);
  CREATE INDEX moves_by_undone ON moves (undoes) WHERE undoes IS NOT NULL;
  CREATE INDEX moves_open ON moves (seq) WHERE state IN ('running', 'undoing');
  CREATE INDEX moves_untold ON moves (seq) WHERE mended = 'untold';

  CREATE TABLE move_steps (
    move TEXT NOT NULL,
    path TEXT NOT NULL,
    before_hash TEXT,
    after_hash TEXT,
    PRIMARY KEY (move, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX move_steps_by_before ON move_steps (before_hash) WHERE before_hash IS NOT NULL;
  CREATE INDEX move_steps_by_after ON move_steps (after_hash) WHERE after_hash IS NOT NULL;
  `,
  // 3: signing in (oauth/).
  signInTables,
  // 4: the owner's page (oauth/, access/).
  ownerTables,
  // 5: a caller's latest change that can be taken back, found without looking at all of the caller's others.
  `
  CREATE INDEX changes_undoable ON changes (principal, seq)
    WHERE outcome = 'applied' AND undoes IS NULL AND action <> 'purge';
  `,
  // 6: what is written, and taken away again, to find out whether there is room for changes once more.
  `
  CREATE TABLE write_tries (filling BLOB NOT NULL) STRICT;
  `,
  // 7: passkeys of the owner (oauth/).
  passkeyTable,
  // 8: SilverBullet accounts of clients (silverbullet/).
  `
  CREATE TABLE client_accounts (
    client TEXT PRIMARY KEY,
    username TEXT,
    sealed TEXT NOT NULL,
    expires INTEGER NOT NULL,
    made INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
