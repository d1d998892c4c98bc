/** Keeps `docs/storage.md` complete: every table and every column of both files is explained there, and no other. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { indexSchema } from "../../src/index/store/schema.ts";
import { migrations } from "../../src/state/migrations.ts";
import { cites } from "../requirements.ts";
import { readProjectFile } from "./tree.ts";

/** `table.column` of a schema. */
function columnsOf(sql: readonly string[]): string[] {
  const db = new DatabaseSync(":memory:");
  try {
    for (const statement of sql) db.exec(statement);
    const rows = db.prepare(`
      SELECT tables.name || '.' || columns.name AS name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
      WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' AND tables.name NOT GLOB 'words_*'`)
      .all();
    return rows.map((row) => String(row["name"])).sort();
  } finally {
    db.close();
  }
}

/** `table.column` of a chapter: a `### table` heading, then rows that begin with a name in backticks. */
function columnsOn(page: string, chapter: string): string[] {
  const text = page.split(/^## /m).find((each) => each.startsWith(`${chapter}\n`)) ?? "";
  return text.split(/^### /m).slice(1).flatMap((section) => {
    const table = /^\w+/.exec(section)?.[0];
    return [...section.matchAll(/^\| `(\w+)` \|/gm)].map((match) => `${table}.${match[1]}`);
  }).sort();
}

Deno.test("docs/storage.md explains every column of the state file and of the index, and no other", () => {
  cites("repo.storage");
  const page = readProjectFile("docs/storage.md") ?? "";
  assert.deepEqual(columnsOn(page, "Tables"), columnsOf(migrations));
  assert.deepEqual(columnsOn(page, "Tables of the index"), columnsOf([indexSchema]));
});

Deno.test("columnsOf() and columnsOn() see what is there", () => {
  assert.deepEqual(columnsOf(["CREATE TABLE a (b, c)", "ALTER TABLE a ADD COLUMN d"]), ["a.b", "a.c", "a.d"]);
  const page = "# X\n\n## One\n\n### a\n\n| `b` | x |\n| `c` | y |\n\n## Other\n\n### e\n\n| `d` | z |\n";
  assert.deepEqual([columnsOn(page, "One"), columnsOn(page, "Other")], [["a.b", "a.c"], ["e.d"]]);
});
