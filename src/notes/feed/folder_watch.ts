/**
 * Hints from the file system that something in the space changed, for servers that tell nothing themselves. A hint is
 * never believed: what changed is read over HTTP, and many hints at once become one look at the list.
 */

import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/log.ts";
import { isPage, type PagePath, parseListedPath } from "../../core/page_name.ts";
import type { SpaceFolder } from "./space_folder.ts";

export interface FolderWatchOptions {
  readonly folder: SpaceFolder;
  readonly clock: Clock;
  readonly log: Logger;
  /** False while hints are of no use: the folder is another space, or the server tells itself. */
  readonly isWanted: () => boolean;
  readonly changed: (path: PagePath) => void;
  /** Something may have changed. */
  readonly resync: () => void;
}

/** A file is written in several steps: what is told within this time is one change. */
const gatherMs = 250;
const fewPaths = 40;

export class FolderWatch {
  readonly #options: FolderWatchOptions;
  readonly #stop = new AbortController();
  readonly #paths = new Set<PagePath>();
  #isUnsure = false;
  #gathering: Promise<void> | null = null;
  #end: (() => void) | null = null;

  constructor(options: FolderWatchOptions) {
    this.#options = options;
  }

  /** Once is enough. */
  start(): void {
    const { folder, log } = this.#options;
    if (this.#end !== null || this.#stop.signal.aborted) return;
    this.#end = folder.watch({
      told: (paths) => this.#told(paths),
      ended: () =>
        log.log("warn", "space_folder_not_watched", { mend: "changes are found by asking SilverBullet" }),
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#end?.();
    await this.#gathering;
  }

  #told(paths: readonly string[] | null): void {
    if (this.#stop.signal.aborted || !this.#options.isWanted()) return;
    if (paths === null) this.#isUnsure = true;
    for (const name of paths ?? []) this.#add(name);
    if (this.#paths.size === 0 && !this.#isUnsure) return;
    this.#gathering ??= this.#gather();
  }

  #add(name: string): void {
    // SilverBullet lists nothing whose name begins with a dot, and what lies in there.
    if (name.split("/").some((part) => part.startsWith("."))) return;
    const path = parseListedPath(name);
    if (path !== null && isPage(path) && this.#paths.size <= fewPaths) this.#paths.add(path);
    // A folder, an attachment, or more than are asked for one by one.
    else this.#isUnsure = true;
  }

  async #gather(): Promise<void> {
    const { clock, changed, resync } = this.#options;
    await clock.sleep(gatherMs, this.#stop.signal).catch(() => {});
    this.#gathering = null;
    const paths = [...this.#paths];
    const isUnsure = this.#isUnsure;
    this.#paths.clear();
    this.#isUnsure = false;
    if (this.#stop.signal.aborted) return;
    if (isUnsure) resync();
    else for (const path of paths) changed(path);
  }
}
