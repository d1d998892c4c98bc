/**
 * Reading the body of an answer: within its limit, and where it is large only as far as there is room for it in the
 * process.
 */

import type { ByteBudget, Room } from "../core/byte_budget.ts";
import { tooLarge } from "./failures.ts";

/** There is no room for the body now. Nothing of it is kept; the exchange has to be made again. */
export class NeedsRoom extends Error {
  override readonly name = "NeedsRoom";
  readonly bytes: number;

  constructor(bytes: number) {
    super("There is no room for this body now");
    this.bytes = bytes;
  }
}

export interface BodyLimits {
  readonly maxBytes: number;
  readonly cut?: boolean;
  readonly doing: string;
  /** `null`: room is not asked for. */
  readonly bodies: ByteBudget | null;
  /** What was waited for; `null` in the first attempt. */
  readonly room: Room | null;
  readonly signal: AbortSignal;
}

/** Enough of an answer that is not data to tell what kind it is. */
const judgedBytes = 4096;
/** So many bytes need no room: connections are few, and waiting is for what is large. */
const smallBytes = 256 * 1024;

/** The whole body of a 200; of any other answer the beginning. Throws `too_large`, or `NeedsRoom`. */
export async function readBody(response: Response, limits: BodyLimits): Promise<Uint8Array<ArrayBuffer>> {
  const isData = response.status === 200;
  const limit = isData ? limits.maxBytes : judgedBytes;
  const rooms = new Rooms(limits);
  try {
    const known = knownLength(response.headers);
    const body = known !== null && known <= limit
      ? await rooms.wholeOf(response, known)
      : await readPieces(response, { ...limits, limit, isData, rooms });
    rooms.handOver();
    return body;
  } catch (error) {
    rooms.giveBack();
    throw error;
  }
}

/** The room that one body takes. */
class Rooms {
  readonly #limits: BodyLimits;
  readonly #rooms: Room[];
  #bytes: number;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
    this.#rooms = limits.room === null ? [] : [limits.room];
    this.#bytes = limits.room?.bytes ?? smallBytes;
  }

  /** False where the body has to be read again once there is room for so many bytes. */
  reach(bytes: number): boolean {
    const { bodies } = this.#limits;
    if (bytes <= this.#bytes || bodies === null) return true;
    const room = bodies.tryTake(bytes);
    if (room === null) return false;
    this.#rooms.push(room);
    this.#bytes += bytes;
    return true;
  }

  async wholeOf(response: Response, length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (this.reach(length)) return await response.bytes();
    await response.body?.cancel();
    throw new NeedsRoom(length);
  }

  handOver(): void {
    for (const room of this.#rooms) room.handOver();
  }

  giveBack(): void {
    for (const room of this.#rooms) room.giveBack();
  }
}

interface PieceLimits extends BodyLimits {
  readonly limit: number;
  readonly isData: boolean;
  readonly rooms: Rooms;
}

async function readPieces(response: Response, how: PieceLimits): Promise<Uint8Array<ArrayBuffer>> {
  const { limit, isData, rooms, signal } = how;
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      if (isData && !how.cut) throw tooLarge(how.doing, limit);
      break;
    }
    if (rooms.reach(size)) continue;
    await reader.cancel();
    throw new NeedsRoom(Math.min(limit, size * 4));
  }
  signal.throwIfAborted();
  return join(chunks, Math.min(size, limit));
}

/**
 * The length to which the connection itself holds the body, so that it need not be counted piece by piece; `null`
 * where nothing does. `Content-Length` says so only alone: beside `Transfer-Encoding` it does not count, and of a
 * compressed body it is the length before unpacking.
 */
function knownLength(headers: Headers): number | null {
  const length = headers.get("content-length");
  const isPlain = headers.get("transfer-encoding") === null && headers.get("content-encoding") === null;
  return isPlain && length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(0, size - offset);
    body.set(part, offset);
    offset += part.length;
  }
  return body;
}
