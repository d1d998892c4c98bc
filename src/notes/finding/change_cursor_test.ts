import assert from "node:assert/strict";
import { refusal } from "../../../tests/support/notes.ts";
import { openCursor, sealCursor, seqOf } from "./change_cursor.ts";

const present = "c1.00ff00ff00ff.999";

Deno.test("a sealed cursor opens to what it was, and shows nothing of the number in it", () => {
  for (const seq of [0, 1, 2, 255, 256, 123_456_789, 999_999_999_999_999]) {
    const plain = `c1.00ff00ff00ff.${seq}`;
    const sealed = sealCursor(plain);
    assert.match(sealed, /^c[A-Za-z0-9_-]{22}$/);
    assert.equal(openCursor(sealed, present), plain);
    assert.equal(sealCursor(plain), sealed, "the same place has the same cursor");
    assert.equal(seqOf(plain), seq);
  }
  const near = [10, 11, 12].map((seq) => sealCursor(`c1.00ff00ff00ff.${seq}`));
  const shared = [...near[0] ?? ""].filter((character, at) => character === near[1]?.[at]).length;
  assert(shared < 8, `${near.join(" ")} look alike`);
});

Deno.test("a cursor of an index that is gone, or one made up, opens to nothing", () => {
  assert.equal(openCursor(sealCursor("c1.aaaaaaaaaaaa.5"), present), null);
  const sealed = sealCursor("c1.00ff00ff00ff.5");
  for (let at = 1; at < sealed.length - 1; at++) {
    const other = sealed[at] === "A" ? "B" : "A";
    assert.equal(openCursor(sealed.slice(0, at) + other + sealed.slice(at + 1), present), null, String(at));
  }
});

Deno.test("what never was a cursor is refused", () => {
  for (const text of ["", "c", "c1.00ff00ff00ff.5", "x".repeat(23), "c" + "!".repeat(22), "c".repeat(5000)]) {
    assert.throws(() => openCursor(text, present), refusal("invalid_argument"));
  }
});
