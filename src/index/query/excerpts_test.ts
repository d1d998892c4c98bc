import assert from "node:assert/strict";
import { everything, indexOf } from "../../../tests/support/index.ts";

Deno.test("an excerpt is the section around a line, whole lines within its bytes", async () => {
  const text = "intro\n# One\nfirst\nsecond\n## Sub\nthird\n# Two\r\nfourth\r\nfifth\r\n" +
    "filler line\n".repeat(30) + "deep place\nafter it\n";
  const index = await indexOf({ "A.md": text, "Hidden/B.md": "# Secret\nwords", "Empty.md": "" });
  const at = (line: number, maxBytes = 500) =>
    index.excerpt({ source: "", path: "A.md", line, maxBytes, visible: everything });
  assert.deepEqual(at(3), {
    text: "# One\nfirst\nsecond\n## Sub\nthird",
    firstLine: 2,
    lastLine: 6,
    heading: "One",
  });
  assert.deepEqual(at(6), { text: "## Sub\nthird", firstLine: 5, lastLine: 6, heading: "Sub" });
  assert.deepEqual(at(8, 20), { text: "# Two\nfourth\nfifth", firstLine: 7, lastLine: 9, heading: "Two" });
  assert.deepEqual(at(40)?.text, "filler line\nfiller line\ndeep place\nafter it");
  assert.equal(at(1)?.text, "intro");
  assert.equal(at(3, 4)?.text, "# On");
  assert.equal(at(99), null);
  const hidden = (path: string) => !path.startsWith("Hidden/");
  assert.equal(
    index.excerpt({ source: "", path: "Hidden/B.md", line: 1, maxBytes: 500, visible: hidden }),
    null,
  );
  assert.equal(
    index.excerpt({ source: "", path: "Nowhere.md", line: 1, maxBytes: 500, visible: everything }),
    null,
  );
  assert.deepEqual(index.files({ visible: hidden }).map(({ path }) => path), ["A.md", "Empty.md"]);
  await index.close();
});

Deno.test("an excerpt goes on across the parts of a long page, and cuts one long line to its bytes", async () => {
  const index = await indexOf({
    "Long.md": "word of text\n".repeat(3000),
    "Line.md": `系${"統".repeat(30_000)}`,
  });
  const excerpt = index.excerpt({
    source: "",
    path: "Long.md",
    line: 1255,
    maxBytes: 2000,
    visible: everything,
  });
  assert.equal(excerpt?.firstLine, 1253);
  assert.equal(excerpt?.text.length, 153 * 13 - 1);
  const cut = index.excerpt({ source: "", path: "Line.md", line: 1, maxBytes: 100, visible: everything });
  assert.equal(cut?.text, `系${"統".repeat(32)}`);
  await index.close();
});
