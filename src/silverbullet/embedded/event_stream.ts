/**
 * `/.events` of the embedded server: changes of the space as an event stream, shortly after they happened.
 *
 * Several changes of one file within the delay become one event; many files at once become one `resync`.
 */

import type { ServerResponse } from "node:http";
import { sha256Hex } from "../../core/secrets.ts";
import type { FileChange } from "./files.ts";
import { isListed, type Space } from "./space.ts";

export interface ChangeOrigin {
  readonly clientId: string | undefined;
  readonly source: string | undefined;
}

export interface EventStream {
  /** Adds a listener; the answer's head is sent here. */
  open(response: ServerResponse): void;
  /** Remembers who is about to change a file, so that its event names them. */
  attribute(path: string, origin: ChangeOrigin): void;
  close(): void;
}

const delay = 75;
const keepAlive = 30_000;
const mostPathsPerFlush = 20;

export function createEventStream(space: Space): EventStream {
  const listeners = new Set<ServerResponse>();
  const waiting = new Map<string, FileChange>();
  const origins = new Map<string, ChangeOrigin>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const unwatch = space.files.watch((change) => {
    if (listeners.size === 0 || !isListed(change.path, space.traits)) return;
    waiting.set(change.path, change);
    timer ??= setTimeout(flush, delay);
  });

  const heartbeat = setInterval(() => {
    for (const listener of listeners) listener.write(": keep-alive\n\n");
  }, keepAlive);

  function flush(): void {
    timer = undefined;
    const changes = [...waiting.values()];
    waiting.clear();
    if (changes.length > mostPathsPerFlush) send({ name: "", action: "resync", lastModified: 0 });
    else for (const change of changes) send(describe(change));
    origins.clear();
  }

  function send(event: Record<string, unknown>): void {
    for (const listener of listeners) listener.write(`data: ${JSON.stringify(event)}\n\n`);
  }

  function describe(change: FileChange): Record<string, unknown> {
    const { path, action, file } = change;
    const event = { name: path, action, lastModified: file?.modified ?? 0 };
    const origin = origins.get(path);
    return {
      ...event,
      ...(file === null ? {} : {
        revision: {
          algorithm: "sha256",
          hash: sha256Hex(file.bytes),
          size: file.bytes.length,
          lastModified: file.modified,
        },
      }),
      origin: origin === undefined ? { kind: "external" } : {
        kind: "user",
        ...(origin.clientId === undefined ? {} : { clientId: origin.clientId }),
        ...(origin.source === undefined ? {} : { source: origin.source }),
      },
    };
  }

  return {
    open(response) {
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
      response.write(": open\n\n");
      listeners.add(response);
      response.on("close", () => listeners.delete(response));
    },
    attribute: (path, origin) => {
      if (listeners.size > 0) origins.set(path, origin);
    },
    close() {
      unwatch();
      clearInterval(heartbeat);
      if (timer !== undefined) clearTimeout(timer);
      for (const listener of listeners) listener.destroy();
    },
  };
}
