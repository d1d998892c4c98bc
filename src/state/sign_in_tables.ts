/** The tables of signing in: client documents, codes, grants, tokens, tries at the owner's secret. Part of migrations.ts. */

export const signInTables = `
  CREATE TABLE client_documents (
    url TEXT PRIMARY KEY,
    client TEXT NOT NULL,
    fetched INTEGER NOT NULL,
    fresh_until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE codes (
    hash TEXT PRIMARY KEY,
    grant_id TEXT NOT NULL,
    approval TEXT NOT NULL,
    challenge TEXT NOT NULL,
    made INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    redeemed INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX codes_by_expires ON codes (expires);

  CREATE TABLE grants (
    id TEXT PRIMARY KEY,
    client TEXT NOT NULL,
    approval TEXT NOT NULL,
    made INTEGER NOT NULL,
    used INTEGER,
    expires INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    ended INTEGER,
    ending TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX grants_by_client ON grants (client, made);

  CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,
    grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    write INTEGER NOT NULL,
    made INTEGER NOT NULL,
    expires INTEGER NOT NULL,
    rotated INTEGER,
    salt TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tokens_by_grant ON tokens (grant_id, kind, made);
  CREATE INDEX tokens_by_expires ON tokens (expires);

  CREATE TABLE owner_tries (
    source TEXT PRIMARY KEY,
    failures INTEGER NOT NULL,
    last INTEGER NOT NULL,
    until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX owner_tries_by_last ON owner_tries (last);

  CREATE TABLE owner_passes (
    hash TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    made INTEGER NOT NULL,
    expires INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE sign_in_marks (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
