/** The search index of a space in memory, with its feed, a clock that is moved by hand, and what was asked of the store. */

import { AppError, type UpstreamKind } from "../../src/core/errors.ts";
import { type Logger, silentLogger } from "../../src/core/log.ts";
import type { PagePath } from "../../src/core/page_name.ts";
import type { PageStore, StoreFacts } from "../../src/core/page_store.ts";
import { openPageIndex } from "../../src/notes/feed/open_page_index.ts";
import type { PageIndex } from "../../src/notes/feed/page_index.ts";
import type { SpaceFolder } from "../../src/notes/feed/space_folder.ts";
import { PageReader } from "../../src/notes/reading/page_reader.ts";
import { createMemoryStore, type MemoryStore } from "../../src/silverbullet/memory_store.ts";
import { everything } from "./index.ts";
import { StepClock, until } from "./step_clock.ts";

export interface TestSpace {
  readonly store: MemoryStore;
  readonly clock: StepClock;
  readonly reader: PageReader;
  readonly pages: PageIndex;
  /** Paths in the order in which they were read; `list` for each look. */
  readonly asked: string[];
  /** Most reads at the same time. */
  readonly most: { atOnce: number };
  /** Everything is answered with that failure for as long as it stands here. */
  fault: { kind: UpstreamKind; paths?: readonly string[] } | null;
  /** Runs before a read is answered. */
  beforeRead: ((path: string) => Promise<void> | void) | null;
  facts: StoreFacts;
  /** Names of the pages that hold those words. */
  find(query: string): Promise<string[]>;
  /** Resolves when nothing is left to read. */
  inStep(): Promise<void>;
  /** Has the list looked at, and resolves when what differs is in. */
  catchUp(): Promise<void>;
  isComplete(): boolean;
}

export interface TestSpaceOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly store?: MemoryStore;
  readonly dir?: string | null;
  readonly hiddenPaths?: readonly string[];
  readonly maxBytes?: number;
  readonly facts?: Partial<StoreFacts>;
  readonly folder?: SpaceFolder;
  /** Told of what is logged. */
  readonly log?: Logger;
}

const facts: StoreFacts = {
  dialect: "conditional",
  version: "2.12.0",
  readOnly: false,
  openWithoutToken: false,
  indexPage: "index",
  spaceName: null,
};

export async function withPageIndex(
  options: TestSpaceOptions,
  work: (space: TestSpace) => Promise<void>,
): Promise<void> {
  const clock = new StepClock();
  const store = options.store ?? createMemoryStore({ files: options.files ?? {}, clock });
  const asked: string[] = [];
  const most = { atOnce: 0 };
  const space = {
    store,
    clock,
    asked,
    most,
    fault: null as TestSpace["fault"],
    beforeRead: null as TestSpace["beforeRead"],
    facts: { ...facts, ...options.facts },
  };
  const watched = watching(store, space);
  const reader = new PageReader({ store: watched, clock, cacheBytes: 1_000_000 });
  const pages = openPageIndex({
    dir: options.dir ?? null,
    poll: { inUse: 5_000, idle: 60_000 },
    folder: options.folder ?? null,
    maxBytes: options.maxBytes ?? 2 ** 30,
    delay: 0,
  }, {
    reader,
    facts: () => Promise.resolve(space.facts),
    state: null,
    settings: { hiddenPaths: options.hiddenPaths ?? [] },
    clock,
    log: options.log ?? silentLogger,
  });
  pages.start();
  const test: TestSpace = Object.assign(space, {
    reader,
    pages,
    async find(query: string) {
      const { index } = await pages.forQuestion(new AbortController().signal);
      const { hits } = await index.search({ query, visible: everything });
      return hits.map(({ path }) => path.replace(/\.md$/, "")).sort();
    },
    inStep: () =>
      until(() => {
        const standing = pages.standing();
        return standing !== null && standing.comparedAgo !== null && standing.waiting === 0 &&
          standing.isBehind === false;
      }, { what: "The index never came into step" }),
    async catchUp() {
      const { feed } = await pages.forQuestion(new AbortController().signal);
      await feed.catchUp();
    },
    isComplete: () => pages.standing()?.complete.includes("") === true,
  });
  try {
    await work(test);
  } finally {
    await pages.close();
  }
}

function watching(
  store: PageStore,
  space: Pick<TestSpace, "asked" | "most" | "fault" | "beforeRead">,
): PageStore {
  let atOnce = 0;
  function refuseFaulty(path: string): void {
    const { fault } = space;
    if (fault === null || (fault.paths !== undefined && !fault.paths.includes(path))) return;
    throw new AppError({
      code: "upstream",
      upstream: fault.kind,
      message: "No",
      remedy: "None at all, in tests",
    });
  }
  return {
    ...store,
    async list(call) {
      space.asked.push("list");
      refuseFaulty("list");
      return await store.list(call);
    },
    async read(path: PagePath, call) {
      space.asked.push(path);
      space.most.atOnce = Math.max(space.most.atOnce, ++atOnce);
      try {
        const content = await store.read(path, call);
        await space.beforeRead?.(path);
        call?.signal?.throwIfAborted();
        refuseFaulty(path);
        await new Promise((resolve) => setTimeout(resolve, 0));
        return content;
      } finally {
        atOnce--;
      }
    },
  };
}
