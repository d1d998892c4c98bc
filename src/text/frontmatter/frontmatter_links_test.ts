import assert from "node:assert/strict";
import { quotedTexts } from "./frontmatter_links.ts";

function texts(yaml: string): string[] {
  return quotedTexts(yaml).map(({ from, to, quote }) => `${quote ?? "|"}${yaml.slice(from, to)}`);
}

Deno.test("quotedTexts() finds texts in quotes and the lines of block texts", () => {
  const cases: Array<[string, string[]]> = [
    ["a: \"x\"\nb: 'y z'\nc: plain\n", ['"x', "'y z"]],
    ['a: ["x", \'y\'] # "z"\n', ['"x', "'y"]],
    ['a: |\n  one\n  two\nb: "x"\n', ["|  one", "|  two", '"x']],
    ["- >-\n  one\n- 'x'\n", ["|  one", "'x"]],
    ['"key": "x"\n', ['"x']],
    ['a: "open\n', []],
    ['# "x"\na: b#"x"\n', ['"x']],
  ];
  for (const [yaml, expected] of cases) assert.deepEqual(texts(yaml), expected, yaml);
});
