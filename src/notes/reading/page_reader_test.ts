import assert from "node:assert/strict";
import { systemClock } from "../../core/clock.ts";
import type { PagePath } from "../../core/page_name.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { createMemoryStore } from "../../silverbullet/memory_store.ts";
import { PageCache } from "./page_cache.ts";
import { PageReader } from "./page_reader.ts";

const path = "A.md" as PagePath;
const signal = new AbortController().signal;

function setUp(files: Record<string, string>) {
  let time = 0;
  const clock = { now: () => time, elapsed: () => time, sleep: () => Promise.resolve() };
  const memory = createMemoryStore({ files, clock });
  const asked: string[] = [];
  const store = {
    ...memory,
    read: (path: PagePath) => {
      asked.push(path);
      return memory.read(path);
    },
    list: () => {
      asked.push("list");
      return memory.list();
    },
  };
  const reader = new PageReader({ store, clock, cacheBytes: 10_000 });
  return { memory, asked, reader, pass: (ms: number) => void (time += ms) };
}

async function text(reader: PageReader): Promise<string | null> {
  const content = await reader.read(path, signal);
  return content === null ? null : new TextDecoder().decode(content.bytes);
}

Deno.test("a page is asked for once a second at most, and never shown older", async () => {
  const { memory, asked, reader, pass } = setUp({ "A.md": "one" });
  for (let round = 0; round < 10; round++) assert.equal(await text(reader), "one");
  assert.equal(asked.length, 1);
  memory.put("A.md", "two");
  pass(1000);
  assert.equal(await text(reader), "two");
  memory.remove("A.md");
  pass(1000);
  assert.equal(await text(reader), null);
});

Deno.test("readNow() always asks", async () => {
  const { memory, reader } = setUp({ "A.md": "one" });
  await text(reader);
  memory.put("A.md", "two");
  const content = await reader.readNow(path, signal);
  assert.equal(content?.hash, sha256Hex("two"));
  assert.equal(await text(reader), "two");
});

Deno.test("a slow look never replaces what we wrote meanwhile", async () => {
  const { memory, reader, pass } = setUp({ "A.md": "one" });
  const slow = reader.readNow(path, signal);
  pass(10);
  memory.put("A.md", "two");
  const written = await memory.read(path);
  assert(written !== null);
  reader.wrote(written);
  await slow;
  assert.equal(await text(reader), "two");
});

Deno.test("the list is asked for once a second and knows our own changes at once", async () => {
  const { memory, asked, reader, pass } = setUp({ "B.md": "x", "D.md": "x" });
  const names = async () => (await reader.list(signal)).map((entry) => entry.path);
  assert.deepEqual(await names(), ["B.md", "D.md"]);
  for (const name of ["A.md", "C.md", "E.md"]) {
    memory.put(name, "x");
    const content = await memory.read(name as PagePath);
    assert(content !== null);
    reader.wrote(content);
  }
  reader.removed("D.md" as PagePath);
  assert.deepEqual(await names(), ["A.md", "B.md", "C.md", "E.md"]);
  assert.deepEqual(asked, ["list"]);
  reader.lost("B.md" as PagePath);
  await names();
  pass(1000);
  await names();
  assert.deepEqual(asked, ["list", "list", "list"]);
});

Deno.test("while changes are told a page is shown longer, until one is told or may have been missed", async () => {
  const { memory, asked, reader, pass } = setUp({ "A.md": "one" });
  reader.watch(true);
  for (let round = 0; round < 5; round++) {
    assert.equal(await text(reader), "one");
    pass(2000);
  }
  assert.equal(asked.length, 1);
  memory.put("A.md", "two");
  reader.lost(path);
  assert.equal(await text(reader), "two");
  memory.put("A.md", "three");
  reader.forgetAll();
  assert.equal(await text(reader), "three");
  memory.put("A.md", "four");
  pass(15_001);
  assert.equal(await text(reader), "four");
  memory.put("A.md", "five");
  reader.watch(false);
  assert.equal(await text(reader), "five");
});

Deno.test("a look that began before a change was told is not kept", async () => {
  const { memory, reader, pass } = setUp({ "A.md": "one" });
  reader.watch(true);
  const slow = reader.readNow(path, signal);
  pass(1);
  memory.put("A.md", "two");
  reader.lost(path);
  await slow;
  pass(1);
  assert.equal(await text(reader), "two");
});

Deno.test("a list that was asked for before our change is not kept", async () => {
  const { memory, reader, pass } = setUp({ "B.md": "x" });
  const asked = reader.listNow(signal);
  pass(1);
  memory.put("A.md", "x");
  const content = await memory.read(path);
  assert(content !== null);
  reader.wrote(content);
  await asked;
  pass(1);
  assert.deepEqual((await reader.list(signal)).map((entry) => entry.path), ["A.md", "B.md"]);
});

Deno.test("the cache stays within its bytes, the oldest contents go first", () => {
  const cache = new PageCache({ maxBytes: 1000 });
  const put = (name: string, size: number) => {
    const bytes = new Uint8Array(size).fill(name.charCodeAt(0));
    const entry = {
      path: name as PagePath,
      size,
      modified: 0,
      created: 0,
      contentType: "text/markdown",
      readOnly: false,
    };
    cache.keep({ entry, bytes, hash: name }, 0);
  };
  for (const name of "abcdefghij") put(name, 120);
  assert.deepEqual([..."abcdefghij"].filter((name) => cache.content(name) !== null).join(""), "cdefghij");
  put("big", 126);
  assert.equal(cache.content("big"), null);
  cache.content("c");
  put("k", 120);
  assert.notEqual(cache.content("c"), null);
  assert.equal(cache.content("d"), null);
});

Deno.test("two pages of one content share it, and forgetting one keeps the other", () => {
  const cache = new PageCache({ maxBytes: 1000 });
  const bytes = new Uint8Array(10);
  for (const name of ["A.md", "B.md"]) {
    const entry = {
      path: name as PagePath,
      size: 10,
      modified: 0,
      created: 0,
      contentType: "text/markdown",
      readOnly: false,
    };
    cache.keep({ entry, bytes, hash: "h" }, 5);
  }
  cache.forget(path, 5);
  assert.equal(cache.seenSince(path, 0), null);
  assert.equal(cache.seenSince("B.md" as PagePath, 5)?.hash, "h");
  assert.equal(cache.seenSince("B.md" as PagePath, 6), null);
  cache.forgetContent("h");
  assert.equal(cache.seenSince("B.md" as PagePath, 0), null);
});

Deno.test("many who find the list too old ask for it once, and nobody sees what was before our own change", async () => {
  let time = 0;
  const clock = { now: () => time, elapsed: () => time, sleep: () => Promise.resolve() };
  const memory = createMemoryStore({ files: { "A.md": "x" }, clock });
  const asked: Array<() => void> = [];
  const store = {
    ...memory,
    list: async () => {
      const entries = await memory.list();
      await new Promise<void>((resolve) => asked.push(resolve));
      return entries;
    },
  };
  const reader = new PageReader({ store, clock, cacheBytes: 10_000 });
  const content = await memory.read(path);
  assert(content !== null);
  const answerAll = () => {
    for (const answer of asked) answer();
  };
  const many = Array.from({ length: 10 }, () => reader.list(signal));
  await Promise.resolve().then(() => {});
  time += 10;
  reader.wrote(content);
  time += 10;
  const after = [reader.list(signal), reader.list(signal)];
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.equal(asked.length, 2, "ten before the change shared one, and two after it another");
  answerAll();
  await Promise.all([...many, ...after]);
});

Deno.test("a list that failed is asked for again by the next caller", async () => {
  const { memory, asked } = setUp({ "A.md": "x" });
  let fails = true;
  const store = {
    ...memory,
    list: () => {
      asked.push("list");
      return fails ? Promise.reject(new Error("down")) : memory.list();
    },
  };
  const reader = new PageReader({ store, clock: systemClock, cacheBytes: 0 });
  const both = [reader.list(signal), reader.list(signal)];
  for (const one of both) await assert.rejects(one, /down/);
  fails = false;
  assert.equal((await reader.list(signal)).length, 1);
  assert.equal(asked.length, 2);
});
