/**
 * Ranked lists that callers are reading through, so that the next part of an answer follows the one before although
 * pages change in the meantime: no hit comes twice. Few and short: what is gone is ranked anew.
 */

import { readCursor, writeCursor } from "../cursor.ts";
import type { Visible } from "../input.ts";
import type { RankedFile, Ranking } from "./rank.ts";

export interface Reading {
  /** What is asked, without the cursor. */
  readonly question: unknown;
  readonly cursor: string | undefined;
  /** A list is gone on with for the same caller only. */
  readonly visible: Visible;
  /** Ranks all that matches, or at least its beginning. */
  readonly ranking: (isWhole: boolean) => Ranking;
}

/** A list from some place on. */
export interface OpenList {
  readonly id: number;
  readonly files: readonly RankedFile[];
  /** How many of the list come before `files`. */
  readonly offset: number;
  readonly total: number;
}

interface KeptList extends Ranking {
  readonly question: string;
  readonly visible: Visible;
}

const maxLists = 16;
const maxLength = 2000;

export class ResultLists {
  readonly #lists = new Map<number, KeptList>();
  #next = 1;

  /** The list from its beginning, or from where the cursor says. */
  open(reading: Reading): OpenList {
    const { question, cursor, visible, ranking } = reading;
    if (cursor === undefined) return this.#keep(reading, ranking(false), 0);
    const [id, offset, last] = readCursor(question, cursor);
    if (typeof id !== "number" || typeof offset !== "number") throw new TypeError("A cursor of another make");
    const kept = this.#lists.get(id);
    const isSame = kept?.visible === visible && kept.question === JSON.stringify(question);
    if (kept !== undefined && isSame && offset < kept.files.length) {
      return { id, files: kept.files.slice(offset), offset, total: kept.total };
    }
    const whole = ranking(true);
    const place = whole.files.findIndex((entry) => keyOf(entry) === last);
    return this.#keep(reading, whole, place < 0 ? offset : place + 1);
  }

  /** The cursor for what follows the first `count` of `list.files`, or `null` where nothing does. */
  cursorAfter({ question }: Reading, list: OpenList, count: number): string | null {
    const last = list.files[count - 1];
    const offset = list.offset + count;
    if (last === undefined || offset >= list.total) return null;
    return writeCursor(question, [list.id, offset, keyOf(last)]);
  }

  #keep({ question, visible }: Reading, { files, total }: Ranking, offset: number): OpenList {
    const id = this.#next++;
    const kept = files.slice(0, Math.max(maxLength, offset + maxLength));
    this.#lists.set(id, { question: JSON.stringify(question), visible, files: kept, total });
    const oldest = this.#lists.keys().next().value;
    if (this.#lists.size > maxLists && oldest !== undefined) this.#lists.delete(oldest);
    return { id, files: files.slice(offset), offset, total };
  }
}

function keyOf({ file }: RankedFile): string {
  return `${file.source}/${file.path}`;
}
