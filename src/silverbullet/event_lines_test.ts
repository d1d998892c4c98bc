import assert from "node:assert/strict";
import { createEventParser } from "./event_lines.ts";

function parseAll(chunks: readonly string[]): string[] {
  const parse = createEventParser();
  return chunks.flatMap((chunk) => parse(chunk));
}

Deno.test("createEventParser() reads data of unnamed events, however the text is cut", () => {
  const text = ': open\n\ndata: {"a":1}\n\nid: 7\ndata: one\ndata:two\n\nevent: ping\ndata: no\n\n' +
    "event: message\ndata: yes\r\n\r\ndata: last\n\nretry: 5\n\n";
  const expected = ['{"a":1}', "one\ntwo", "yes", "last"];
  assert.deepEqual(parseAll([text]), expected);
  assert.deepEqual(parseAll([...text]), expected);
  for (let at = 0; at < text.length; at++) {
    assert.deepEqual(parseAll([text.slice(0, at), text.slice(at)]), expected);
  }
});

Deno.test("createEventParser() holds no more than an event may be long", () => {
  const parse = createEventParser();
  const piece = "x".repeat(600_000);
  assert.deepEqual(parse(`data: ${piece}`), []);
  assert.deepEqual(parse(piece), []);
  assert.deepEqual(parse(piece), []);
  assert.deepEqual(parse(`\n\ndata: after\n\n`), ["after"]);
  const lines = `data: ${"y".repeat(500_000)}\n`;
  assert.deepEqual(parseAll([lines, lines, lines, "\n", "data: after\n\n"]), ["after"]);
});
