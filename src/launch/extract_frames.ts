/**
 * What parent and child write into each other's pipes: a length in four bytes, the lowest first, and so many bytes. The
 * parent sends two frames, the request as JSON and the document; the child answers with one, the outcome as JSON.
 */

export interface ByteSource {
  /** Bytes put into the buffer, or `null` at the end. */
  read(into: Uint8Array): Promise<number | null>;
}

const lengthBytes = 4;

/** The four bytes before so many others. */
export function frameHead(length: number): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(lengthBytes);
  new DataView(head.buffer).setUint32(0, length, true);
  return head;
}

/** The next frame; `null` where the source ends before its end, or it would be longer than `maxBytes`. */
export async function readFrame(
  source: ByteSource,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const head = await readExactly(source, lengthBytes);
  if (head === null) return null;
  const length = new DataView(head.buffer).getUint32(0, true);
  return length > maxBytes ? null : await readExactly(source, length);
}

async function readExactly(source: ByteSource, length: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length;) {
    const count = await source.read(bytes.subarray(filled));
    if (count === null) return null;
    filled += count;
  }
  return bytes;
}
