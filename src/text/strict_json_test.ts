import assert from "node:assert/strict";
import fc from "fast-check";
import { parseStrictJson } from "./strict_json.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseStrictJson(bytes(text));

Deno.test("parseStrictJson() agrees with JSON.parse() on everything that JSON.stringify() writes", () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(2), (value, indent) => {
    const parsed = parse(JSON.stringify(value, null, indent));
    assert.deepEqual(parsed?.value, JSON.parse(JSON.stringify(value)));
  }));
});

Deno.test("parseStrictJson() never throws, and refuses what JSON.parse() refuses", () => {
  fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...'{}[]:," \\u0ade1-.+tfn\n') }), (text) => {
    let accepted = true;
    try {
      JSON.parse(text);
    } catch {
      accepted = false;
    }
    if (!accepted) assert.equal(parse(text), null, text);
  }));
  fc.assert(fc.property(fc.uint8Array(), (noise) => {
    parseStrictJson(noise);
  }));
});

Deno.test("parseStrictJson() refuses what could be read in two ways", () => {
  const refused = [
    "",
    " ",
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{ "a" : {}, "b" : 1 , "a"\n:\t2 }',
    '[{"x":[{"y":1,"y":2}]}]',
    '{"__proto__":1,"__proto__":2}',
    "NaN",
    '{"a":Infinity}',
    '{"a":-Infinity}',
    '{"a":1e400}',
    '{"a":-1e400}',
    `{"a":${"9".repeat(400)}}`,
    '{"a":1} {"b":2}',
    '{"a":1}x',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}//',
    '{"a":"\\ud800"}',
    '{"a":"\\udcff"}',
    '{"\\ud800":1}',
    '{"a":"\\\\\\ud800"}',
    '{"a":"\t"}',
    '{"a":01}',
    '{"a":+1}',
    '{"a":.5}',
    '\ufeff{"a":1}',
    `${"[".repeat(65)}${"]".repeat(65)}`,
    `${'{"a":'.repeat(65)}1${"}".repeat(65)}`,
    "[".repeat(100_000),
  ];
  for (const text of refused) assert.equal(parse(text), null, text.slice(0, 60));
  const notUtf8 = [[0x22, 0xff, 0x22], [0xff, 0xfe, 0x7b, 0, 0x7d, 0], [0x22, 0xed, 0xa0, 0x80, 0x22], [
    0x22,
    0xc0,
    0xaf,
    0x22,
  ]];
  for (const raw of notUtf8) assert.equal(parseStrictJson(new Uint8Array(raw)), null, String(raw));
});

Deno.test("parseStrictJson() takes equal names in different objects, strings that look like names, and whole pairs", () => {
  const taken = [
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":"b","b":"a","c":["a","a"]}',
    '{"a":"\\":1,\\"a\\":2"}',
    '{"a\\"":1,"a":2,"a\\\\":3}',
    '{"a":"\\ud83d\\ude00"}',
    '{"a":"\\\\ud800"}',
    `${"[".repeat(64)}${"]".repeat(64)}`,
    ' \n{"a":1}\r\n',
  ];
  for (const text of taken) assert.deepEqual(parse(text)?.value, JSON.parse(text), text);
});

Deno.test("parseStrictJson() knows integers from what is only equal to one", () => {
  for (const text of ["{}", "1", "-0", "[9007199254740991]", '{"a":"1.5"}']) {
    assert.equal(parse(text)?.isWhole, true, text);
  }
  for (const text of ["1.0", "1e3", "[1, 2.5]", "9007199254740993", "-9007199254740993", '{"a":1E0}']) {
    assert.equal(parse(text)?.isWhole, false, text);
  }
});

Deno.test("parseStrictJson() takes time in step with the text", () => {
  const text = `{"a":"${"\\\\".repeat(200_000)}","b":"${'\\"'.repeat(200_000)}"}`;
  assert.equal(String((parse(text)?.value as { a: string }).a).length, 200_000);
});
