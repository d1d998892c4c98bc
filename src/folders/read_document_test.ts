import assert from "node:assert/strict";
import { refusalOf, whole, withFolders } from "../../tests/support/folders.ts";
import { defaultLimits, type DocumentOutcome, type DocumentRequest } from "../documents/outcome.ts";
import type { ReadAnswer } from "./answers.ts";

Deno.test("a document is answered by its name where nobody parses any", async () => {
  await withFolders(
    { "a.pdf": "%PDF-1.7", "b.txt": "%PDF-1.7 in a text", "c.DOCX": "x" },
    async ({ folders, caller }) => {
      for (const path of ["a.pdf", "b.txt", "c.DOCX"]) {
        const read = () => folders.read(caller, { ...whole, root: "r", path });
        assert.equal(await refusalOf(read), "invalid-argument documents-unavailable", path);
        const range = () =>
          folders.readRange(caller, {
            root: "r",
            path,
            startLine: 1,
            lineCount: 1,
            maxChars: null,
            encoding: null,
          });
        assert.equal(await refusalOf(range), "invalid-argument document", path);
      }
      assert.equal((await folders.info(caller, { root: "r", path: "c.DOCX" })).readable_as, "docx");
    },
  );
});

Deno.test("the text of a document is cut, continued and searched by its characters, with places", async () => {
  const text = "[p.1] one 😀\n[p.2] two needle\n";
  const asked: unknown[] = [];
  const documents = {
    limits: { ...defaultLimits, maxFileBytes: 100 },
    read: (bytes: Uint8Array, request: DocumentRequest): Promise<DocumentOutcome> => {
      asked.push([bytes.length, request.format, request.pages, request.sheet]);
      if (request.pages === "9") return Promise.resolve({ kind: "unselectable", message: "It has 2 pages" });
      if (bytes.length === 3) return Promise.resolve({ kind: "rejected", reason: "encrypted" });
      if (bytes.length === 4) return Promise.resolve({ kind: "unavailable", reason: "busy" });
      const citations = [{ line: 1, location: "p.1" }, { line: 2, location: "p.2" }];
      const rest = { cut: null, next: null, total: 2, notices: [] };
      return Promise.resolve({ kind: "text", format: "pdf", text, citations, ...rest });
    },
  };
  const files = { "a.pdf": "%PDF-", "e.pdf": "abc", "busy.pdf": "abcd", "big.pdf": "x".repeat(101) };
  await withFolders(files, async ({ folders, caller }) => {
    const read = (path: string, more = {}) => folders.read(caller, { ...whole, root: "r", path, ...more });
    const first = await read("a.pdf", { maxChars: 11, pages: "1-2" }) as ReadAnswer;
    assert.deepEqual([first.content, first.truncated, first.next_offset], ["[p.1] one 😀", true, 11]);
    const rest = await read("a.pdf", { offset: 11 }) as ReadAnswer;
    assert.deepEqual([first.content + rest.content, rest.truncated], [text, false]);
    assert.deepEqual(asked[0], [5, "pdf", "1-2", null]);
    assert.equal(await refusalOf(() => read("e.pdf")), "archive-rejected encrypted");
    assert.equal(await refusalOf(() => read("big.pdf")), "archive-rejected too-large");
    assert.equal(await refusalOf(() => read("busy.pdf")), "permission-denied busy");
    assert.equal(await refusalOf(() => read("a.pdf", { pages: "9" })), "invalid-argument unselectable");
    const found = await folders.search(caller, {
      ...{ root: "r", path: "", q: "needle", glob: null, caseSensitive: false, maxChars: null },
      ...{ encoding: null, cursor: null },
    });
    assert.deepEqual(found.matches.map(({ ref, line, location }) => [ref, line, location]), [[
      "r/a.pdf",
      2,
      "p.2",
    ]]);
    assert.deepEqual(found.skipped, { too_large: 1, unreadable: 2 });
  }, { documents });
});

Deno.test("only so many documents are in memory at once, and who goes away while waiting is gone", async () => {
  let inside = 0;
  let most = 0;
  const doors: Array<() => void> = [];
  const documents = {
    limits: defaultLimits,
    read: async (): Promise<DocumentOutcome> => {
      most = Math.max(most, ++inside);
      await new Promise<void>((resolve) => doors.push(resolve));
      inside--;
      return { kind: "rejected", reason: "damaged" };
    },
  };
  await withFolders({ "a.pdf": "%PDF-" }, async ({ folders, caller }) => {
    const gone = new AbortController();
    const read = (signal = caller.signal) => () =>
      folders.read({ ...caller, signal }, { ...whole, root: "r", path: "a.pdf" });
    const asked = Array.from({ length: 8 }, () => refusalOf(read()));
    while (doors.length < 2) await folders.list(caller, { root: "r", path: "", cursor: null });
    const away = assert.rejects(read(gone.signal)(), /away/);
    await folders.list(caller, { root: "r", path: "", cursor: null });
    gone.abort(new Error("away"));
    await away;
    const all = Promise.all(asked);
    let isOver = false;
    const over = all.finally(() => isOver = true);
    while (!isOver) {
      doors.shift()?.();
      await folders.list(caller, { root: "r", path: "", cursor: null });
    }
    await over;
    assert.deepEqual(new Set(await all), new Set(["archive-rejected damaged"]));
    assert.equal(most, 2);
  }, { documents });
});
