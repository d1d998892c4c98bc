/** Which files of the index a caller may know of: one function for each set of rights, as the index wants it. */

import type { PagePath } from "../../core/page_name.ts";
import type { PageEntry } from "../../core/page_store.ts";
import type { Principal } from "../../core/principal.ts";
import type { Rights } from "../../core/rights.ts";
import type { Visible } from "../../index/input.ts";
import { spaceSource } from "../../index/input.ts";
import type { NotesParts } from "../parts.ts";
import { isLibrary } from "../places.ts";
import type { Caller } from "../requests.ts";
import { may } from "../rights.ts";

const byRights = new WeakMap<Rights, Visible>();
const byList = new WeakMap<readonly PageEntry[], WeakMap<Rights, Visible>>();

/**
 * Everything that the caller may read, without what came with SilverBullet. A caller with credentials of its own is shown
 * what SilverBullet lists for those, so that what they no longer open is not found either.
 */
export async function visibleTo(parts: NotesParts, caller: Caller): Promise<Visible> {
  const reader = parts.readerFor(caller);
  if (parts.index?.reads(reader) !== false) return readableBy(caller.principal);
  const entries = await reader.list(caller.signal);
  const known = byList.get(entries) ?? new WeakMap<Rights, Visible>();
  byList.set(entries, known);
  const { rights } = caller.principal;
  let visible = known.get(rights);
  if (visible === undefined) {
    const isReadable = readableBy(caller.principal);
    const paths = new Set<string>(entries.map(({ path }) => path));
    visible = (path, source) => isReadable(path, source) && (source !== spaceSource || paths.has(path));
    known.set(rights, visible);
  }
  return visible;
}

/** What the rights alone say. */
export function readableBy(principal: Principal): Visible {
  const { rights } = principal;
  let visible = byRights.get(rights);
  if (visible === undefined) {
    visible = (path, source) =>
      source === spaceSource
        // Whatever the index was told of the space had a valid path.
        ? !isLibrary(path) && may({ principal }, "read", path as PagePath)
        : rights.allowsRoot(source);
    byRights.set(rights, visible);
  }
  return visible;
}

/** What came with SilverBullet: nothing to find, but something that a link may mean. */
export const linkable: Visible = (path, source) => source === spaceSource && isLibrary(path);
