/** Keeps `docs/storage.md` complete: every table and every column of the state file is explained there, and no other. */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
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
      WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%'`).all();
    return rows.map((row) => String(row["name"])).sort();
  } finally {
    db.close();
  }
}

/** `table.column` of a page: a `### table` heading, then rows that begin with a name in backticks. */
function columnsOn(page: string): string[] {
  return page.split(/^### /m).slice(1).flatMap((section) => {
    const table = /^\w+/.exec(section)?.[0];
    const body = section.split(/^## /m)[0] ?? "";
    return [...body.matchAll(/^\| `(\w+)` \|/gm)].map((match) => `${table}.${match[1]}`);
  }).sort();
}

Deno.test("docs/storage.md explains every column of the state file, and no other", () => {
  cites("repo.storage");
  assert.deepEqual(columnsOn(readProjectFile("docs/storage.md") ?? ""), columnsOf(migrations));
});

Deno.test("columnsOf() and columnsOn() see what is there", () => {
  assert.deepEqual(columnsOf(["CREATE TABLE a (b, c)", "ALTER TABLE a ADD COLUMN d"]), ["a.b", "a.c", "a.d"]);
  assert.deepEqual(columnsOn("### a\n\n| `b` | x |\n| `c` | y |\n\n## Other\n\n| `d` | z |\n"), [
    "a.b",
    "a.c",
  ]);
});
