/**
 * `resources/subscribe` of the old era, over a pipe: what one client is told of, until its pipe ends.
 *
 * Changes that come together are told together, nothing is told while the client is slow to take what it was told, and
 * the number of addresses is bounded. The list of pages is told of as soon as a client has introduced itself: the old
 * era has no way to ask for that.
 */

import type { Clock } from "../core/clock.ts";
import type { News } from "../notes/feed/change_news.ts";
import { pathsOf } from "./listen_bus.ts";
import type { Methods } from "./methods.ts";
import { parsePageUri } from "./page_uri.ts";
import { codes, RpcFault } from "./rpc.ts";

type Watch = NonNullable<Methods["watch"]>;

export interface Notification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

export interface PipeSubscriptionsOptions {
  readonly watch: Watch;
  readonly clock: Clock;
  /** Resolves once the client has taken it. */
  readonly tell: (notification: Notification) => Promise<void>;
}

const gatherMs = 150;
const mostUris = 256;

export class PipeSubscriptions {
  readonly #options: PipeSubscriptionsOptions;
  readonly #over = new AbortController();
  /** Addresses as the client wrote them, with the paths that each may mean. */
  readonly #wanted = new Map<string, readonly string[]>();
  readonly #changed = new Set<string>();
  #listChanged = false;
  #listens = false;
  #isTelling = false;
  #watching: Promise<() => void> | null = null;

  constructor(options: PipeSubscriptionsOptions) {
    this.#options = options;
  }

  /** From now on the client is told when pages come and go, as far as it may know of them. */
  async listen(call: Parameters<Watch>[0]): Promise<void> {
    this.#listens = true;
    await this.#watch(call).catch(() => {});
  }

  /** Throws `RpcFault` for what cannot be subscribed to. */
  async subscribe(uri: string, call: Parameters<Watch>[0]): Promise<void> {
    if (parsePageUri(uri) === null) {
      throw new RpcFault(codes.invalidParams, "There is no such resource to subscribe to");
    }
    if (this.#wanted.size >= mostUris && !this.#wanted.has(uri)) {
      throw new RpcFault(codes.invalidParams, `At most ${mostUris} resources can be subscribed to at once`);
    }
    await this.#watch(call);
    this.#wanted.set(uri, pathsOf(uri));
  }

  unsubscribe(uri: string): void {
    this.#wanted.delete(uri);
    this.#changed.delete(uri);
  }

  async end(): Promise<void> {
    this.#over.abort();
    await this.#watching?.then((stop) => stop(), () => {});
  }

  /** One watch for all subscriptions; tried again when it could not be had before. */
  async #watch(call: Parameters<Watch>[0]): Promise<void> {
    const watching = this.#watching ??= this.#options.watch(call, (news) => this.#hear(news));
    try {
      await watching;
    } catch (thrown) {
      if (this.#watching === watching) this.#watching = null;
      throw thrown;
    }
  }

  #hear(news: readonly News[]): void {
    for (const { kind, path } of news) {
      for (const [uri, paths] of this.#wanted) if (paths.includes(path)) this.#changed.add(uri);
      if (this.#listens && kind !== "changed") this.#listChanged = true;
    }
    void this.#tellAll();
  }

  async #tellAll(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    const { clock, tell } = this.#options;
    try {
      while (this.#listChanged || this.#changed.size > 0) {
        await clock.sleep(gatherMs, this.#over.signal);
        const uris = [...this.#changed];
        this.#changed.clear();
        for (const uri of uris) {
          if (!this.#wanted.has(uri)) continue;
          await tell({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } });
        }
        if (!this.#listChanged) continue;
        this.#listChanged = false;
        await tell({ jsonrpc: "2.0", method: "notifications/resources/list_changed" });
      }
    } catch {
      // The pipe has ended: nobody is there to be told.
    } finally {
      this.#isTelling = false;
    }
  }
}
