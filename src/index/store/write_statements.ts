/** The statements that change the index, prepared once. Each is short; what belongs together is for the caller. */

import type { DatabaseSync } from "node:sqlite";
import { numberColumn } from "../../state/rows.ts";
import type { HeadingRow, LinkRow, TagRow, TaskRow } from "../analysis/analysis.ts";
import { fileOf, type IndexedFile } from "./directory.ts";
import type { PropertyRow } from "../analysis/properties.ts";

export interface WordsRow {
  readonly id: number;
  readonly name: string;
  readonly headings: string;
  readonly tags: string;
  readonly body: string;
}

export interface WriteStatements {
  file(source: string, path: string): IndexedFile | null;
  /** A number for a content whose writing begins now; loose until a file points to it. */
  newDoc(now: number): number;
  /** A higher number in the order of changes, not the very next: how many lie between two tells nothing. */
  nextSeq(): number;
  words(row: WordsRow): void;
  text(id: number, line: number, bytes: Uint8Array): void;
  heading(doc: number, row: HeadingRow): void;
  tag(doc: number, row: TagRow): void;
  property(doc: number, place: number, row: PropertyRow): void;
  task(doc: number, place: number, row: TaskRow): void;
  link(doc: number, place: number, row: LinkRow): void;
  point(file: IndexedFile): void;
  note(file: IndexedFile): void;
  forget(source: string, path: string): void;
  gone(seq: number, source: string, path: string): void;
  loosen(doc: number): void;
  /** False where the document was not loose: someone cleared it away. */
  tighten(doc: number): boolean;
  /** A document that nobody is writing: never pointed to again, or begun before `before` and not finished. */
  nextLoose(before: number): number | null;
  /** Removes a part's words and text; false where there was none. */
  dropPart(id: number): boolean;
  /** Removes up to `limit` rows of a content; false where there are none. */
  dropRows(doc: number, limit: number): boolean;
}

/** Deleted files are remembered this many changes long. */
const keptGone = 100_000;
const placed = ["properties", "tasks", "links"];

export function prepareWrites(db: DatabaseSync): WriteStatements {
  return {
    ...prepareRows(db),
    ...preparePointers(db),
    ...prepareGone(db),
    ...prepareLoose(db),
    ...prepareDrops(db),
  };
}

/** What is known of one content. */
function prepareRows(
  db: DatabaseSync,
): Pick<WriteStatements, "words" | "text" | "heading" | "tag" | "property" | "task" | "link"> {
  const words = db.prepare("INSERT INTO words (rowid, name, headings, tags, body) VALUES (?, ?, ?, ?, ?)");
  const text = db.prepare("INSERT INTO texts VALUES (?, ?, ?)");
  const heading = db.prepare("INSERT OR IGNORE INTO headings VALUES (?, ?, ?, ?)");
  const tag = db.prepare("INSERT OR IGNORE INTO tags VALUES (?, ?, ?, ?)");
  const property = db.prepare("INSERT INTO properties VALUES (?, ?, ?, ?)");
  const task = db.prepare("INSERT INTO tasks VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  const link = db.prepare("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?)");
  return {
    words: (row) => void words.run(row.id, row.name, row.headings, row.tags, row.body),
    text: (id, line, bytes) => void text.run(id, line, bytes),
    heading: (doc, row) => void heading.run(doc, row.line, row.level, row.title),
    tag: (doc, row) => void tag.run(doc, row.tag, row.scope, row.uses),
    property: (doc, place, row) => void property.run(doc, place, row.key, row.value),
    task: (doc, place, row) =>
      void task.run(
        doc,
        place,
        row.line,
        row.state,
        row.done ? 1 : 0,
        row.text,
        row.ref,
        JSON.stringify(row.tags),
      ),
    link: (doc, place, row) =>
      void link.run(doc, place, row.line, row.kind, row.target, row.base, row.suffix),
  };
}

/** Which content a file has now. */
function preparePointers(db: DatabaseSync): Pick<WriteStatements, "file" | "point" | "note" | "forget"> {
  const file = db.prepare("SELECT * FROM files WHERE source = ? AND path = ?");
  const point = db.prepare("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const back = db.prepare("DELETE FROM gone WHERE source = ? AND path = ?");
  const note = db.prepare(
    "UPDATE files SET size = ?, modified = ?, created = ? WHERE source = ? AND path = ?",
  );
  const forget = db.prepare("DELETE FROM files WHERE source = ? AND path = ?");
  return {
    file(source, path) {
      const row = file.get(source, path);
      return row === undefined ? null : fileOf(row);
    },
    point(row) {
      point.run(
        row.source,
        row.path,
        row.doc,
        row.hash,
        row.size,
        row.modified,
        row.created,
        row.format,
        row.lines,
        row.day,
        row.firstSeq,
        row.lastSeq,
      );
      back.run(row.source, row.path);
    },
    note: (row) => void note.run(row.size, row.modified, row.created, row.source, row.path),
    forget: (source, path) => void forget.run(source, path),
  };
}

/** The order of changes, and what is no longer there. */
function prepareGone(db: DatabaseSync): Pick<WriteStatements, "nextSeq" | "gone"> {
  const nextSeq = db.prepare(`
    UPDATE meta SET value = CAST(value + 1 + abs(random() % 61) AS TEXT) WHERE key = 'seq' RETURNING CAST(value AS INTEGER) AS seq`);
  const goneBefore = db.prepare("DELETE FROM gone WHERE source = ? AND path = ? OR seq < ?");
  const gone = db.prepare("INSERT INTO gone VALUES (?, ?, ?)");
  return {
    nextSeq: () => numberColumn(nextSeq.get() ?? {}, "seq"),
    gone(seq, source, path) {
      goneBefore.run(source, path, seq - keptGone);
      gone.run(seq, source, path);
    },
  };
}

/** Contents to which no file points: those being written, and those to be cleared away. */
function prepareLoose(
  db: DatabaseSync,
): Pick<WriteStatements, "newDoc" | "loosen" | "tighten" | "nextLoose"> {
  const newDoc = db.prepare("INSERT INTO loose (begun) VALUES (?)");
  const loosen = db.prepare("INSERT OR REPLACE INTO loose VALUES (?, 0)");
  const tighten = db.prepare("DELETE FROM loose WHERE doc = ?");
  const nextLoose = db.prepare("SELECT min(doc) AS doc FROM loose WHERE begun < ?");
  return {
    newDoc: (now) => Number(newDoc.run(now).lastInsertRowid),
    loosen: (doc) => void loosen.run(doc),
    tighten: (doc) => Number(tighten.run(doc).changes) > 0,
    nextLoose(before) {
      const doc = nextLoose.get(before)?.["doc"];
      return typeof doc === "number" ? doc : null;
    },
  };
}

/** Clearing away, a little at a time. */
function prepareDrops(db: DatabaseSync): Pick<WriteStatements, "dropPart" | "dropRows"> {
  const dropText = db.prepare("DELETE FROM texts WHERE id = ?");
  const hasWords = db.prepare("SELECT 1 FROM words WHERE rowid = ?");
  const dropWords = db.prepare("DELETE FROM words WHERE rowid = ?");
  const drops = [
    ...placed.map((table) =>
      db.prepare(
        `DELETE FROM ${table} WHERE doc = ?1 AND place IN (SELECT place FROM ${table} WHERE doc = ?1 LIMIT ?2)`,
      )
    ),
    db.prepare(
      "DELETE FROM headings WHERE doc = ?1 AND line IN (SELECT line FROM headings WHERE doc = ?1 LIMIT ?2)",
    ),
    db.prepare(
      "DELETE FROM tags WHERE doc = ?1 AND (tag, scope) IN (SELECT tag, scope FROM tags WHERE doc = ?1 LIMIT ?2)",
    ),
  ];
  return {
    dropPart(id) {
      dropText.run(id);
      if (hasWords.get(id) === undefined) return false;
      dropWords.run(id);
      return true;
    },
    dropRows: (doc, limit) => drops.some((drop) => Number(drop.run(doc, limit).changes) > 0),
  };
}
