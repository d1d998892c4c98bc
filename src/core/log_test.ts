import assert from "node:assert/strict";
import { createLogger, type LogFields, type LoggerOptions } from "./log.ts";

const clock = { now: () => 0, elapsed: () => 0, sleep: () => Promise.resolve() };

function logged(
  format: "json" | "text",
  fields: LogFields,
  level: LoggerOptions["level"] = "info",
): string[] {
  const lines: string[] = [];
  const logger = createLogger({ level, format, clock, write: (line) => lines.push(line) });
  logger.log("info", "audit", fields);
  return lines;
}

Deno.test("log() writes one JSON object a line, and in text the field `text` in the place of the event", () => {
  assert.deepEqual(logged("json", { request: "r1", page: "A\nB" }), [
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"audit","request":"r1","page":"A\\nB"}',
  ]);
  assert.deepEqual(logged("text", { text: '[WRITE] action=create page="A"', request: "r1", gone: null }), [
    '1970-01-01T00:00:00.000Z INFO  [WRITE] action=create page="A" request=r1',
  ]);
  assert.deepEqual(logged("text", { page: "a b" }), ['1970-01-01T00:00:00.000Z INFO  audit page="a b"']);
});

Deno.test("log() tells in text nothing twice that the field `text` says, and nobody can make it leave more out", () => {
  const fields = { request: "r1", client: "token:a", page: 'A "b"', outcome: "ok" };
  assert.deepEqual(
    logged("text", { text: '[WRITE] action=create page="A \\"b\\""', ...fields, action: "create" }),
    [
      '1970-01-01T00:00:00.000Z INFO  [WRITE] action=create page="A \\"b\\"" request=r1 client=token:a outcome=ok',
    ],
  );
  const refused = { tool: "write_page", action: "write_page", page: "A", outcome: "conflict" };
  assert.deepEqual(logged("text", { text: "[ERROR] tool=write_page code=conflict", ...refused }), [
    "1970-01-01T00:00:00.000Z INFO  [ERROR] tool=write_page code=conflict page=A",
  ]);
  const forged = logged("text", {
    text: '[WRITE] action=create page="x client=token:a y"',
    client: "token:a",
  });
  assert.match(forged[0] ?? "", / client=token:a$/);
  const unlike = logged("text", { text: "[WRITE] action=create", action: "delete" });
  assert.match(unlike[0] ?? "", / action=delete$/);
  assert.match(logged("json", { text: "[ERROR] tool=t code=c", outcome: "c" })[0] ?? "", /"outcome":"c"/);
});

Deno.test("log() keeps below its level", () => {
  assert.deepEqual(logged("json", {}, "warn"), []);
});

Deno.test("log() writes nothing in text that a terminal could act on or show in another order", () => {
  for (const sign of ["\n", "\r", "\x1b[2J", "\x7f", "\x9b2J", "\u2028", "\u202e", "\u2066", "\ufeff"]) {
    const [line = "", ...more] = logged("text", { text: `[ERROR] tool=${sign}x`, agent: `a${sign}b` });
    assert.deepEqual(more, []);
    assert.match(line, /^[\x20-\x7e]+$/, JSON.stringify(sign));
  }
  assert.match(logged("text", { page: "People/Søren 日本" })[0] ?? "", /page="People\/Søren 日本"$/);
});

Deno.test("incident() keeps the type and the frames of an exception, without its text and without folders", () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", format: "json", clock, write: (line) => lines.push(line) });
  const error = new RangeError("token=hunter2 at /home/me/notes");
  error.stack =
    "RangeError: token=hunter2\n    at read (file:///home/me/src/a.ts:1:2)\n    at C:\\\\me/b.ts:3:4";
  const incident = logger.incident("request_failed", error, { request: "r1" });
  const line = JSON.parse(lines[0] ?? "");
  assert.deepEqual([line.level, line.incident, line.type, line.request], [
    "error",
    incident,
    "RangeError",
    "r1",
  ]);
  assert.match(line.frames, /^at read \(a\.ts:1:2\) < at /);
  assert.doesNotMatch(lines[0] ?? "", /hunter2|home/);
  logger.incident("request_failed", "token=hunter2");
  assert.doesNotMatch(lines[1] ?? "", /hunter2/);
});

Deno.test("log() cuts what is longer than anybody reads", () => {
  for (const format of ["json", "text"] as const) {
    const [line = ""] = logged(format, {
      host: "h".repeat(100_000),
      page: `${"x".repeat(1999)}😀`,
      code: "ok",
    });
    assert(line.length < 5000 && line.isWellFormed(), format);
    assert.match(line, /h{2000}…/);
    assert.match(line, /ok/);
  }
});
