/**
 * SilverBullet's `/.events`: changes of the space as they happen, where the server has them.
 *
 * Events are hints, never proofs: they carry no text, they may be merged or lost, and no server repeats them after a
 * reconnect. So the listener is told to look at the whole list whenever something may have been missed: when a stream
 * opens, when the server says so, and every few minutes.
 */

import type { Clock } from "../core/clock.ts";
import type { Logger } from "../core/log.ts";
import { type PagePath, parseListedPath } from "../core/page_name.ts";
import type { ContentHash } from "../core/page_store.ts";
import { createEventParser } from "./event_lines.ts";

export interface SpaceChange {
  readonly path: PagePath;
  readonly action: "change" | "delete";
  /** What the server says the content is now; `null` for a delete, and where it does not say. */
  readonly hash: ContentHash | null;
  /** True for a change made by this very connection. */
  readonly own: boolean;
}

export interface SpaceListener {
  changed(change: SpaceChange): void;
  /** Something may have been missed: list again. */
  resync(): void;
  /** True while a stream is open: every change is told within a moment. False: nothing is told, so poll. */
  live(isLive: boolean): void;
}

export interface EventsOptions {
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly token: string | null;
  readonly clientId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told when a stream ended: the server may be another one now. */
  readonly onBroken: () => void;
}

/** Milliseconds. */
const headLimit = 15_000;
/** Servers send a comment every 30 s. */
const silenceLimit = 90_000;
const resyncEvery = 240_000;
const firstPause = 1_000;
const longestPause = 60_000;
/** A server without events may be updated one day. */
const unsupportedPause = 300_000;

/** Watches until the signal aborts; never throws for a fault of the server. */
export async function watchEvents(
  options: EventsOptions,
  listener: SpaceListener,
  signal: AbortSignal,
): Promise<void> {
  const { clock, logger } = options;
  let failures = 0;
  while (!signal.aborted) {
    const ended = await watchOnce(options, listener, signal);
    if (signal.aborted) return;
    if (ended === "unsupported") {
      logger.log("debug", "silverbullet_no_events");
      await pause(clock, unsupportedPause, signal);
      continue;
    }
    failures = ended === "closed" ? 0 : failures + 1;
    await pause(clock, Math.min(firstPause * 2 ** failures, longestPause), signal);
  }
}

/** One stream, from its opening to its end. */
async function watchOnce(
  options: EventsOptions,
  listener: SpaceListener,
  signal: AbortSignal,
): Promise<"closed" | "failed" | "unsupported"> {
  const { clock, onBroken } = options;
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  signal.addEventListener("abort", onAbort, { once: true });
  const watchdog = createWatchdog(clock, () => stop.abort());
  let isLive = false;
  try {
    watchdog.expect(headLimit);
    const response = await open(options, stop.signal);
    if (!isEventStream(response)) {
      await response.body?.cancel();
      return response.status === 200 || response.status === 404 ? "unsupported" : "failed";
    }
    isLive = true;
    listener.live(true);
    listener.resync();
    const ticking = tick(clock, listener, stop.signal);
    await readStream(response.body, { options, listener, onBytes: () => watchdog.expect(silenceLimit) });
    stop.abort();
    await ticking;
    return "closed";
  } catch (error) {
    if (!stop.signal.aborted && !(error instanceof TypeError)) throw error;
    return isLive ? "closed" : "failed";
  } finally {
    stop.abort();
    watchdog.end();
    signal.removeEventListener("abort", onAbort);
    if (isLive) {
      listener.live(false);
      onBroken();
    }
  }
}

function open(options: EventsOptions, signal: AbortSignal): Promise<Response> {
  return options.fetch(options.url, {
    headers: {
      "Accept": "text/event-stream",
      "Cache-Control": "no-cache",
      "X-Sync-Mode": "true",
      "X-Client-Id": options.clientId,
      ...(options.token === null ? {} : { Authorization: `Bearer ${options.token}` }),
    },
    redirect: "manual",
    signal,
  });
}

function isEventStream(response: Response): response is Response & { body: ReadableStream<Uint8Array> } {
  const type = response.headers.get("content-type") ?? "";
  return response.status === 200 && /^text\/event-stream/i.test(type) && response.body !== null;
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  reading: {
    readonly options: EventsOptions;
    readonly listener: SpaceListener;
    readonly onBytes: () => void;
  },
): Promise<void> {
  const parse = createEventParser();
  const decoder = new TextDecoder();
  reading.onBytes();
  for await (const bytes of body) {
    reading.onBytes();
    for (const event of parse(decoder.decode(bytes, { stream: true }))) {
      tell(event, reading.options.clientId, reading.listener);
    }
  }
}

function tell(data: string, clientId: string, listener: SpaceListener): void {
  const event = parseEvent(data);
  if (event === null) return;
  if (event["action"] === "resync") return listener.resync();
  const name = event["name"];
  const action = event["action"];
  if (typeof name !== "string" || (action !== "change" && action !== "delete")) return;
  const path = parseListedPath(name);
  // Removing a folder is told for the folder's own name too, which has no extension and is no file.
  if (path === null || !/\.[^./]+$/.test(path)) return;
  const revision = recordOf(event["revision"]);
  const origin = recordOf(event["origin"]);
  const hash = action === "change" ? hashOf(revision?.["hash"]) : null;
  listener.changed({ path, action, hash, own: origin?.["clientId"] === clientId });
}

function parseEvent(data: string): Readonly<Record<string, unknown>> | null {
  try {
    return recordOf(JSON.parse(data));
  } catch {
    return null;
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === "object" && value !== null ? value as Readonly<Record<string, unknown>> : null;
}

function hashOf(value: unknown): ContentHash | null {
  return typeof value === "string" && /^[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : null;
}

/** Calls `resync` from time to time until the signal aborts. */
async function tick(clock: Clock, listener: SpaceListener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(clock, resyncEvery, signal);
    if (!signal.aborted) listener.resync();
  }
}

/** Calls `onSilence` when nothing happened for as long as was last expected. */
function createWatchdog(clock: Clock, onSilence: () => void) {
  let current = new AbortController();
  return {
    expect(milliseconds: number): void {
      current.abort();
      current = new AbortController();
      clock.sleep(milliseconds, current.signal).then(onSilence, () => {});
    },
    end: () => current.abort(),
  };
}

async function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(milliseconds, signal).catch(() => {});
}
