/** The space's own folder beside its HTTP API, for one index while it is open: reads from it, and follows its hints. */

import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/log.ts";
import { FolderSource } from "./folder_source.ts";
import { FolderWatch } from "./folder_watch.ts";
import type { IndexFeed, SpaceSource } from "./index_feed.ts";
import type { SpaceFolder } from "./space_folder.ts";

export interface FolderFeedOptions {
  readonly folder: SpaceFolder;
  /** Over HTTP. */
  readonly source: SpaceSource;
  /** True while the server tells of changes itself. */
  readonly isLive: () => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}

export class FolderFeed {
  readonly source: FolderSource;
  readonly #watch: FolderWatch;
  #feed: IndexFeed | null = null;

  constructor({ folder, source, isLive, clock, log }: FolderFeedOptions) {
    const changed: IndexFeed["changed"] = (path) => this.#feed?.changed(path);
    this.source = new FolderSource({
      ...{ folder, source, clock, log },
      doubted: (paths) => {
        for (const path of paths) changed(path);
      },
      // To watch many folders takes a moment in which nothing else happens: not where nobody needs it.
      looked: (state) => {
        if (state === "same" && !isLive()) this.#watch.start();
      },
    });
    this.#watch = new FolderWatch({
      ...{ folder, clock, log, changed },
      isWanted: () => this.source.state === "same" && !isLive(),
      resync: () => this.#feed?.resync(),
    });
  }

  follow(feed: IndexFeed): void {
    this.#feed = feed;
  }

  async close(): Promise<void> {
    await this.#watch.close();
  }
}
