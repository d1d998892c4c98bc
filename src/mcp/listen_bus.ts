/**
 * What one open subscription is told: changes of the space that its caller may know of, gathered for a moment, and no
 * faster than the caller takes them, so that a stream that nobody reads stays small.
 */

import type { Clock } from "../core/clock.ts";
import { parsePageName } from "../core/page_name.ts";
import { AppError } from "../core/errors.ts";
import type { News } from "../notes/feed/change_news.ts";
import { isRecord, type RpcMessage } from "./message.ts";
import { parsePageUri } from "./page_uri.ts";

/** An event as the MCP library takes it. */
export type ListenEvent =
  | { readonly kind: "resources_list_changed" }
  | { readonly kind: "resource_updated"; readonly uri: string };

type Tell = (event: ListenEvent) => void;

/** Changes that come together are told together. */
const gatherMs = 150;
/** Told and not yet taken by the caller. */
const mostOutstanding = 32;

export class ListenBus {
  readonly #clock: Clock;
  readonly #wantsList: boolean;
  /** Addresses as the caller wrote them, by the path of the page that each means. */
  readonly #wanted = new Map<string, string[]>();
  readonly #over = new AbortController();
  readonly #uris = new Set<string>();
  #listChanged = false;
  #outstanding = 0;
  #isGathering = false;
  #tell: Tell | null = null;

  constructor(message: RpcMessage, clock: Clock) {
    this.#clock = clock;
    const filter = message.params?.["notifications"];
    this.#wantsList = isRecord(filter) && filter["resourcesListChanged"] === true;
    for (const uri of subscribedUris(message)) {
      for (const path of pathsOf(uri)) this.#wanted.set(path, [...this.#wanted.get(path) ?? [], uri]);
    }
  }

  /** Nobody publishes here: what there is to tell comes as `news`. */
  publish(): void {}

  /** For the library, once for each stream. */
  subscribe(tell: Tell): () => void {
    this.#tell = tell;
    return () => this.end();
  }

  news(all: readonly News[]): void {
    for (const { kind, path } of all) {
      for (const uri of this.#wanted.get(path) ?? []) this.#uris.add(uri);
      if (this.#wantsList && kind !== "changed") this.#listChanged = true;
    }
    this.#gather();
  }

  /** The caller has taken a piece of the stream. */
  taken(): void {
    this.#outstanding = Math.max(0, this.#outstanding - 1);
    this.#gather();
  }

  end(): void {
    this.#tell = null;
    this.#over.abort();
  }

  #gather(): void {
    const hasNews = this.#listChanged || this.#uris.size > 0;
    if (!hasNews || this.#isGathering || this.#over.signal.aborted) return;
    this.#isGathering = true;
    this.#clock.sleep(gatherMs, this.#over.signal).then(() => {
      this.#isGathering = false;
      this.#flush();
    }, () => {});
  }

  #flush(): void {
    for (const uri of this.#uris) {
      if (this.#outstanding >= mostOutstanding) return;
      this.#uris.delete(uri);
      this.#send({ kind: "resource_updated", uri });
    }
    if (!this.#listChanged || this.#outstanding >= mostOutstanding) return;
    this.#listChanged = false;
    this.#send({ kind: "resources_list_changed" });
  }

  #send(event: ListenEvent): void {
    this.#outstanding++;
    this.#tell?.(event);
  }
}

/** What the caller subscribes to, each once; the library checks the shape. */
export function subscribedUris(message: RpcMessage): readonly string[] {
  const filter = message.params?.["notifications"];
  const uris = isRecord(filter) ? filter["resourceSubscriptions"] : [];
  return Array.isArray(uris) ? [...new Set(uris.filter((uri) => typeof uri === "string"))] : [];
}

/** Paths that an address may mean; none for what is no address of a page. */
export function pathsOf(uri: string): readonly string[] {
  const address = parsePageUri(uri);
  if (address === null) return [];
  try {
    const { path, fallback } = parsePageName(address.page);
    return fallback === null ? [path] : [path, fallback];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [];
  }
}
