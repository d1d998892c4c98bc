/** What the readers of the formats share: where text goes, what is counted, how much is left. */

import type { Meter } from "./meter.ts";
import type { Notices } from "./notices.ts";
import type { DocumentLimits } from "./outcome.ts";
import type { PageRanges } from "./selection.ts";
import type { TextWriter } from "./text_writer.ts";

export interface Reading {
  readonly writer: TextWriter;
  readonly notices: Notices;
  readonly meter: Meter;
  readonly limits: DocumentLimits;
  readonly pages: PageRanges | null;
  readonly sheet: string | null;
  /** Told as soon as it is known: it counts even where the reading is cut afterwards. */
  readonly progress: { total: number; nextPage: number | null };
}
