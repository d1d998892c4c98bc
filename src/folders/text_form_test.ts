import assert from "node:assert/strict";
import {
  afterFeed,
  afterLastFeed,
  decodeAll,
  decodeFirst,
  type Encoding,
  textForm,
  wholeCharacters,
} from "./text_form.ts";

const utf8 = { encoding: "utf-8", bom: 0 } as const;
const bytes = (...values: number[]) => new Uint8Array(values);
const encode = (text: string) => new TextEncoder().encode(text);
const utf16le = (text: string) =>
  new Uint8Array([...text].flatMap((c) => {
    const units = [];
    for (let i = 0; i < c.length; i++) units.push(c.charCodeAt(i) & 255, c.charCodeAt(i) >> 8);
    return units;
  }));

Deno.test("textForm() goes by the byte order mark, then by what is asked, then UTF-8", () => {
  assert.deepEqual(textForm(encode("abc"), null), utf8);
  assert.deepEqual(textForm(bytes(0xef, 0xbb, 0xbf, 65), null), { encoding: "utf-8", bom: 3 });
  assert.deepEqual(textForm(bytes(0xff, 0xfe, 65, 0), null), { encoding: "utf-16le", bom: 2 });
  assert.deepEqual(textForm(bytes(0xfe, 0xff, 0, 65), null), { encoding: "utf-16be", bom: 2 });
  assert.deepEqual(textForm(bytes(0xef, 0xbb, 0xbf), "gbk"), { encoding: "gbk", bom: 0 });
  assert.deepEqual(textForm(bytes(65, 0, 66, 0), "utf-16le"), { encoding: "utf-16le", bom: 0 });
  assert.deepEqual(textForm(bytes(), null), utf8);
});

Deno.test("textForm() is null for what is no text", () => {
  assert.equal(textForm(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0), null), null);
  assert.equal(textForm(new Uint8Array(8192).fill(0xff), null), null);
  assert.equal(textForm(bytes(0xff, 0xfe, 0, 0, 65, 0, 0, 0), null), null);
  assert.equal(textForm(bytes(0, 0, 0xfe, 0xff), null), null);
  assert.equal(textForm(bytes(65, 0, 66, 0), null), null);
});

Deno.test("decodeFirst() never cuts a character, whatever the limit, and goes on where it ended", () => {
  const texts: Array<[Encoding, Uint8Array]> = [
    ["utf-8", encode("aé漢😀z\r\n".repeat(3))],
    [
      "utf-8",
      bytes(0xe2, 0x82, 0x41, 0xff, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0x80, 0xc0, 0xaf, 0xf0, 0x9f, 0x98),
    ],
    ["utf-16le", utf16le("a😀漢b")],
    ["windows-1252", bytes(0xe9, 0x80, 65)],
    ["gbk", bytes(0xc4, 0xe3, 65, 0x81, 0x30, 0x81, 0x30, 0xba, 0xc3)],
    ["shift_jis", bytes(0x93, 0xfa, 0x96, 0x7b, 65, 0xb1)],
    ["euc-kr", bytes(0xc7, 0xd1, 65, 0xb1, 0xdb)],
  ];
  for (const [encoding, source] of texts) {
    const form = { encoding, bom: 0 };
    const whole = decodeAll(source, form).text;
    for (let limit = 1; limit < 9; limit++) {
      let [text, offset] = ["", 0];
      while (offset < source.length) {
        const part = decodeFirst(source.subarray(offset), form, limit);
        assert.ok(part.used > 0 && part.text.isWellFormed() && [...part.text].length <= limit, encoding);
        text += part.text;
        offset += part.used;
      }
      assert.equal(text, whole, `${encoding} by ${limit}`);
    }
  }
});

Deno.test("decodeAll() counts what it replaced, and not what the file says itself", () => {
  assert.equal(decodeAll(encode("a\ufffdb"), utf8).replacements, 0);
  assert.equal(decodeAll(bytes(0xff, 0xef, 0xbf, 0xbd, 0x41), utf8).replacements, 1);
  assert.equal(decodeAll(bytes(0xed, 0xa0, 0x80), utf8).replacements, 3);
});

Deno.test("wholeCharacters() drops only what has begun", () => {
  assert.equal(wholeCharacters(encode("aé").subarray(0, 2), utf8).length, 1);
  assert.equal(wholeCharacters(encode("aé"), utf8).length, 3);
  assert.equal(wholeCharacters(encode("😀").subarray(0, 3), utf8).length, 3, "nothing else is there");
});

Deno.test("afterFeed() and afterLastFeed() find LF in units of the encoding", () => {
  assert.equal(afterFeed(encode("ab\ncd"), 0, utf8), 3);
  assert.equal(afterFeed(encode("ab"), 0, utf8), -1);
  assert.equal(afterLastFeed(encode("ab\ncd\n"), 5, utf8), 3);
  const le = { encoding: "utf-16le", bom: 0 } as const;
  assert.equal(afterFeed(utf16le("\u0a00a\nb"), 0, le), 6);
  assert.equal(afterLastFeed(utf16le("a\n\u0a0a"), 6, le), 4);
  const be = { encoding: "utf-16be", bom: 0 } as const;
  assert.equal(afterFeed(bytes(0x0a, 0x00, 0x00, 0x0a, 0, 65), 0, be), 4);
});
