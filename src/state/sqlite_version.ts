/** Which SQLite this program holds. */

import { DatabaseSync } from "node:sqlite";

/** Such as `3.50.4`. Opens and closes an empty database in memory. */
export function sqliteVersion(): string {
  const db = new DatabaseSync(":memory:");
  try {
    return String(db.prepare("SELECT sqlite_version() AS version").get()?.["version"]);
  } finally {
    db.close();
  }
}
