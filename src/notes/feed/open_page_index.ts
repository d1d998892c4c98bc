/** Puts the search index of a space together: what it may keep, where it reads from, how much room it has. */

import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/log.ts";
import type { StoreFacts } from "../../core/page_store.ts";
import type { State } from "../../state/state.ts";
import type { PollTimes } from "./feed_times.ts";
import { PageIndex } from "./page_index.ts";
import type { PageReader } from "../reading/page_reader.ts";
import type { SpaceFolder } from "./space_folder.ts";
import { hidesFiles } from "../hidden_names.ts";
import type { NotesSettings } from "../parts.ts";

export interface IndexSetting {
  /** Absolute path of the state folder; `null` keeps the index in memory. */
  readonly dir: string | null;
  readonly poll: PollTimes;
  /** The space's own folder, where the operator named it. */
  readonly folder?: SpaceFolder | null;
  /** Most bytes of everything in the state folder. */
  readonly maxBytes: number;
  /** Milliseconds before the first work (250). */
  readonly delay?: number;
}

const presetDelay = 250;

export interface IndexSurroundings {
  readonly reader: PageReader;
  readonly facts: () => Promise<StoreFacts>;
  readonly state: State | null;
  readonly settings: Pick<NotesSettings, "hiddenPaths">;
  readonly clock: Clock;
  readonly log: Logger;
}

export function openPageIndex(setting: IndexSetting, around: IndexSurroundings): PageIndex {
  const { reader, state, facts, clock, log } = around;
  return new PageIndex({
    ...setting,
    delay: setting.delay ?? presetDelay,
    folder: setting.folder ?? null,
    reader,
    hides: hidesFiles(around.settings.hiddenPaths),
    otherBytes: () => state?.bytes() ?? 0,
    facts,
    clock,
    log,
  });
}
