/** The readers of one space, one for each set of credentials. */

import type { Clock } from "../../core/clock.ts";
import type { PageStore } from "../../core/page_store.ts";
import type { Principal } from "../../core/principal.ts";
import { exactNames } from "./exact_names.ts";
import { type OwnChanges, PageReader } from "./page_reader.ts";
import { readOnlyStore } from "../read_only_store.ts";

export interface ReadersOptions {
  readonly store: PageStore;
  readonly storeFor?: (principal: Principal) => PageStore;
  readonly clock: Clock;
  readonly settings: { readonly readOnly: boolean };
  /** Most bytes of page text kept in memory (32 MiB). */
  readonly cacheBytes?: number;
}

const defaultCacheBytes = 32 * 1024 * 1024;

export class Readers {
  readonly main: PageReader;
  readonly #options: ReadersOptions;
  readonly #changes: OwnChanges;
  readonly #cacheBytes: number;
  readonly #others = new Map<PageStore, PageReader>();

  constructor(options: ReadersOptions, changes: OwnChanges) {
    this.#options = options;
    this.#changes = changes;
    this.#cacheBytes = options.cacheBytes ?? defaultCacheBytes;
    this.main = this.#open(options.store, this.#cacheBytes);
  }

  for(principal: Principal): PageReader {
    const store = this.#options.storeFor?.(principal) ?? this.#options.store;
    if (store === this.#options.store) return this.main;
    const known = this.#others.get(store);
    if (known !== undefined) return known;
    const reader = this.#open(store, this.#cacheBytes / 4);
    this.#others.set(store, reader);
    return reader;
  }

  all(): Iterable<PageReader> {
    return [this.main, ...this.#others.values()];
  }

  #open(store: PageStore, cacheBytes: number): PageReader {
    const guarded = this.#options.settings.readOnly ? readOnlyStore(store) : store;
    const { clock } = this.#options;
    return new PageReader({ store: exactNames(guarded), clock, cacheBytes, changes: this.#changes });
  }
}
