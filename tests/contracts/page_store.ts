/**
 * The contract of `PageStore`, as tests over any implementation of it.
 *
 * Every case works below a folder of its own and leaves nothing behind, so that it may run against a space that is in use.
 */

import assert from "node:assert/strict";
import { type PagePath, parseListedPath } from "../../src/core/page_name.ts";
import type { Guarantee, PageContent, PageStore } from "../../src/core/page_store.ts";
import { sha256Hex } from "../../src/core/secrets.ts";

export interface Subject {
  readonly store: PageStore;
  /** What a plain, undisturbed change promises. */
  readonly guarantee: Guarantee;
  close(): Promise<void> | void;
}

export interface ContractOptions {
  readonly name: string;
  readonly open: () => Promise<Subject>;
  /** A sentence that says why the cases do not run. */
  readonly skip?: string;
  /** Names that this server generation cannot be asked for. */
  readonly refuses?: (path: string) => boolean;
}

interface Case {
  readonly subject: Subject;
  readonly store: PageStore;
  readonly folder: string;
  path(name: string): PagePath;
}

export function pageStoreContract(options: ContractOptions): void {
  const check = (behaviour: string, run: (context: Case) => Promise<void>) => {
    Deno.test({
      name: `PageStore, ${options.name}: ${behaviour}${options.skip ? ` (skipped: ${options.skip})` : ""}`,
      ignore: options.skip !== undefined,
      fn: () => inFolder(options, run),
    });
  };

  check("a missing page is null for read() and meta(), and not in list()", async ({ store, path }) => {
    assert.equal(await store.read(path("Missing.md")), null);
    assert.equal(await store.meta(path("Missing.md")), null);
    assert.ok(!(await store.list()).some((entry) => entry.path === path("Missing.md")));
  });

  check("write() creates where nothing is, and read(), meta() and list() agree", async (context) => {
    const { store, path, subject } = context;
    const page = path("Sub/New page.md");
    const before = Date.now();
    const result = await store.write(page, encode("# New\n"), { expect: { kind: "absent" } });
    assert.equal(result.kind, "written");
    assert.ok(result.kind === "written" && result.guarantee === subject.guarantee);
    const read = present(await store.read(page));
    assert.equal(decode(read), "# New\n");
    assert.equal(read.hash, sha256Hex("# New\n"));
    assert.equal(read.entry.path, page);
    assert.equal(read.entry.size, 6);
    assert.equal(read.entry.readOnly, false);
    assert.match(read.entry.contentType, /^text\/markdown/);
    assert.ok(Math.abs(read.entry.modified - before) < 5 * 60_000, "the time is in milliseconds");
    if (read.entry.created !== null) assert.ok(Math.abs(read.entry.created - before) < 5 * 60_000);
    const meta = await store.meta(page);
    assert.deepEqual({ ...meta, contentType: "" }, { ...read.entry, contentType: "" });
    const listed = (await store.list()).filter((entry) => entry.path === page);
    assert.equal(listed.length, 1);
    assert.equal(listed[0]?.modified, read.entry.modified);
    assert.equal(listed[0]?.size, 6);
  });

  check("list() is sorted by path, each path once, without dot-files", async ({ store, path }) => {
    for (const name of ["b.md", "a.md", "a/z.md", "Z.md"]) {
      await store.write(path(name), encode(name), { expect: { kind: "absent" } });
    }
    const paths = (await store.list()).map((entry) => entry.path);
    assert.deepEqual(paths, [...new Set(paths)].sort((left, right) => left < right ? -1 : 1));
    assert.ok(!paths.some((one) => one.split("/").some((segment) => segment.startsWith("."))));
  });

  check("bytes are exact", async ({ store, path }) => {
    for (const [index, bytes] of exactBodies().entries()) {
      const page = path(`Exact ${index}.md`);
      const result = await store.write(page, bytes, { expect: { kind: "absent" } });
      assert.equal(result.kind, "written", `body ${index}`);
      const read = present(await store.read(page));
      assert.deepEqual(read.bytes, bytes, `body ${index}`);
      assert.equal(read.hash, sha256Hex(bytes));
    }
  });

  check("write() with the present hash replaces; with a stale one changes nothing", async (context) => {
    const { store, path, subject } = context;
    const page = path("Page.md");
    await create(store, page, "one");
    const replaced = await store.write(page, encode("two"), { expect: hashOf("one") });
    assert.ok(replaced.kind === "written" && replaced.guarantee === subject.guarantee);
    assert.equal(replaced.kind === "written" && replaced.entry.size, 3);
    const refused = await store.write(page, encode("six"), { expect: hashOf("one") });
    assert.ok(refused.kind === "changed");
    assert.equal(decode(present(refused.current)), "two");
    assert.equal(decode(present(await store.read(page))), "two");
  });

  check("write() with a hash creates nothing where the page is gone", async ({ store, path }) => {
    const page = path("Gone.md");
    const result = await store.write(page, encode("x"), { expect: hashOf("old") });
    assert.deepEqual(result, { kind: "changed", current: null });
    assert.equal(await store.read(page), null);
  });

  check("write() of a new page never overwrites", async ({ store, path }) => {
    const page = path("Here.md");
    await create(store, page, "mine");
    const result = await store.write(page, encode("theirs"), { expect: { kind: "absent" } });
    assert.ok(result.kind === "changed");
    assert.equal(decode(present(result.current)), "mine");
    assert.equal(decode(present(await store.read(page))), "mine");
  });

  check("write() with any creates and overwrites", async ({ store, path }) => {
    const page = path("Any.md");
    for (const text of ["first", "second"]) {
      const result = await store.write(page, encode(text), { expect: { kind: "any" } });
      assert.equal(result.kind, "written");
      assert.equal(decode(present(await store.read(page))), text);
    }
  });

  check("writing the same bytes again is no conflict", async ({ store, path }) => {
    const page = path("Same.md");
    await create(store, page, "same");
    const result = await store.write(page, encode("same"), { expect: hashOf("same") });
    assert.equal(result.kind, "written");
    assert.equal(decode(present(await store.read(page))), "same");
  });

  check("an emptied page is empty, not missing", async ({ store, path }) => {
    const page = path("Empty.md");
    await create(store, page, "text");
    const result = await store.write(page, new Uint8Array(), { expect: hashOf("text") });
    assert.equal(result.kind, "written");
    const read = present(await store.read(page));
    assert.equal(read.bytes.length, 0);
    assert.equal(read.entry.size, 0);
    const back = await store.write(page, encode("back"), { expect: { kind: "hash", hash: read.hash } });
    assert.equal(back.kind, "written");
  });

  check(
    "delete() with the present hash removes; with a stale one, of a missing page, for absent: nothing",
    async (context) => {
      const { store, path, subject } = context;
      const page = path("Deep/er/Doomed.md");
      await create(store, page, "text");
      const stale = await store.delete(page, { expect: hashOf("other") });
      assert.equal(stale.kind === "changed" && decode(present(stale.current)), "text");
      const absent = await store.delete(page, { expect: { kind: "absent" } });
      assert.equal(absent.kind, "changed");
      assert.equal(decode(present(await store.read(page))), "text");
      const done = await store.delete(page, { expect: hashOf("text") });
      assert.deepEqual(done, { kind: "deleted", guarantee: subject.guarantee });
      assert.equal(await store.read(page), null);
      assert.ok(!(await store.list()).some((entry) => entry.path === page));
      assert.deepEqual(await store.delete(page, { expect: hashOf("text") }), {
        kind: "changed",
        current: null,
      });
      assert.deepEqual(await store.delete(page, { expect: { kind: "any" } }), {
        kind: "changed",
        current: null,
      });
    },
  );

  check("delete() with any removes whatever is there", async ({ store, path }) => {
    const page = path("Doomed.md");
    await create(store, page, "text");
    assert.equal((await store.delete(page, { expect: { kind: "any" } })).kind, "deleted");
    assert.equal(await store.read(page), null);
    await create(store, page, "again");
    assert.equal(decode(present(await store.read(page))), "again");
  });

  check("an awkward name is exactly that file", async ({ store, folder }) => {
    for (const name of awkwardNames) {
      const page = parseListedPath(`${folder}/${name}`);
      assert.notEqual(page, null, name);
      if (page === null) continue;
      if (options.refuses?.(page)) {
        await assert.rejects(store.read(page), { code: "invalid_path" });
        await assert.rejects(create(store, page, name), { code: "invalid_path" });
        continue;
      }
      await create(store, page, name);
      assert.equal(decode(present(await store.read(page))), name);
      const below = (await store.list()).filter((entry) => entry.path.startsWith(`${folder}/`));
      assert.deepEqual(below.map((entry) => entry.path), [page]);
      assert.equal((await store.delete(page, { expect: hashOf(name) })).kind, "deleted", name);
    }
  });

  check("32 writers that compare lose nothing and double nothing", async ({ store, path }) => {
    const page = path("Shared.md");
    await create(store, page, "start\n");
    const writers = Array.from({ length: 32 }, (_, index) => `writer ${index}\n`);
    await Promise.all(writers.map((line) => appendLine(store, page, line)));
    const lines = decode(present(await store.read(page))).split("\n").slice(1, -1).map((line) => `${line}\n`);
    assert.deepEqual(lines.toSorted(), writers.toSorted());
  });

  check("an aborted call changes nothing", async ({ store, path }) => {
    const page = path("Aborted.md");
    const signal = AbortSignal.abort(new Error("stopped"));
    await assert.rejects(store.read(page, { signal }), /stopped/);
    await assert.rejects(store.meta(page, { signal }), /stopped/);
    await assert.rejects(store.list({ signal }), /stopped/);
    await assert.rejects(store.write(page, encode("x"), { expect: { kind: "any" }, signal }), /stopped/);
    await assert.rejects(store.delete(page, { expect: { kind: "any" }, signal }), /stopped/);
    assert.equal(await store.read(page), null);
  });

  check("what a caller does to a body afterwards does not reach the store", async ({ store, path }) => {
    const page = path("Body.md");
    const bytes = encode("original");
    const writing = store.write(page, bytes, { expect: { kind: "absent" } });
    bytes.fill(0);
    await writing;
    const read = present(await store.read(page));
    assert.equal(decode(read), "original");
    read.bytes.fill(0);
    assert.equal(decode(present(await store.read(page))), "original");
  });
}

async function inFolder(options: ContractOptions, run: (context: Case) => Promise<void>): Promise<void> {
  const subject = await options.open();
  const folder = `silverbridge-test-${crypto.randomUUID().slice(0, 8)}`;
  const path = (name: string) => {
    const parsed = parseListedPath(`${folder}/${name}`);
    assert.ok(parsed !== null);
    return parsed;
  };
  try {
    await run({ subject, store: subject.store, folder, path });
  } finally {
    for (const entry of await subject.store.list()) {
      if (entry.path.startsWith(`${folder}/`)) {
        await subject.store.delete(entry.path, { expect: { kind: "any" } });
      }
    }
    await subject.close();
  }
}

async function appendLine(store: PageStore, page: PagePath, line: string): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const read = present(await store.read(page));
    const next = encode(decode(read) + line);
    const result = await store.write(page, next, { expect: { kind: "hash", hash: read.hash } });
    if (result.kind === "written") return;
  }
  assert.fail("no write went through");
}

async function create(store: PageStore, page: PagePath, text: string): Promise<void> {
  const result = await store.write(page, encode(text), { expect: { kind: "absent" } });
  assert.equal(result.kind, "written");
}

function hashOf(text: string): { readonly kind: "hash"; readonly hash: string } {
  return { kind: "hash", hash: sha256Hex(text) };
}

function present(content: PageContent | null): PageContent {
  assert.ok(content !== null, "the page is there");
  return content;
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function decode(content: PageContent): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(content.bytes);
}

function exactBodies(): Uint8Array<ArrayBuffer>[] {
  return [
    encode("a\r\nb\r\n"),
    encode("\ufeffwith a byte order mark"),
    encode("no final newline"),
    encode("one\u2028two\u2029three\rfour\n\n\n"),
    encode("---\ntags: a\n---\n\0\u0001"),
    encode("OK"),
    encode("<!DOCTYPE html><html><body>a page that looks like one</body></html>"),
    new Uint8Array([0xff, 0xfe, 0x00, 0xc3, 0x28]),
    encode("ä".repeat(150_000)),
    new Uint8Array(),
  ];
}

/** Names that a server, a proxy or a URL parser could take for something else. */
const awkwardNames: readonly string[] = [
  "a b.md",
  "a+b.md",
  "a&b=c;d.md",
  "question?.md",
  "hash#tag.md",
  "percent 100% sure.md",
  "literal%20escape.md",
  "a%41.md",
  'quote\'s "double" `tick`.md',
  "(round) [square] {curly}.md",
  "star*.md",
  "pipe|.md",
  "colon:semi;comma,.md",
  "at@sign$.md",
  "~tilde^caret!.md",
  "Ünïcödé.md",
  "e\u0301 decomposed.md",
  "日本語/ページ.md",
  "emoji 🎉.md",
  " leading space.md",
  "trailing space .md",
  "two..dots.md",
  "no extension.d.md",
  "UPPER.MD",
  "picture.png",
  "deep/er/and/deeper.md",
  `${"x".repeat(200)}.md`,
];
