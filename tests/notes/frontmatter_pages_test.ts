/**
 * `set_frontmatter` over the frontmatter of real pages and of generated ones: judged by another YAML library, only the
 * bytes of the key that was named are others afterwards.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { isMap, isScalar, parseDocument } from "yaml";
import { locateFrontmatter } from "../../src/text/frontmatter/frontmatter.ts";
import { hasData, pagesBelow, readPage, withVault } from "../bench/search/vault.ts";
import { cites } from "../requirements.ts";
import { frontmatter } from "../support/edits.ts";
import { withNotes } from "../support/notes.ts";

interface Place {
  readonly key: string;
  /** Where the pair begins and where the next one, or the end of the YAML, does. */
  readonly from: number;
  readonly to: number;
  readonly value: unknown;
}

interface Parsed {
  readonly places: readonly Place[];
  readonly values: Readonly<Record<string, unknown>>;
}

/** Where every key stands, as offsets in the page; `null` where there is no frontmatter with plain keys. */
function parse(page: string): Parsed | null {
  const block = locateFrontmatter(page);
  if (block === null) return null;
  const yaml = page.slice(block.yamlStart, block.yamlEnd).replaceAll("\r\n", "\n");
  const document = parseDocument(yaml);
  if (document.errors.length > 0 || !isMap(document.contents) || document.contents.flow === true) return null;
  const starts = document.contents.items.map(({ key }) => isScalar(key) ? key.range?.[0] ?? -1 : -1);
  if (starts.includes(-1)) return null;
  const values = document.toJS() as Record<string, unknown>;
  // With CRLF the library's offsets are those of another text: only the values are asked for.
  if (page.includes("\r\n")) return { places: [], values };
  const places = document.contents.items.map(({ key }, index) => {
    const name = String(isScalar(key) ? key.value : "");
    const next = starts[index + 1];
    return {
      key: name,
      from: block.yamlStart + (starts[index] ?? 0),
      to: next === undefined ? block.yamlEnd : block.yamlStart + next,
      value: values[name],
    };
  });
  return { places, values };
}

/** What lies between the common beginning and the common end of both texts, as offsets in `before`. */
function changed(before: string, after: string): { readonly from: number; readonly to: number } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let tail = 0;
  while (tail < shorter - from && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  return { from, to: before.length - tail };
}

const wanted: readonly (readonly [yaml: string, value: unknown])[] = [
  ["zzz changed", "zzz changed"],
  ["[a, b c]", ["a", "b c"]],
  ['"2024-01-02"', "2024-01-02"],
  ["{x: 1}", { x: 1 }],
  ["true", true],
];

/** Sets every key of every page to another value, adds one and removes one; answers how many edits there were. */
async function checkPages(pages: ReadonlyMap<string, string>): Promise<number> {
  let edits = 0;
  const files = { "A.md": "" };
  await withNotes(
    { files, withState: false, settings: { protectedContent: true } },
    async ({ notes, caller, store }) => {
      async function edited(page: string, set: string | null, remove: readonly string[]): Promise<string> {
        store.put("A.md", page);
        await notes.setFrontmatter(caller(), frontmatter(set, { remove }));
        edits++;
        return store.text("A.md") ?? "";
      }
      for (const [name, page] of pages) {
        const before = parse(page);
        if (before === null) continue;
        for (const [index, { key, from, to }] of before.places.entries()) {
          const where = `${name}: ${key}`;
          const [yaml, value] = wanted[index % wanted.length] ?? ["x", "x"];
          const after = await edited(page, `${JSON.stringify(key)}: ${yaml}`, []);
          const place = changed(page, after);
          assert(
            place.from >= from && place.to <= to,
            `${where}: bytes ${place.from}-${place.to} of ${from}-${to}`,
          );
          assert.deepEqual(parse(after)?.values, { ...before.values, [key]: value }, where);
          const gone = await edited(page, null, [key]);
          const { [key]: _, ...rest } = before.values;
          assert.deepEqual(parse(gone)?.values ?? {}, rest, where);
          const cut = changed(page, gone);
          assert(
            cut.to - cut.from <= to - from + 8,
            `${where} removed: bytes ${cut.from}-${cut.to} of ${from}-${to}`,
          );
        }
        const more = await edited(page, "brand_new: 1", []);
        assert.deepEqual(parse(more)?.values, { ...before.values, brand_new: 1 }, name);
        const added = changed(page, more);
        assert.equal(added.from, added.to, `${name}: a new key takes no byte away`);
        assert.equal(
          await edited(more, null, ["brand_new"]),
          page,
          `${name}: taken out again, the page is what it was`,
        );
      }
    },
  );
  return edits;
}

Deno.test({
  name: `setting keys of 200 real frontmatters changes their own bytes alone${
    hasData ? "" : " (no data beside the project)"
  }`,
  ignore: !hasData,
  async fn() {
    cites("edits.frontmatter");
    const pages = new Map<string, string>();
    for (const vault of ["sb-docs-libraries/sb-docs", "sb-docs-libraries/sb-libraries", "seekstone-1k"]) {
      const [archive = "", inner = archive] = vault.split("/");
      await withVault(archive, async (folder) => {
        const root = inner === archive ? folder : folder.replace(/[^/]+$/, inner);
        for (const path of await pagesBelow(root)) {
          if (pages.size >= 200) return;
          const { text } = await readPage(root, path);
          if (parse(text) !== null) pages.set(`${inner}/${path}`, text);
        }
      });
    }
    assert.equal(pages.size, 200);
    const edits = await checkPages(pages);
    assert(edits > 1000, `${edits} edits`);
  },
});

/** Frontmatter of many styles, as people write it. */
const pairs = [
  "title: A page",
  'title: "A: page"',
  "title: 'it''s'",
  "date: 2026-01-02",
  "date: 2026-01-02T10:00:00Z # noon",
  "tags: one two",
  "tags: [one,  two]",
  "tags:\n- one\n- two",
  "tags:\n  - one # first\n\n  - two",
  "text: |\n  one\n\n  two",
  "text: >-\n  one\n  two",
  "map:\n  a: 1\n  b: { c: d }",
  "empty:",
  "nothing: ~",
  "number: 007",
  "emoji: 😀 日本語 e\u0301",
  "url: https://example.org/a#b",
  '"quoted key": 1',
  "key with spaces: 1",
  "# a comment\ncommented: yes",
  "long: one\n  two\n  three",
  "template: <b>x</b>",
];

Deno.test("setting keys of generated frontmatters changes their own bytes alone", async () => {
  cites("edits.frontmatter");
  const lines = fc.sample(
    fc.uniqueArray(fc.constantFrom(...pairs), { minLength: 1, maxLength: 7, selector: keyOf }),
    {
      numRuns: 200,
      seed: 20261130,
    },
  );
  const pages = new Map(lines.map((chosen, index) => {
    const mark = index % 7 === 3 ? "\ufeff" : "";
    return [`generated ${index}`, `${mark}---\n${chosen.join("\n")}\n---\n\ntext --- with\n---\n`] as const;
  }));
  assert(await checkPages(pages) > 1000);
});

Deno.test("keys are set in frontmatter with CRLF, and every line break stays", async () => {
  cites("edits.frontmatter");
  const page = "---\r\n# c\r\na: 1\r\nb:\r\n- x\r\n- y\r\n---\r\ntext\r\n";
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller, store }) => {
    await notes.setFrontmatter(caller(), frontmatter("b: [z]\nnew: 1"));
    assert.equal(store.text("A.md"), "---\r\n# c\r\na: 1\r\nb: [z]\r\nnew: 1\r\n---\r\ntext\r\n");
    assert.deepEqual(parse(store.text("A.md") ?? "")?.values, { a: 1, b: ["z"], new: 1 });
  });
});

function keyOf(pair: string): string {
  return pair.replace(/^#.*\n/, "").split(":")[0] ?? "";
}
