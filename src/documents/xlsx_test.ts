import assert from "node:assert/strict";
import { cites } from "../../tests/requirements.ts";
import { outcomeOfDocument, refusalOfDocument, textOfDocument } from "../../tests/support/documents.ts";
import { makeXlsx, namespaces, textRow } from "../../tests/support/office_maker.ts";

const sheet = (rows: string, name = "Data") => [{ name, rows }];
const strings = (...texts: string[]) => ({
  "xl/sharedStrings.xml": `<sst xmlns="${namespaces.s}">${
    texts.map((text) => `<si>${text}</si>`).join("")
  }</sst>`,
});
const styles = (...formats: Array<number | string>) => {
  const own = formats.filter((format) => typeof format === "string");
  const numFmts = own.map((code, index) => `<numFmt numFmtId="${170 + index}" formatCode="${code}"/>`).join(
    "",
  );
  const xfs = formats.map((format) =>
    `<xf numFmtId="${typeof format === "string" ? 170 + own.indexOf(format) : format}"/>`
  ).join("");
  return {
    "xl/styles.xml":
      `<styleSheet xmlns="${namespaces.s}"><numFmts>${numFmts}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${xfs}</cellXfs></styleSheet>`,
  };
};

Deno.test("rows that follow each other are one block of at most twenty, and cells stand at their columns", async () => {
  cites("documents.text");
  const rows = [textRow(2, ["a", "b"]), textRow(3, ["c"]), `<row r="4"/>`, textRow(7, ["", "", "e"])].join(
    "",
  );
  const many = Array.from({ length: 45 }, (_, index) => textRow(index + 1, [`r${index + 1}`])).join("");
  const bytes = makeXlsx([...sheet(rows), ...sheet(many, "Many rows")]);
  const { text, citations, total } = await textOfDocument(bytes, "xlsx");
  const lines = text.split("\n");
  assert.deepEqual(lines.slice(0, 4), ["[Data!2-3] a\tb", "c", "[Data!7-7] \t\te", "[Many rows!1-20] r1"]);
  assert.deepEqual(citations.map(({ line, location }) => `${line} ${location}`), [
    ...["1 Data!2-3", "3 Data!7-7", "4 Many rows!1-20", "24 Many rows!21-40", "44 Many rows!41-45"],
  ]);
  assert.equal(lines[23 + 19], "r40");
  assert.equal(total, 2);
});

Deno.test("cells show what a person sees: texts, numbers, booleans, errors, results of formulas", async () => {
  const rows =
    `<row r="1"><c r="A1" t="s"><v>1</v></c><c r="B1" t="s"><v>0</v></c><c r="D1" t="inlineStr"><is><r><t>rich </t></r><r><t>text</t></r></is></c></row>
    <row r="2"><c r="A2"><v>0.30000000000000004</v></c><c r="B2"><v>1E+20</v></c><c r="C2"><v>-1.50</v></c><c r="D2" t="b"><v>1</v></c><c r="E2" t="b"><v>0</v></c><c r="F2" t="e"><v>#N/A</v></c></row>
    <row r="3"><c r="A3"><f>A1+A2</f><v>7</v></c><c r="B3" t="str"><f>"x"</f><v>x &amp; y</v></c><c r="C3"><f>WEBSERVICE("http://127.0.0.1/")</f></c><c r="D3" t="d"><v>2026-12-01</v></c></row>
    <row r="4"><c r="A4" t="inlineStr"><is><t>two\nlines\tand tab</t></is></c></row>`;
  const bytes = makeXlsx(
    sheet(rows),
    strings("<t>second</t>", "<r><t>fir</t></r><r><t>st</t></r><rPh><t>aid</t></rPh>"),
  );
  assert.equal(
    (await textOfDocument(bytes, "xlsx")).text,
    [
      ...["[Data!1-4] first\tsecond\t\trich text", "0.3\t100000000000000000000\t-1.5\tTRUE\tFALSE\t#N/A"],
      ...[`7\tx & y\t=WEBSERVICE("http://127.0.0.1/")\t2026-12-01`, "two lines and tab"],
    ].join("\n"),
  );
});

Deno.test("numbers in formats of dates are dates, in both epochs", async () => {
  const formats = [
    0,
    14,
    22,
    20,
    46,
    "yyyy\\-mm\\-dd",
    "0.0&quot; days&quot;",
    "[Red]0.00",
    "[h]:mm",
    "h:mm AM/PM",
    "0.00E+00",
    "General",
    "mmm",
    "#,##0;[Red]-#,##0",
  ];
  const row = (number: number, value: number) =>
    `<row r="${number}">${formats.map((_, index) => `<c s="${index}"><v>${value}</v></c>`).join("")}</row>`;
  const bytes = makeXlsx(sheet(row(1, 46357.75)), styles(...formats));
  assert.deepEqual((await textOfDocument(bytes, "xlsx")).text.replace("[Data!1-1] ", "").split("\t"), [
    ...[
      "46357.75",
      "2026-12-01T18:00:00",
      "2026-12-01T18:00:00",
      "18:00:00",
      "1112586:00:00",
      "2026-12-01T18:00:00",
    ],
    ...[
      "46357.75",
      "46357.75",
      "1112586:00:00",
      "18:00:00",
      "46357.75",
      "46357.75",
      "2026-12-01T18:00:00",
      "46357.75",
    ],
  ]);
  const days = [0, 1, 59, 60, 61, 2958465, 2958466, -1].map((value) => `<c s="0"><v>${value}</v></c>`).join(
    "",
  );
  const dates = (more: Record<string, string>) =>
    textOfDocument(makeXlsx(sheet(`<row r="1">${days}</row>`), { ...styles(14), ...more }), "xlsx");
  assert.deepEqual((await dates({})).text.replace("[Data!1-1] ", "").split("\t"), [
    ...["1899-12-31", "1900-01-01", "1900-02-28", "1900-02-29", "1900-03-01", "9999-12-31", "2958466", "-1"],
  ]);
  const workbook =
    `<workbook xmlns="${namespaces.s}" xmlns:r="${namespaces.r}"><workbookPr date1904="1"/><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`;
  const since1904 = (await dates({ "xl/workbook.xml": workbook })).text;
  assert.ok(since1904.startsWith("[Data!1-1] 1904-01-01\t1904-01-02\t1904-02-29"), since1904);
});

Deno.test("hidden sheets are counted and read only when they are named", async () => {
  const bytes = makeXlsx([
    { name: "Shown", rows: textRow(1, ["a"]) },
    { name: "Hidden", state: "hidden", rows: textRow(1, ["b"]) },
    { name: "Very", state: "veryHidden", rows: textRow(1, ["c"]) },
  ]);
  const all = await textOfDocument(bytes, "xlsx");
  assert.equal(all.text, "[Shown!1-1] a");
  assert.deepEqual(all.notices, [{ code: "hidden-sheets", count: 2 }]);
  assert.equal((await textOfDocument(bytes, "xlsx", { sheet: "Hidden" })).text, "[Hidden!1-1] b");
  assert.equal((await textOfDocument(bytes, "xlsx", { sheet: "3" })).text, "[Very!1-1] c");
});

Deno.test("limits of sheets, rows and columns hold at exactly their figures, and what is cut is told", async () => {
  cites("documents.bounds");
  const limits = { maxSheets: 2, maxRows: 3, maxColumns: 2 };
  const rows = (count: number, cells: string[]) =>
    Array.from({ length: count }, (_, index) => textRow(index + 1, cells)).join("");
  const fitting = await textOfDocument(makeXlsx([...sheet(rows(3, ["x", "y"])), ...sheet("", "B")]), "xlsx", {
    limits,
  });
  assert.deepEqual(fitting.notices, []);
  const bytes = makeXlsx([
    ...sheet(rows(4, ["x", "y", "z"])),
    ...sheet("", "B"),
    ...sheet(rows(1, ["w"]), "C"),
  ]);
  const cut = await textOfDocument(bytes, "xlsx", { limits });
  assert.equal(cut.text, "[Data!1-3] x\ty\nx\ty\nx\ty");
  assert.deepEqual(
    new Map(cut.notices.map(({ code, count }) => [code, count])),
    new Map([["sheets-cut", 1], ["columns-cut", 4], ["rows-cut", 1]]),
  );
  const rest = await textOfDocument(bytes, "xlsx", { limits, sheet: "Data!4-4000" });
  assert.equal(rest.text, "[Data!4-4] x\ty");
  assert.equal((await textOfDocument(bytes, "xlsx", { limits, sheet: "C" })).text, "[C!1-1] w");
});

Deno.test("a million empty rows and a claimed size cost nothing", async () => {
  const rows = textRow(1, ["top"]) +
    `<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>corner</t></is></c></row>`;
  const wide = await textOfDocument(makeXlsx(sheet(rows)), "xlsx", { limits: { maxColumns: 16_384 } });
  assert.equal(wide.text, `[Data!1-1] top\n[Data!1048576-1048576] ${"\t".repeat(16_383)}corner`);
});

Deno.test("places that no worksheet has end the reading", async () => {
  cites("documents.bounds");
  const cell = (reference: string) =>
    `<row r="1"><c r="${reference}" t="inlineStr"><is><t>x</t></is></c></row>`;
  const wrong = [
    ...["XFE1", "A16777217", "AAAAAAA1", "A0", "1", "A", "", "A-1", "Ä1", "A1:B2"].map(cell),
    ...["0", "-1", "1048577", "x", "1e3", "99999999999"].map((number) => `<row r="${number}"/>`),
    `<row r="5"/><row r="5"/>`,
    `<row r="5"/><row r="4"/>`,
    ...["9", "-1", "x", "1e0", ""].map((index) => `<row r="1"><c t="s"><v>${index}</v></c></row>`),
  ];
  for (const rows of wrong) {
    assert.equal(
      await refusalOfDocument(makeXlsx(sheet(rows), strings("<t>a</t>")), "xlsx"),
      "out-of-range",
      rows,
    );
  }
});

Deno.test("names of sheets cannot end their citation", async () => {
  const names = ["a]!b", "It's", "new&#10;line", " edge ", "[p.1]", "plain name", "rtl\u202ename"];
  const bytes = makeXlsx(names.map((name) => ({ name, rows: textRow(1, ["x"]) })));
  assert.deepEqual((await textOfDocument(bytes, "xlsx")).text.split("\n"), [
    ...["['a]!b'!1-1] x", "['It''s'!1-1] x", "[new\u240aline!1-1] x", "[' edge '!1-1] x", "['[p.1]'!1-1] x"],
    ...["[plain name!1-1] x", "[rtl\ufffdname!1-1] x"],
  ]);
  assert.equal((await textOfDocument(bytes, "xlsx", { sheet: "'a]!b'!1-9" })).text, "['a]!b'!1-1] x");
});

Deno.test("what is not there is told with what is", async () => {
  const bytes = makeXlsx(sheet(""));
  assert.deepEqual(await outcomeOfDocument(bytes, "xlsx", { sheet: "Other" }), {
    kind: "unselectable",
    message: 'There is no sheet "Other"; there are: 1 "Data"',
  });
  assert.equal((await outcomeOfDocument(bytes, "xlsx", { pages: "1" })).kind, "unselectable");
});
