import assert from "node:assert/strict";
import { readRequest, refusal, withNotes } from "../../../tests/support/notes.ts";
import { append } from "../../../tests/support/edits.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { DiffRequest } from "../editing/edit_requests.ts";

function diff(more: Partial<DiffRequest>): DiffRequest {
  return { page: "A", otherPage: null, otherContent: null, version: null, ...more };
}

Deno.test("diff() compares a page with another page or with a text", async () => {
  await withNotes({ files: { "A.md": "one\ntwo\n", "B.md": "one\nTWO\n" } }, async ({ notes, caller }) => {
    const pages = await notes.diff(caller(), diff({ otherPage: "B" }));
    assert.deepEqual(
      [pages.page, pages.other_page, pages.identical, pages.diff],
      ["A", "B", false, "--- A\n+++ B\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n"],
    );
    const text = await notes.diff(caller(), diff({ otherContent: "" }));
    assert.equal(text.diff, "--- A\n+++ <literal>\n@@ -1,2 +0,0 @@\n-one\n-two\n");
    const same = await notes.diff(caller(), diff({ otherContent: "one\ntwo\n" }));
    assert.deepEqual([same.identical, same.diff], [true, ""]);
    assert.match(same.etag, /^p/);
  });
});

Deno.test("diff() compares a version with the page as it is: by etag, change and time", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async ({ notes, caller, store }) => {
    const { info } = await notes.read(caller(), readRequest("A"));
    const first = await notes.append(caller(), append("two"));
    const second = await notes.append(caller(), append("three"));
    const shown = async (version: unknown) =>
      (await notes.diff(caller(), diff({ version: String(version) }))).diff.split("\n").slice(3).join("|");
    assert.equal(await shown(info["etag"]), " one|+|+two|+|+three|");
    assert.equal(await shown(`sha256:${sha256Hex("one\n")}`), " one|+|+two|+|+three|");
    assert.equal(await shown(info["last_modified_ms"]), " one|+|+two|+|+three|");
    assert.equal(await shown(first.etag), " one| | two|+|+three|");
    assert.equal(await shown(first.change), " one| | two|+|+three|");
    assert.equal(await shown(second.change), "");
    store.put("A.md", "other\n");
    assert.equal(await shown(second.etag), "-one|-|-two|-|-three|+other|");
  });
});

Deno.test("diff() finds a version that was only shown, without a history", async () => {
  await withNotes({ files: { "A.md": "one\n" }, withState: false }, async ({ notes, caller, store }) => {
    const { info } = await notes.read(caller(), readRequest("A"));
    store.put("A.md", "two\n");
    const { diff: text } = await notes.diff(caller(), diff({ version: String(info["etag"]) }));
    assert.match(text, /-one\n\+two/);
  });
});

Deno.test("diff() opens no version of another page, and none that nobody knows", async () => {
  const files = { "A.md": "one\n", "B.md": "secret of another page\n" };
  await withNotes({ files }, async ({ notes, caller }) => {
    const { info } = await notes.read(caller(), readRequest("B"));
    const { change } = await notes.append(caller(), append("x", { page: "B" }));
    const foreign = [
      info["etag"],
      change,
      `sha256:${sha256Hex(files["B.md"])}`,
      "v0000000000000000",
      "c00000000000a",
    ];
    for (const version of foreign) {
      await assert.rejects(notes.diff(caller(), diff({ version: String(version) })), refusal("not_found"));
    }
    await assert.rejects(notes.diff(caller(), diff({ version: "yesterday" })), refusal("invalid_argument"));
  });
});

Deno.test("diff() is bounded and says when it was cut", async () => {
  const long = (word: string) => Array.from({ length: 4000 }, (_, line) => `${word} ${line}\n`).join("");
  await withNotes({ files: { "A.md": long("a") } }, async ({ notes, caller }) => {
    const answer = await notes.diff(caller(), diff({ otherContent: long("b") }));
    assert.equal(answer.diff_cut, true);
    assert(answer.diff.length <= 24_000);
  });
});

Deno.test("diff() takes exactly one other, and needs the right to read both", async () => {
  await withNotes({ files: { "A.md": "one\n", "B.md": "two\n" } }, async ({ notes, caller }) => {
    for (const more of [{}, { otherPage: "B", otherContent: "" }, { otherPage: "B", version: "v0" }]) {
      await assert.rejects(
        notes.diff(caller(), diff(more)),
        refusal("invalid_argument", ({ message }) => assert.match(message, /pass exactly one of/)),
      );
    }
    const rights = { read: ["A"], write: ["**"] };
    await assert.rejects(notes.diff(caller({ rights }), diff({ otherPage: "B" })), refusal("forbidden_path"));
    const other = diff({ page: "B", otherPage: "A" });
    await assert.rejects(notes.diff(caller({ rights }), other), refusal("forbidden_path"));
    await assert.rejects(notes.diff(caller(), diff({ otherPage: "Missing" })), refusal("not_found"));
  });
});
