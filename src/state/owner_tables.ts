/** The tables of the owner's page: who is signed in to it, and what was refused; and passkeys. Part of migrations.ts. */

export const ownerTables = `
  CREATE TABLE owner_sessions (
    seal TEXT PRIMARY KEY,
    made INTEGER NOT NULL,
    expires INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE refusals (
    hour INTEGER NOT NULL,
    what TEXT NOT NULL,
    who TEXT NOT NULL,
    code TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    count INTEGER NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (hour, what, who, code)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX refusals_by_last ON refusals (last);
`;

export const passkeyTable = `
  CREATE TABLE owner_passkeys (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    algorithm INTEGER NOT NULL,
    key TEXT NOT NULL,
    mark TEXT NOT NULL,
    made INTEGER NOT NULL,
    used INTEGER,
    count INTEGER NOT NULL,
    asked INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
