import assert from "node:assert/strict";
import { findPairs } from "./yaml_pairs.ts";

/** Each pair as key, value, and all its lines. */
function pairs(yaml: string): unknown {
  const search = findPairs(yaml);
  if (search.kind === "unplaced") return `line ${search.line}: ${search.reason}`;
  return search.pairs.map((
    pair,
  ) => [pair.key, yaml.slice(pair.colon + 1, pair.valueEnd), yaml.slice(pair.start, pair.end)]);
}

Deno.test("findPairs() finds where each value ends, whatever its style", () => {
  const cases: Array<[string, Array<[string, string]>]> = [
    ["a: 1\nb: 2\n", [["a", " 1"], ["b", " 2"]]],
    ["a:   x y # c\n\n# d\nb:\n", [["a", "   x y"], ["b", ""]]],
    ["a:\n  - x\n  # in\n  - y\n# out\nb: 1\n", [["a", "\n  - x\n  # in\n  - y"], ["b", " 1"]]],
    ["a:\n- x\n- y: 1\n  z: 2\nb: 1\n", [["a", "\n- x\n- y: 1\n  z: 2"], ["b", " 1"]]],
    ["a: |\n  one\n\n  # text\n\nb: >-\n  two\n", [["a", " |\n  one\n\n  # text"], ["b", " >-\n  two"]]],
    ["a: [x, # c\n  'y]', z]\nb: {c: [1]}\n", [["a", " [x, # c\n  'y]', z]"], ["b", " {c: [1]}"]]],
    ["a: 'it''s\n  two' # c\nb: \"x\\\"y\"\n", [["a", " 'it''s\n  two'"], ["b", ' "x\\"y"']]],
    ["a: one\n  two\n\n  three # c\nb: 1\n", [["a", " one\n  two\n\n  three"], ["b", " 1"]]],
    ["'a b' : 1\n\"c\": 2\nd-e.f g: 3\n", [["a b", " 1"], ["c", " 2"], ["d-e.f g", " 3"]]],
    ["a: &x !!str 1\nb: *x\n", [["a", " &x !!str 1"], ["b", " *x"]]],
    ["a: http://x#y\nb: '#'\n", [["a", " http://x#y"], ["b", " '#'"]]],
    ["  a: 1\n  b:\n    - c\n", [["a", " 1"], ["b", "\n    - c"]]],
    ["a: 1\r\nb: |\r\n  x\r\nc: 2", [["a", " 1"], ["b", " |\r\n  x"], ["c", " 2"]]],
    ["", []],
  ];
  for (const [yaml, expected] of cases) {
    const found = pairs(yaml);
    assert.deepEqual(
      Array.isArray(found) ? found.map(([key, value]) => [key, value]) : found,
      expected,
      yaml,
    );
  }
});

Deno.test("findPairs() takes a comment behind a value as part of the pair's lines, not of the value", () => {
  assert.deepEqual(pairs("a: 1 # c\n# d\nb: 2\n"), [["a", " 1", "a: 1 # c\n"], ["b", " 2", "b: 2\n"]]);
});

Deno.test("findPairs() refuses what it cannot place for certain", () => {
  const refused = [
    "- a\n",
    "{a: 1}\n",
    "[a]\n",
    "? a\n: b\n",
    "text\n",
    "a: 'x\n",
    "a: [x\n",
    "a: 'x' y\n",
    "--- \na: 1\n",
    "*a : 1\n",
    "%YAML 1.2\n",
    "a: [x] y\n",
  ];
  for (const yaml of refused) assert.equal(typeof pairs(yaml), "string", yaml);
});
