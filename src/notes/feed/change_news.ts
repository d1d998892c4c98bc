/** What came, changed or went in the space, told to those who listen once the index knows of it. */

import type { Change } from "../../index/store/file_writer.ts";
import { spaceSource } from "../../index/input.ts";
import type { SearchIndex } from "../../index/search_index.ts";
import { seqOf } from "../finding/change_cursor.ts";

export interface News {
  readonly kind: "created" | "changed" | "deleted";
  readonly path: string;
}

export type NewsListener = (news: readonly News[]) => void;

export class ChangeNews {
  readonly #listeners = new Set<NewsListener>();
  /** The number of the last change that is no news any more. */
  #seq = 0;

  /** Answers how to stop. */
  listen(listener: NewsListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** What an index that has just been opened holds is no news. */
  begin(index: SearchIndex): void {
    this.#seq = seqOf(index.changes({ visible: () => false }).cursor);
  }

  /** Takes over what the index has committed. A file of which only the time is another is no news. */
  readonly tell = (changes: readonly Change[]): void => {
    const news: News[] = [];
    for (const change of changes) {
      if (change.kind === "removed") {
        if (change.source === spaceSource) news.push({ kind: "deleted", path: change.path });
        continue;
      }
      const { source, path, firstSeq, lastSeq } = change.file;
      if (source !== spaceSource || lastSeq <= this.#seq) continue;
      this.#seq = lastSeq;
      news.push({ kind: firstSeq === lastSeq ? "created" : "changed", path });
    }
    if (news.length === 0) return;
    for (const listener of this.#listeners) listener(news);
  };
}
