import assert from "node:assert/strict";
import { type Clock, systemClock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { PagePath } from "../core/page_name.ts";
import type { PageContent } from "../core/page_store.ts";
import { createMemoryStore } from "../silverbullet/memory_store.ts";
import { testCaller } from "../../tests/support/notes.ts";
import { type PageScan, scanPages } from "./candidates.ts";
import { PageReader } from "./reading/page_reader.ts";
import type { NotesParts } from "./parts.ts";

const paths = Array.from({ length: 40 }, (_, page) => `P${page}.md` as PagePath);

/** As much of the parts as a scan asks for. */
function partsOver(read: (path: PagePath) => Promise<PageContent | null>, clock: Clock): NotesParts {
  const store = { ...createMemoryStore(), read: (path: PagePath) => read(path) };
  const reader = new PageReader({ store, clock, cacheBytes: 1000 });
  return { readerFor: () => reader, clock } as unknown as NotesParts;
}

function scanOf(more: Partial<PageScan> = {}): PageScan {
  return { paths, fresh: true, timeLimit: 1000, ...more };
}

const memory = createMemoryStore({ files: Object.fromEntries(paths.map((path) => [path, path])) });

Deno.test("scanPages() shows every page that is there once, several at a time", async () => {
  let now = 0;
  let most = 0;
  const parts = partsOver(async (path) => {
    most = Math.max(most, ++now);
    await Promise.resolve();
    const content = path === "P7.md" ? null : await memory.read(path);
    now--;
    return content;
  }, systemClock);
  const seen: string[] = [];
  const scanned = await scanPages(parts, testCaller(), {
    scan: scanOf(),
    look: ({ entry }) => seen.push(entry.path),
  });
  assert.deepEqual(seen.toSorted(), paths.filter((path) => path !== "P7.md").toSorted());
  assert.deepEqual(scanned, { pages: 40, complete: true });
  assert(most > 1 && most <= 8, String(most));
});

Deno.test("scanPages() stops when its time runs out, and says how far it came", async () => {
  let time = 0;
  const clock = { ...systemClock, elapsed: () => time };
  const parts = partsOver((path) => {
    time += 100;
    return memory.read(path);
  }, clock);
  const scanned = await scanPages(parts, testCaller(), { scan: scanOf(), look: () => {} });
  assert.equal(scanned.complete, false);
  assert(scanned.pages >= 10 && scanned.pages < 30, String(scanned.pages));
});

Deno.test("scanPages() ends with the first failure and with its caller, and leaves nothing running", async () => {
  const failure = new AppError({
    code: "upstream",
    upstream: "timeout",
    message: "No",
    remedy: "Try again later.",
  });
  let reads = 0;
  const failing = partsOver((path) => {
    reads++;
    return path === "P3.md" ? Promise.reject(failure) : memory.read(path);
  }, systemClock);
  await assert.rejects(scanPages(failing, testCaller(), { scan: scanOf(), look: () => {} }), failure);
  assert(reads < 40, String(reads));
  const gone = new AbortController();
  const parts = partsOver((path) => {
    if (path === "P5.md") gone.abort(new Error("gone"));
    return memory.read(path);
  }, systemClock);
  const caller = testCaller({ signal: gone.signal });
  await assert.rejects(scanPages(parts, caller, { scan: scanOf(), look: () => {} }), /gone/);
});
