import assert from "node:assert/strict";
import { type PlainValue, readYaml, sameValue, writeYamlPair } from "./yaml_values.ts";

function value(text: string): PlainValue | string {
  const reading = readYaml(text);
  return reading.kind === "read"
    ? reading.value
    : `malformed: ${reading.reason} (${reading.line}:${reading.column})`;
}

Deno.test("readYaml() reads values as SilverBullet does, dates as texts", () => {
  const read = readYaml(
    "a: 1\nb: [x, 'y']\nc: 2024-01-31\nd: 2024-01-31 10:00:00\ne:\nf: yes\n__proto__: {x: 1}\n",
  );
  assert.ok(read.kind === "read");
  assert.equal(
    JSON.stringify(read.value),
    '{"a":1,"b":["x","y"],"c":"2024-01-31","d":"2024-01-31T10:00:00.000Z","e":null,"f":"yes","__proto__":{"x":1}}',
  );
  assert.equal(value(""), null);
});

Deno.test("readYaml() says what is malformed and where, without quoting the text", () => {
  const cases: Array<[string, RegExp]> = [
    ["a: 1\na: 2\n", /^malformed: duplicated mapping key \(1:0\)$/],
    ["a: [\n", /^malformed: unexpected end of the stream within a flow collection \(1:0\)$/],
    ["a: !secret x\n", /^malformed: unknown tag \(0:/],
    ["a: *secret\n", /^malformed: unidentified alias \(0:/],
    ["a:\n\t- b\n", /^malformed: tab characters/],
    ["a: 1\n---\nb: 2\n", /^malformed: expected a single document/],
  ];
  for (const [text, expected] of cases) assert.match(String(value(text)), expected, text);
});

Deno.test("readYaml() refuses what would take long or unfold into much", () => {
  const bomb = [
    "a: &a [x, x, x, x, x, x, x, x, x]",
    ..."bcdefghi".split("").map((name, index) =>
      `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[index]}`).join(", ")}]`
    ),
  ].join("\n");
  const merges = `m: &m {k: 1}\n${
    Array.from({ length: 30 }, (_, index) => `n${index}: {<<: *m}`).join("\n")
  }`;
  const started = performance.now();
  for (
    const text of [bomb, merges, `a: "${"x".repeat(70_000)}"`, "[".repeat(60_000), "a: " + "{".repeat(30_000)]
  ) {
    assert.equal(readYaml(text).kind, "malformed", text.slice(0, 20));
  }
  assert.ok(performance.now() - started < 3000);
});

Deno.test("writeYamlPair() writes what reads as the same value", () => {
  const values: PlainValue[] = [
    "plain",
    "yes: no",
    "2024-01-31",
    "",
    null,
    1.5,
    true,
    ["a", { b: [] }],
    { c: "x\ny\n" },
    "- a",
    "#x",
    " y ",
  ];
  for (const one of values) {
    const source = writeYamlPair("key: odd", one);
    assert.ok(source.endsWith("\n"));
    assert.deepEqual(JSON.stringify(value(source)), JSON.stringify({ "key: odd": one }));
  }
});

Deno.test("sameValue() compares by content and type, not by order of keys", () => {
  assert.ok(sameValue({ a: [1, { b: null }], c: "x" }, { c: "x", a: [1, { b: null }] }));
  for (
    const [a, b] of [[1, "1"], [null, ""], [[1], [1, 2]], [{ a: 1 }, { b: 1 }], [{ a: null }, {}], [
      [],
      {},
    ]] as const
  ) {
    assert.ok(!sameValue(a as PlainValue, b as PlainValue), JSON.stringify([a, b]));
  }
});
