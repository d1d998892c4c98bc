/**
 * What a page that comes or goes does to links by name (SilverBullet 2.11 and later): a link `[[Config]]` may then mean
 * another file than it did.
 *
 * Told from the names alone, without reading any page: a whole path in a link always means its own file.
 */

import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import { linkBase } from "../../text/links/resolve_link.ts";
import { linkGeneration } from "../generation.ts";
import type { NotesParts } from "../parts.ts";
import { inTrash } from "../places.ts";
import type { Caller } from "../requests.ts";
import { may } from "../rights.ts";
import { spaceFiles } from "../feed/space_files.ts";

export interface NameChange {
  readonly path: PagePath;
  readonly how: "comes" | "goes";
  /** The other end of a move. */
  readonly but?: PagePath;
}

const mostNames = 3;

/** Never fails: without it an answer is only less helpful. Names no file that the caller may not read. */
export async function linkWarnings(
  parts: NotesParts,
  caller: Caller,
  { path, how, but }: NameChange,
): Promise<readonly string[]> {
  try {
    if (linkGeneration(await parts.facts()).rules === "exact") return [];
    const files = spaceFiles(await parts.readerFor(caller).list(caller.signal));
    const rivals = files.withBase(linkBase(path)).filter((other): other is PagePath =>
      other !== path && other !== but && !inTrash(other) && may(caller, "read", other as PagePath)
    );
    if (rivals.length === 0) return [];
    const link = `[[${pageNameOf(path.slice(path.lastIndexOf("/") + 1) as PagePath)}]]`;
    const shown = rivals.slice(0, mostNames).map((other) => JSON.stringify(pageNameOf(other)));
    const names = rivals.length > mostNames ? `${shown.join(", ")} and others` : shown.join(", ");
    return [
      how === "comes"
        ? `Links written as ${link} that meant ${names} may mean this page now; links with the whole path are safe`
        : `Links written as ${link} that meant this page may mean ${names} now`,
    ];
  } catch {
    return [];
  }
}
