/** What the program calls itself with, exact words that `help` lists for nobody. */

import type { Command } from "./command.ts";

/** Loads that command, or answers `null`. */
export async function loadInnerCommand(name: string): Promise<Command | null> {
  switch (name) {
    case "extract-document":
      return (await import("./extract_document.ts")).extractDocument;
    default:
      return null;
  }
}
