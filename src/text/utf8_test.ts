import assert from "node:assert/strict";
import { AppError } from "../core/errors.ts";
import { fc, forAll, pageText } from "../../tests/support/page_texts.ts";
import { decodeUtf8, encodeUtf8, truncateUtf8, utf8Length } from "./utf8.ts";

Deno.test("decodeUtf8() gives back exactly what encodeUtf8() was given, byte order marks included", () => {
  forAll(pageText, (text) => assert.equal(decodeUtf8(encodeUtf8(text)), text));
  assert.equal(decodeUtf8(new Uint8Array([0xef, 0xbb, 0xbf, 0x61])), "\ufeffa");
});

Deno.test("decodeUtf8() takes nothing for text that would not come back as the same bytes", () => {
  const notUtf8 = [
    [0xff],
    [0xc3],
    [0xc0, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0x61, 0x80],
    [0x89, 0x50, 0x4e, 0x47],
  ];
  for (const bytes of notUtf8) assert.equal(decodeUtf8(new Uint8Array(bytes)), null, String(bytes));
});

Deno.test("encodeUtf8() refuses half a surrogate pair instead of writing U+FFFD", () => {
  for (const text of ["\ud83d", "a\ude00b", "\ude00\ud83d"]) {
    assert.throws(
      () => encodeUtf8(text),
      (error) => error instanceof AppError && error.code === "invalid_argument",
    );
  }
});

Deno.test("utf8Length() is the length of the encoded bytes", () => {
  forAll(fc.string({ unit: "binary", maxLength: 50 }), (text) => {
    assert.equal(utf8Length(text), new TextEncoder().encode(text).length);
  });
  assert.equal(utf8Length("\ud83d"), 3);
});

Deno.test("truncateUtf8() keeps the longest beginning that fits and cuts no character", () => {
  forAll(fc.tuple(pageText, fc.nat(40)), ([text, maxBytes]) => {
    const cut = truncateUtf8(text, maxBytes);
    assert.ok(text.startsWith(cut) && utf8Length(cut) <= maxBytes && cut.isWellFormed());
    const next = [...text.slice(cut.length)][0];
    assert.ok(next === undefined || utf8Length(cut + next) > maxBytes);
  });
});
