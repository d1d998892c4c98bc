import assert from "node:assert/strict";
import { textSink } from "./text_sink.ts";

/** Takes at most `most` bytes at a time, and does what `faults` says for each call, in order. */
function sinkOf(faults: Array<Error | number | null>, most = 4) {
  const decoder = new TextDecoder();
  const sink = {
    text: "",
    calls: 0,
    writeSync(bytes: Uint8Array): number {
      sink.calls++;
      const fault = faults.shift() ?? null;
      if (fault instanceof Error) throw fault;
      const count = Math.min(fault ?? most, bytes.byteLength);
      sink.text += decoder.decode(bytes.subarray(0, count), { stream: true });
      return count;
    },
  };
  return sink;
}

Deno.test("textSink() writes all of a text over as many writes as it takes", () => {
  const sink = sinkOf([]);
  textSink(sink)("größer als vier\n");
  assert.equal(sink.text, "größer als vier\n");
});

Deno.test("textSink() tries nothing more once the reader is gone", () => {
  const sink = sinkOf([null, new Deno.errors.BrokenPipe()]);
  const write = textSink(sink);
  write("first line\n");
  write("second line\n");
  assert.deepEqual([sink.text, sink.calls], ["firs", 2]);
});

Deno.test("textSink() drops what a full disk or a busy pipe does not take, and goes on with a whole line", () => {
  for (const fault of [new Deno.errors.WouldBlock(), new Error("No space left on device"), 0]) {
    const sink = sinkOf([null, fault], 100);
    const write = textSink(sink);
    write("one\n");
    write("two\n");
    write("three\n");
    assert.equal(sink.text, "one\nthree\n", String(fault));
    const cut = sinkOf([3, fault], 100);
    const writeCut = textSink(cut);
    writeCut("one, whole\n");
    writeCut("two\n");
    writeCut("three\n");
    assert.equal(cut.text, "one\ntwo\nthree\n", String(fault));
  }
});
