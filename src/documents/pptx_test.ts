import assert from "node:assert/strict";
import { cites } from "../../tests/requirements.ts";
import { outcomeOfDocument, textOfDocument } from "../../tests/support/documents.ts";
import { makePptx, relationships, shape } from "../../tests/support/office_maker.ts";

Deno.test("slides come in the order of the presentation, with their notes, not by the names of files", async () => {
  cites("documents.text");
  const bytes = makePptx([
    {
      shapes: shape(["First", "line two"], "title") + shape(["1"], "sldNum"),
      notes: shape(["Say hello"], "body") + shape(["1"], "sldNum"),
    },
    { shapes: "" },
    { shapes: shape(["Third"]) },
  ]);
  const { text, total, citations } = await textOfDocument(bytes, "pptx");
  assert.equal(text, "[slide 1] First\nline two\n[slide 1 notes] Say hello\n[slide 2]\n[slide 3] Third");
  assert.equal(total, 3);
  assert.deepEqual(citations.map(({ line, location }) => `${line} ${location}`), [
    ...["1 slide 1", "3 slide 1 notes", "4 slide 2", "5 slide 3"],
  ]);
});

Deno.test("hidden slides keep their number, are counted, and are read when they are named", async () => {
  const bytes = makePptx([
    { shapes: shape(["Shown"]) },
    { shapes: shape(["Hidden"]), attributes: 'show="0"' },
    { shapes: shape(["Last"]) },
  ]);
  const all = await textOfDocument(bytes, "pptx");
  assert.equal(all.text, "[slide 1] Shown\n[slide 3] Last");
  assert.deepEqual(all.notices, [{ code: "hidden-slides", count: 1 }]);
  assert.equal((await textOfDocument(bytes, "pptx", { pages: "2" })).text, "[slide 2] Hidden");
});

Deno.test("tables, groups, breaks, hidden shapes, second forms and numbers of slides", async () => {
  const cell = (text: string) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
  const table =
    `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="1" name="t"/></p:nvGraphicFramePr><a:graphic><a:graphicData><a:tbl><a:tr>${
      cell("a")
    }${cell("b")}</a:tr><a:tr>${cell("c")}${
      cell("")
    }</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
  const hidden = shape(["unseen"]).replace('name="x"', 'name="x" hidden="1"');
  const number =
    `<p:sp><p:txBody><a:p><a:r><a:t>Page </a:t></a:r><a:fld type="slidenum"><a:t>7</a:t></a:fld><a:br/><a:r><a:t>end</a:t></a:r></a:p></p:txBody></p:sp>`;
  const forms =
    `<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x">${
      shape(["new form"])
    }</mc:Choice><mc:Fallback>${shape(["old form"])}</mc:Fallback></mc:AlternateContent>`;
  const bytes = makePptx([{
    shapes: `<p:grpSp>${shape(["grouped"])}</p:grpSp>${table}${hidden}${number}${forms}`,
  }]);
  assert.equal(
    (await textOfDocument(bytes, "pptx")).text,
    "[slide 1] grouped\na\tb\nc\nPage\nend\nnew form",
  );
});

Deno.test("the words of charts and diagrams belong to the slide that shows them", async () => {
  const frame = (content: string) =>
    `<p:graphicFrame><p:nvGraphicFramePr/><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></p:graphicFrame>`;
  const chart = "http://schemas.openxmlformats.org/drawingml/2006/chart";
  const diagram = "http://schemas.openxmlformats.org/drawingml/2006/diagram";
  const drawing = "http://schemas.openxmlformats.org/drawingml/2006/main";
  const bytes = makePptx([{
    shapes: frame(`<c:chart xmlns:c="${chart}" r:id="c1"/>`) +
      frame(`<d:relIds xmlns:d="${diagram}" r:dm="d1"/>`),
  }], {
    "ppt/slides/_rels/slide1.xml.rels": relationships([["c1", "chart", "../charts/chart1.xml"], [
      "d1",
      "diagramData",
      "../diagrams/data1.xml",
    ]]),
    "ppt/charts/chart1.xml":
      `<c:chartSpace xmlns:c="${chart}" xmlns:a="${drawing}"><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:strCache><c:v>North</c:v><c:v>North</c:v></c:strCache><c:numRef><c:v>42</c:v></c:numRef></c:chartSpace>`,
    "ppt/diagrams/data1.xml":
      `<d:dataModel xmlns:d="${diagram}" xmlns:a="${drawing}"><d:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></d:t></d:dataModel>`,
  });
  assert.equal((await textOfDocument(bytes, "pptx")).text, "[slide 1] Sales\nNorth\nPlan");
});

Deno.test("a reading ends at its limit of slides and says how to go on", async () => {
  const bytes = makePptx(
    Array.from({ length: 1000 }, (_, index) => ({ shapes: shape([`S${index + 1}`]) })),
    {},
  );
  const limits = { maxMembers: 3000, maxPages: 400 };
  const first = await textOfDocument(bytes, "pptx", { limits });
  assert.deepEqual([first.cut, first.next, first.total, first.citations.length], [
    "pages",
    "401-1000",
    1000,
    400,
  ]);
  const last = await textOfDocument(bytes, "pptx", { limits, pages: "801-1000" });
  assert.deepEqual([last.cut, last.next, last.citations.at(-1)?.location], [null, null, "slide 1000"]);
});

Deno.test("what is not there is told", async () => {
  const bytes = makePptx([{ shapes: "" }]);
  assert.deepEqual(await outcomeOfDocument(bytes, "pptx", { pages: "2" }), {
    kind: "unselectable",
    message: "There is no slide 2: the document has 1 slide",
  });
  assert.equal((await outcomeOfDocument(bytes, "pptx", { sheet: "1" })).kind, "unselectable");
});
