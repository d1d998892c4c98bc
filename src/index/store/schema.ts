/**
 * The tables of the index. Nothing in them is the only copy of anything.
 *
 * `docs` are contents of files: each content that is indexed gets a number of its own, its rows are written bit by
 * bit, and `files` points to it when it is whole. So a reader sees the old content or the new one, never half of one,
 * whenever the program ends. A number that `files` does not point to is in `loose` until its rows are cleared away:
 * with the moment when its writing began, so that another process leaves it alone for a while, or with 0.
 *
 * Page text is kept as it is, in parts of some 16 KB. Measured at 10,000 pages (70 MB): packing halves the file and
 * makes a scan of all text four times slower; reading pages again over HTTP would cost a request for each passage.
 */

import type { TagRules } from "../../text/markdown/inline.ts";

/** Rises when a table changes. */
const schemaVersion = 1;
/** Rises when the same page would be taken apart in another way: the index is then made anew. */
const analysisVersion = 4;

/** A server of another generation reads the same page in another way, and its index is made anew too. */
export function indexVersion(rules: TagRules): number {
  return (schemaVersion * 1000 + analysisVersion) * 10 + (rules === "2.11" ? 1 : 0);
}

/** A row of `words` and `texts` belongs to document `rowid / partsPerDoc`. */
export const partsPerDoc = 4096;

export const indexSchema = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('epoch', lower(hex(randomblob(6)))), ('seq', '0');

  CREATE TABLE files (
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    doc INTEGER NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    created INTEGER,
    format TEXT NOT NULL,
    lines INTEGER NOT NULL,
    day TEXT,
    first_seq INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    PRIMARY KEY (source, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX files_by_seq ON files (last_seq);

  CREATE TABLE gone (seq INTEGER PRIMARY KEY, source TEXT NOT NULL, path TEXT NOT NULL) STRICT;
  CREATE INDEX gone_by_path ON gone (source, path);

  CREATE TABLE loose (doc INTEGER PRIMARY KEY AUTOINCREMENT, begun INTEGER NOT NULL) STRICT;

  CREATE TABLE texts (id INTEGER PRIMARY KEY, line INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;

  CREATE TABLE headings (
    doc INTEGER NOT NULL,
    line INTEGER NOT NULL,
    level INTEGER NOT NULL,
    title TEXT NOT NULL,
    PRIMARY KEY (doc, line)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE tags (
    doc INTEGER NOT NULL,
    tag TEXT NOT NULL,
    scope TEXT NOT NULL,
    uses INTEGER NOT NULL,
    PRIMARY KEY (doc, tag, scope)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX tags_by_tag ON tags (tag, doc);

  CREATE TABLE properties (
    doc INTEGER NOT NULL,
    place INTEGER NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (doc, place)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX properties_by_key ON properties (key, doc);

  CREATE TABLE tasks (
    doc INTEGER NOT NULL,
    place INTEGER NOT NULL,
    line INTEGER NOT NULL,
    state TEXT NOT NULL,
    done INTEGER NOT NULL,
    text TEXT NOT NULL,
    ref TEXT,
    tags TEXT NOT NULL,
    PRIMARY KEY (doc, place)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE links (
    doc INTEGER NOT NULL,
    place INTEGER NOT NULL,
    line INTEGER NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    base TEXT NOT NULL,
    suffix TEXT NOT NULL,
    PRIMARY KEY (doc, place)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX links_by_base ON links (base, target, kind);

  CREATE VIRTUAL TABLE words USING fts5(
    name, headings, tags, body,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
  INSERT INTO words (words, rank) VALUES ('automerge', 0), ('crisismerge', 1999), ('usermerge', 4);
  CREATE VIRTUAL TABLE terms USING fts5vocab(words, 'row');
`;
