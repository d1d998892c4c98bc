import assert from "node:assert/strict";
import { Unselectable } from "./rejection.ts";
import { pagesFrom, parsePages, selectedPages, selectSheet } from "./selection.ts";

const select = (text: string, total: number) => [...selectedPages(parsePages(text), { total, unit: "page" })];

Deno.test("`pages` is a page, a range, or a list; each page once and in order", () => {
  assert.deepEqual(select("2", 5), [2]);
  assert.deepEqual(select("2-5", 5), [2, 3, 4, 5]);
  assert.deepEqual(select("1,3-4", 5), [1, 3, 4]);
  assert.deepEqual(select(" 4 - 5 , 1,4", 9), [1, 4, 5]);
  assert.deepEqual(select("1-10,2-3,5", 10), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual(select("4-1000", 5), [4, 5]);
  assert.deepEqual([...selectedPages(null, { total: 3, unit: "page" })], [1, 2, 3]);
  assert.deepEqual([...selectedPages(null, { total: 0, unit: "page" })], []);
});

Deno.test("anything else is told with the form that is wanted", () => {
  const wrong = [
    "",
    "0",
    "-1",
    "1-",
    "5-2",
    "a",
    "1;2",
    "1,,2",
    "1.5",
    "1e3",
    "１",
    "+1",
    "9999999999",
    "1,".repeat(200) + "1",
  ];
  for (const text of wrong) {
    assert.throws(
      () => parsePages(text),
      { name: "Unselectable", message: /^`pages` is a page, a range/ },
      text,
    );
  }
});

Deno.test("a page beyond the end is told with the number of pages", () => {
  assert.throws(() => select("6", 5), new Unselectable("There is no page 6: the document has 5 pages"));
  assert.throws(() => select("1,3", 1), new Unselectable("There is no page 3: the document has 1 page"));
});

Deno.test("pagesFrom() is what is left of a selection", () => {
  assert.equal(pagesFrom(null, { page: 4, total: 9 }), "4-9");
  assert.equal(pagesFrom(parsePages("1-3,7,8-20"), { page: 3, total: 10 }), "3,7,8-10");
  assert.equal(pagesFrom(parsePages("1-3"), { page: 4, total: 10 }), null);
});

Deno.test("selectSheet() takes a name, a number, or rows as a citation has them", () => {
  const names = ["Sales", "2", "Bob's!", "10-12", "Übersicht"];
  const at = (text: string) => selectSheet(text, names);
  assert.deepEqual(at("Sales"), { index: 0, rows: null });
  assert.deepEqual(at("sales"), { index: 0, rows: null });
  assert.deepEqual(at("1"), { index: 0, rows: null });
  assert.deepEqual(at("2"), { index: 1, rows: null }, "a name wins over a number");
  assert.deepEqual(at("3"), { index: 2, rows: null });
  assert.deepEqual(at("übersicht"), { index: 4, rows: null });
  assert.deepEqual(at("Sales!2001-4000"), { index: 0, rows: [2001, 4000] });
  assert.deepEqual(at("Sales!7"), { index: 0, rows: [7, 7] });
  assert.deepEqual(at("'Bob''s!'!2-5"), { index: 2, rows: [2, 5] });
  assert.deepEqual(at("Bob's!"), { index: 2, rows: null });
  for (const text of ["", "0", "6", "None", "Sales!5-2", "Sales!0", "Sales!a-b", "__proto__"]) {
    assert.throws(() => at(text), {
      name: "Unselectable",
      message: /there are: 1 "Sales", 2 "2", 3 "Bob's!"/,
    }, text);
  }
});
