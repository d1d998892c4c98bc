/** A web `Response` onto a `node:http` one: whole bodies in one write, event streams as they come. */

import type { ServerResponse } from "node:http";
import type { Lease } from "./answer_room.ts";

/**
 * Answers the number of body bytes written, or `null` when there was no room for the body: then nothing was. Rejects when
 * the body of the response fails.
 */
export async function sendResponse(response: Response, sink: Sink): Promise<number | null> {
  const headers = flatHeaders(response);
  headers.push(...sink.extra);
  const head = { status: response.status, headers };
  if (isEventStream(response) && response.body !== null) {
    return await sendStream(head, response.body, sink);
  }
  // Only streams are asked for their `body`: that alone makes a stream of a body that is here already.
  const body = new Uint8Array(await response.arrayBuffer());
  return await sink.room.reserve(body.byteLength) ? sendWhole(head, body, sink.target) : null;
}

export interface Sink {
  readonly target: ServerResponse;
  /** More headers: name, value, name, value. */
  readonly extra: readonly string[];
  readonly room: Lease;
  /** Told when the other end has to take what was sent before a stream goes on, and when it goes on. */
  readonly onWait: (isWaiting: boolean) => void;
}

interface Head {
  readonly status: number;
  readonly headers: string[];
}

function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
}

function flatHeaders(response: Response): string[] {
  const flat: string[] = [];
  response.headers.forEach((value, name) => {
    if (name !== "content-length" && name !== "connection") flat.push(name, value);
  });
  return flat;
}

function sendWhole(head: Head, body: Uint8Array, target: ServerResponse): number {
  const size = body.byteLength;
  const bodiless = head.status === 204 || head.status === 304;
  if (!bodiless) head.headers.push("content-length", String(size));
  target.writeHead(head.status, head.headers);
  if (size === 0) target.end();
  else target.end(body);
  return size;
}

async function sendStream(
  head: Head,
  body: ReadableStream<Uint8Array>,
  { target, room, onWait }: Sink,
): Promise<number> {
  target.writeHead(head.status, head.headers);
  target.flushHeaders();
  const reader = body.getReader();
  const onClose = () => void reader.cancel().catch(() => {});
  target.on("close", onClose);
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength;
      if (!await room.reserve(part.value.byteLength)) throw new Error("No room for the stream");
      if (!target.write(part.value)) {
        onWait(true);
        await drained(target);
        onWait(false);
      }
      room.release();
      if (target.destroyed) break;
    }
  } finally {
    target.off("close", onClose);
  }
  target.end();
  return size;
}

/** Resolves when the socket takes more, or is gone. */
function drained(target: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      target.off("drain", done);
      target.off("close", done);
      resolve();
    };
    target.on("drain", done);
    target.on("close", done);
    if (target.destroyed) done();
  });
}
