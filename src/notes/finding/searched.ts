/** What an answer from the index says of itself: how much was searched, and why something may be missing. */

import { spaceSource, type Visible } from "../../index/input.ts";
import type { Searched } from "./find_requests.ts";
import type { OpenIndex } from "../feed/page_index.ts";

export interface Standing {
  readonly searched: Searched;
  readonly note?: string;
}

/** So many are read within a moment. */
const fewWaiting = 20;

/** `sources`: where the question looked; none of them is complete while the index is behind. */
export function standingFor(
  { index, feed }: OpenIndex,
  visible: Visible,
  { sources = [spaceSource] }: { readonly sources?: readonly string[] } = {},
): Standing {
  const { pages, complete } = index.searched(visible, sources);
  if (!sources.includes(spaceSource)) return { searched: { pages, complete } };
  const { waiting, failed, filled, isBehind, comparedAgo } = feed.standing();
  if (complete && !isBehind && waiting <= fewWaiting) return { searched: { pages, complete } };
  return { searched: { pages, complete: false }, note: reason() };

  function reason(): string {
    if (isBehind) return behind(comparedAgo);
    if (comparedAgo === null) {
      return "Not yet compared with SilverBullet since the start: ask again in a moment";
    }
    if (waiting > 0) {
      return `Being filled, newest pages first: ${Math.floor(filled * 100)} % so far. Ask again`;
    }
    if (failed > 0) return "Some pages could not be read yet and are missing; they are tried again";
    return "The index is full: the pages changed longest ago are missing";
  }
}

function behind(comparedAgo: number | null): string {
  if (comparedAgo === null) return "SilverBullet cannot be read now: this is what was known before";
  const minutes = Math.round(comparedAgo / 60_000);
  const since = minutes < 1 ? "less than a minute" : minutes === 1 ? "a minute" : `${minutes} minutes`;
  return `SilverBullet cannot be read now: changes of the last ${since} may be missing`;
}
