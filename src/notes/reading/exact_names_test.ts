import assert from "node:assert/strict";
import type { PagePath } from "../../core/page_name.ts";
import type { PageStore } from "../../core/page_store.ts";
import { createMemoryStore } from "../../silverbullet/memory_store.ts";
import { exactNames } from "./exact_names.ts";
import { openTestNotes, readRequest, refusal, testCaller } from "../../../tests/support/notes.ts";

type Fold = (path: string) => string;

const disks: readonly (readonly [what: string, fold: Fold])[] = [
  ["tells neither cases nor Unicode forms apart", (path) => path.normalize("NFC").toLowerCase()],
  ["tells only Unicode forms apart", (path) => path.toLowerCase()],
  ["tells only cases apart", (path) => path.normalize("NFC")],
];

/** A disk that answers to every name that folds to a file's own, and lists the own names only. */
function foldingStore(files: Record<string, string>, fold: Fold) {
  const memory = createMemoryStore({ files });
  const asked: string[] = [];
  const own = (path: PagePath): PagePath => {
    asked.push(path);
    const name = Object.keys(files).find((file) => fold(file) === fold(path));
    return (name ?? path) as PagePath;
  };
  const store: PageStore = {
    ...memory,
    meta: async (path, options) => {
      const entry = await memory.meta(own(path), options);
      return entry === null ? null : { ...entry, path };
    },
    read: async (path, options) => {
      const content = await memory.read(own(path), options);
      return content === null ? null : { ...content, entry: { ...content.entry, path } };
    },
  };
  return { store, asked };
}

const path = (text: string) => text as PagePath;

for (const [what, fold] of disks) {
  Deno.test(`a page answers to its own name only on a disk that ${what}`, async () => {
    const files = { "Caf\u00e9.md": "x", "Secret.md": "hidden", "123.md": "y" };
    const store = exactNames(foldingStore(files, fold).store);
    for (const name of Object.keys(files)) {
      assert.equal((await store.read(path(name)))?.entry.path, name);
      assert.equal((await store.meta(path(name)))?.path, name);
    }
    for (const name of ["secret.md", "SECRET.md", "caf\u00e9.md", "Cafe\u0301.md", "CAFE\u0301.md"]) {
      assert.equal(await store.read(path(name)), null, name);
      assert.equal(await store.meta(path(name)), null, name);
    }
  });

  Deno.test(`the first name asked for may be the wrong one, on a disk that ${what}`, async () => {
    for (const name of ["caf\u00e9.md", "Cafe\u0301.md"]) {
      const store = exactNames(foldingStore({ "Caf\u00e9.md": "x" }, fold).store);
      assert.equal(await store.read(path(name)), null, name);
    }
  });
}

Deno.test("on a disk that tells all names apart one question settles it", async () => {
  const { store, asked } = foldingStore({ "Caf\u00e9.md": "x", "B.md": "y" }, (name) => name);
  const exact = exactNames(store);
  await exact.read(path("Caf\u00e9.md"));
  const before = asked.length;
  for (let round = 0; round < 5; round++) await exact.read(path("B.md"));
  assert.equal(asked.length, before + 5);
});

Deno.test("twins that really exist both answer", async () => {
  const store = exactNames(foldingStore({ "A.md": "upper", "a.md": "lower" }, (name) => name).store);
  assert.equal((await store.read(path("A.md")))?.bytes.length, 5);
  assert.equal((await store.read(path("a.md")))?.entry.path, "a.md");
});

Deno.test("a hidden page cannot be opened by another case of its name", async () => {
  const { store } = foldingStore({ "Secret.md": "hidden" }, (name) => name.toLowerCase());
  const notes = openTestNotes(store, { state: null, settings: { hiddenPaths: ["Secret"] } });
  const caller = testCaller({ hidden: ["Secret"] });
  for (const name of ["secret", "SECRET", "Secret"]) {
    await assert.rejects(notes.read(caller, readRequest(name)), refusal("not_found"));
    const write = { page: name, content: "x", ifMatch: "*", dryRun: false };
    await assert.rejects(notes.overwrite(caller, write), refusal("not_found"));
    const remove = { page: name, permanent: false, ifMatch: null, dryRun: false };
    await assert.rejects(notes.remove(caller, remove), refusal("not_found"));
  }
  await notes.close();
});
