import assert from "node:assert/strict";
import { type ByteSource, frameHead, readFrame } from "./extract_frames.ts";

/** Hands out those bytes, so many at a time. */
function sourceOf(bytes: Uint8Array, step: number): ByteSource {
  let at = 0;
  return {
    read(into) {
      if (at >= bytes.length) return Promise.resolve(null);
      const part = bytes.subarray(at, at + Math.min(step, into.length));
      into.set(part);
      at += part.length;
      return Promise.resolve(part.length);
    },
  };
}

function framed(...contents: readonly number[][]): Uint8Array {
  return new Uint8Array(contents.flatMap((content) => [...frameHead(content.length), ...content]));
}

Deno.test("frames come out as they went in, however the pipe cuts them", async () => {
  for (const step of [1, 2, 3, 7, 100]) {
    const source = sourceOf(framed([1, 2, 3], [], [4]), step);
    for (const expected of [[1, 2, 3], [], [4]]) {
      assert.deepEqual([...await readFrame(source, 10) ?? [99]], expected, `step ${step}`);
    }
    assert.equal(await readFrame(source, 10), null);
  }
});

Deno.test("a frame that is cut off, or longer than it may be, is none", async () => {
  const whole = framed([1, 2, 3, 4, 5]);
  for (let length = 0; length < whole.length; length += 1) {
    assert.equal(await readFrame(sourceOf(whole.subarray(0, length), 2), 10), null, `${length} bytes`);
  }
  assert.equal(await readFrame(sourceOf(whole, 2), 4), null);
  assert.deepEqual([...await readFrame(sourceOf(whole, 2), 5) ?? []], [1, 2, 3, 4, 5]);
  assert.equal(await readFrame(sourceOf(new Uint8Array([255, 255, 255, 255, 1]), 2), 1000), null);
});

Deno.test("frameHead() writes four bytes, the lowest first", () => {
  assert.deepEqual([...frameHead(0x01020304)], [4, 3, 2, 1]);
});
