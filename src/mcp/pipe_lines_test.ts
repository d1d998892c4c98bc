import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type PipeLine, pipeLines } from "./pipe_lines.ts";

async function linesOf(chunks: readonly (string | Uint8Array)[], maxBytes = 1000): Promise<PipeLine[]> {
  const encoder = new TextEncoder();
  async function* source() {
    for (const chunk of chunks) yield typeof chunk === "string" ? encoder.encode(chunk) : chunk;
  }
  return await Array.fromAsync(pipeLines(source(), maxBytes));
}

function shown(lines: readonly PipeLine[]): unknown[] {
  return lines.map((line) => line.kind === "line" ? new TextDecoder().decode(line.bytes) : line);
}

Deno.test("pipeLines() gives lines however they are cut, and drops blank ones", async () => {
  assert.deepEqual(shown(await linesOf(["a\nb", "c\n", "\n \t\r\n", "d\r\ne"])), ["a", "bc", "d\r", "e"]);
  assert.deepEqual(shown(await linesOf([])), []);
  await fc.assert(fc.asyncProperty(
    fc.array(fc.string({ unit: "binary", maxLength: 30 }), { maxLength: 20 }),
    fc.integer({ min: 1, max: 9 }),
    async (texts, step) => {
      const lines = texts.map((text) => text.replaceAll("\n", "") + "x");
      const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""));
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < bytes.length; at += step) chunks.push(bytes.subarray(at, at + step));
      assert.deepEqual(shown(await linesOf(chunks)), lines);
    },
  ));
});

Deno.test("pipeLines() keeps its own copy: the source may use its buffer again", async () => {
  const buffer = new Uint8Array(2);
  async function* source() {
    for (const text of ["ab", "cd", "\n"]) {
      buffer.set(new TextEncoder().encode(text));
      yield buffer.subarray(0, text.length);
    }
  }
  assert.deepEqual(shown(await Array.fromAsync(pipeLines(source(), 100))), ["abcd"]);
});

Deno.test("pipeLines() drops a line over the limit, tells its id where that is certain, and goes on", async () => {
  const filler = "x".repeat(9000);
  const cases: ReadonlyArray<readonly [string, string | number | null]> = [
    [`{"jsonrpc":"2.0","id":7,"method":"m","params":{"text":"${filler}"}}`, 7],
    [`{ "id" : "seven", "method":"m","params":{"text":"${filler}"}}`, "seven"],
    [`{"method":"m","params":{"text":"${filler}"},"jsonrpc":"2.0","id":8}`, 8],
    [`{"method":"m","params":{"text":"${filler}"},"id":"a\\"b"}  `, 'a"b'],
    [`{"method":"m","params":{"text":"${filler}","id":9}}`, null],
    [`{"method":"m","params":{"text":"${filler}\\"id\\":9}"}}`, null],
    [`{"params":{"id":5,"text":"${filler}"},"method":"m"}`, null],
    [`{"method":"m","params":{"text":"${filler}"},"id":null}`, null],
    [filler, null],
  ];
  for (const [text, id] of cases) {
    for (const chunks of [[`${text}\nnext\n`], [text.slice(0, 500), text.slice(500), "\nnext\n"]]) {
      assert.deepEqual(shown(await linesOf(chunks)), [{ kind: "long", id }, "next"], text.slice(-40));
    }
  }
});

Deno.test("pipeLines() takes a line of exactly the limit", async () => {
  assert.deepEqual(shown(await linesOf(["a".repeat(10) + "\n" + "b".repeat(11)], 10)), [
    "a".repeat(10),
    { kind: "long", id: null },
  ]);
});
