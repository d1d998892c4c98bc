import assert from "node:assert/strict";
import { cites } from "../../tests/requirements.ts";
import { refusalOfDocument, textOfDocument } from "../../tests/support/documents.ts";
import {
  documentXml,
  makeDocx,
  namespaces,
  paragraph,
  relationships,
} from "../../tests/support/office_maker.ts";

const run = (text: string, properties = "") => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;

Deno.test("paragraphs are numbered as they stand, empty ones too, and tables by row", async () => {
  cites("documents.text");
  const cell = (text: string) => `<w:tc><w:tcPr/>${paragraph(text)}</w:tc>`;
  const body = [
    ...[paragraph("One"), "<w:p/>", paragraph("Two")],
    `<w:tbl><w:tblPr/><w:tr>${cell("a")}${cell("b")}</w:tr><w:tr>${cell("")}${cell("")}</w:tr><w:tr>${
      cell("c")
    }${cell("d")}</w:tr></w:tbl>`,
    `<w:sdt><w:sdtPr><w:t>properties</w:t></w:sdtPr><w:sdtContent>${
      paragraph("Three")
    }</w:sdtContent></w:sdt>`,
    `<w:tbl><w:tr><w:tc><w:tbl><w:tr>${cell("inner")}${cell("table")}</w:tr></w:tbl>${
      paragraph("below")
    }</w:tc></w:tr></w:tbl>`,
    `<w:sectPr><w:t>section</w:t></w:sectPr>`,
  ].join("");
  const { text, total, citations } = await textOfDocument(makeDocx(body), "docx");
  assert.equal(
    text,
    [
      ...["[¶1] One", "[¶3] Two", "[table 1 row 1] a\tb", "[table 1 row 3] c\td", "[¶4] Three"],
      "[table 2 row 1] inner table below",
    ].join("\n"),
  );
  assert.equal(total, 4);
  assert.deepEqual(citations[2], { line: 3, location: "table 1 row 1" });
});

Deno.test("tables inside of tables have the depth of XML", async () => {
  cites("documents.bounds");
  const nested = (depth: number) =>
    "<w:tbl><w:tr><w:tc>".repeat(depth) + paragraph("deep") + "</w:tc></w:tr></w:tbl>".repeat(depth);
  assert.equal((await textOfDocument(makeDocx(nested(80)), "docx")).text, "[table 1 row 1] deep");
  assert.equal(await refusalOfDocument(makeDocx(nested(100)), "docx"), "xml-too-deep");
});

Deno.test("insertions are shown, deletions and moved text not; hidden text is counted", async () => {
  const body =
    `<w:p>${run("kept ")}<w:ins>${run("added ")}</w:ins><w:del>${
      run("gone ")
    }<w:r><w:delText>gone</w:delText></w:r></w:del>` +
    `<w:moveFrom>${run("left ")}</w:moveFrom><w:moveTo>${run("came ")}</w:moveTo>${
      run("secret ", "<w:vanish/>")
    }` +
    `${run("shown", '<w:vanish w:val="0"/>')}</w:p>`;
  const { text, notices } = await textOfDocument(makeDocx(body), "docx");
  assert.equal(text, "[¶1] kept added came shown");
  assert.deepEqual(notices, [{ code: "hidden-text", count: 1 }]);
});

Deno.test("tabs, breaks, hyphens, links, fields and formulas read as they look", async () => {
  const body =
    `<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t>` +
    `<w:noBreakHyphen/><w:t>d </w:t><w:instrText>PAGE</w:instrText></w:r><w:hyperlink r:id="rId7">${
      run("link")
    }</w:hyperlink>` +
    `<w:fldSimple w:instr="DATE">${
      run(" field")
    }</w:fldSimple><m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t> x=1</m:t></m:r></m:oMath></w:p>`;
  assert.equal((await textOfDocument(makeDocx(body), "docx")).text, "[¶1] a\tb\nc-d link field x=1");
});

Deno.test("a text box is read once, below its paragraph", async () => {
  const box = `<w:txbxContent>${paragraph("boxed")}${paragraph("twice")}</w:txbxContent>`;
  const body = `<w:p>${
    run("Around")
  }<w:r><mc:AlternateContent><mc:Choice Requires="wps">${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent></w:r></w:p>`;
  const { text, total } = await textOfDocument(makeDocx(body), "docx");
  assert.equal(text, "[¶1] Around\nboxed\ntwice");
  assert.equal(total, 1);
});

Deno.test("footnotes, endnotes and comments follow the paragraph that refers to them, once", async () => {
  const reference = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
  const note = (kind: string, id: number, text: string, more = "") =>
    `<w:${kind} w:id="${id}"${more}>${paragraph(text)}</w:${kind}>`;
  const part = (root: string, content: string) =>
    `<w:${root} xmlns:w="${namespaces.w}">${content}</w:${root}>`;
  const body =
    `<w:p>${run("A")}${reference("footnote", 7)}${run(" B")}${reference("endnote", 2)}${
      reference("comment", 5)
    }</w:p>` +
    `<w:p>${run("C")}${reference("footnote", 9)}${reference("footnote", 7)}${
      reference("footnote", 404)
    }</w:p>`;
  const bytes = makeDocx(body, {
    "word/_rels/document.xml.rels": relationships([
      ...[["a", "footnotes", "footnotes.xml"], ["b", "endnotes", "endnotes.xml"], [
        "c",
        "comments",
        "comments.xml",
      ]] as const,
    ]),
    "word/footnotes.xml": part("footnotes", note("footnote", 9, "ninth") + note("footnote", 7, "seventh")),
    "word/endnotes.xml": part("endnotes", note("endnote", 2, "end")),
    "word/comments.xml": part("comments", note("comment", 5, "why?", ' w:author="Ann"')),
  });
  assert.equal(
    (await textOfDocument(bytes, "docx")).text,
    "[¶1] A[^1] B[^e1][^c1]\n[^1]: seventh\n[^e1]: end\n[^c1]: Ann: why?\n[¶2] C[^2][^1]\n[^2]: ninth",
  );
});

Deno.test("lists are counted as Word counts them", async () => {
  const level = (index: number, format: string, text: string) =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`;
  const numbering = `<w:numbering xmlns:w="${namespaces.w}"><w:abstractNum w:abstractNumId="3">` +
    `${level(0, "decimal", "%1.")}${level(1, "lowerLetter", "%1.%2)")}${
      level(2, "upperRoman", "%3")
    }</w:abstractNum>` +
    `<w:abstractNum w:abstractNumId="4">${level(0, "bullet", "")}</w:abstractNum>` +
    `<w:num w:numId="1"><w:abstractNumId w:val="3"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="4"/></w:num>` +
    `<w:num w:numId="5"><w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="6"/></w:lvlOverride></w:num></w:numbering>`;
  const item = (list: number, at: number, text: string) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr></w:pPr>${
      run(text)
    }</w:p>`;
  const styled = (style: string, text: string) =>
    `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${run(text)}</w:p>`;
  const styles =
    `<w:styles xmlns:w="${namespaces.w}"><w:style w:styleId="Base"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>` +
    `<w:style w:styleId="Derived"><w:basedOn w:val="Base"/></w:style><w:style w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style></w:styles>`;
  const body = [
    ...[
      item(1, 0, "one"),
      item(1, 1, "one a"),
      item(1, 1, "one b"),
      item(1, 2, "deep"),
      item(1, 0, "two"),
      item(1, 1, "two a"),
    ],
    ...[
      item(2, 0, "dot"),
      styled("Derived", "three"),
      styled("Loop", "plain"),
      item(0, 0, "out"),
      item(5, 0, "six"),
      item(99, 0, "lost"),
    ],
  ].join("");
  const bytes = makeDocx(body, {
    "word/_rels/document.xml.rels": relationships([["a", "numbering", "numbering.xml"], [
      "b",
      "styles",
      "styles.xml",
    ]]),
    "word/numbering.xml": numbering,
    "word/styles.xml": styles,
  });
  assert.deepEqual(
    (await textOfDocument(bytes, "docx")).text.split("\n").map((line) => line.replace(/^\[¶\d+\] /, "")),
    [
      ...["1. one", "1.a) one a", "1.b) one b", "I deep", "2. two", "2.a) two a"],
      ...["• dot", "3. three", "plain", "out", "6. six", "lost"],
    ],
  );
});

Deno.test("headers and footers come last and once; a document inside is counted", async () => {
  const edge = (root: string, text: string) =>
    `<w:${root} xmlns:w="${namespaces.w}">${paragraph(text)}</w:${root}>`;
  const bytes = makeDocx(`${paragraph("Body")}<w:altChunk r:id="x"/>`, {
    "word/_rels/document.xml.rels": relationships([
      ...[["a", "header", "h1.xml"], ["b", "header", "h2.xml"], ["c", "footer", "f1.xml"], [
        "d",
        "header",
        "h1.xml",
      ]] as const,
    ]),
    "word/h1.xml": edge("hdr", "Top"),
    "word/h2.xml": edge("hdr", "Top"),
    "word/f1.xml": edge("ftr", "Bottom"),
  });
  const { text, notices } = await textOfDocument(bytes, "docx");
  assert.equal(text, "[¶1] Body\n[header] Top\n[footer] Bottom");
  assert.deepEqual(notices, [{ code: "embedded-documents", count: 1 }]);
});

Deno.test("a document type in any part ends the reading", async () => {
  cites("documents.archives");
  const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`;
  const rels = relationships([["a", "styles", "styles.xml"], ["b", "footnotes", "footnotes.xml"]]);
  const parts = [
    { "word/document.xml": bomb + documentXml(paragraph("&b;")).replace(/^<\?xml.*\?>\n/, "") },
    { "word/_rels/document.xml.rels": bomb + rels },
    { "[Content_Types].xml": `${bomb}<Types/>` },
    { "word/_rels/document.xml.rels": rels, "word/styles.xml": `${bomb}<styles/>` },
    { "word/_rels/document.xml.rels": rels, "word/footnotes.xml": `${bomb}<footnotes/>` },
  ];
  const body = `<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>`;
  for (const part of parts) {
    assert.equal(await refusalOfDocument(makeDocx(body, part), "docx"), "xml-dtd", Object.keys(part).join());
  }
});

Deno.test("addresses outside of the document are never parts of it", async () => {
  const external = (target: string) =>
    relationships([["a", "header", target]]).replace("/>", ' TargetMode="External"/>');
  for (
    const target of ["file:///etc/passwd", "http://169.254.169.254/x", "word/document.xml", "document.xml"]
  ) {
    const bytes = makeDocx(paragraph("Body"), { "word/_rels/document.xml.rels": external(target) });
    assert.equal((await textOfDocument(bytes, "docx")).text, "[¶1] Body", target);
  }
  for (
    const target of ["../../../etc/passwd", "//host/x", "file:///etc/passwd", "..\\..\\x", "%2e%2e/x", ""]
  ) {
    const bytes = makeDocx(paragraph("Body"), {
      "word/_rels/document.xml.rels": relationships([["a", "header", target]]),
    });
    assert.equal((await textOfDocument(bytes, "docx")).text, "[¶1] Body", target);
  }
});
