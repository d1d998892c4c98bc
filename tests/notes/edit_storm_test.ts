/**
 * Thirty-two writers with every kind of edit on four pages at once, over servers of both dialects, with lines that break
 * and a hand that edits the files: nothing that was accepted is lost, nothing is there twice.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/log.ts";
import { pageNameOf, parsePageName } from "../../src/core/page_name.ts";
import type { FaultSwitch } from "../../src/silverbullet/embedded/faults.ts";
import { type EmbeddedServer, startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { openSilverBullet } from "../../src/silverbullet/silverbullet.ts";
import { openPathLock } from "../../src/state/path_lock.ts";
import { decodeUtf8, encodeUtf8 } from "../../src/text/utf8.ts";
import { cites } from "../requirements.ts";
import { checkHistory, checkPage, runStorm, saidGone, seeded, stormPage } from "../support/edit_storm.ts";

const pages = ["Storm 0", "Storm 1", "Storm 2", "Storm 3"];
const writers = 32;
const edits = 5;

/** What lines, proxies and busy disks do, spread over the storm. */
function addFaults({ faults }: EmbeddedServer, seed: number, inPlace: boolean): void {
  const random = seeded(seed);
  const kinds: readonly Pick<FaultSwitch, "fault" | "verb">[] = [
    { fault: { kind: "lost_answer" }, verb: "PUT" },
    { fault: { kind: "lost_to_proxy" }, verb: "PUT" },
    { fault: { kind: "reset" }, verb: "PUT" },
    { fault: { kind: "status", status: 500 }, verb: "PUT" },
    { fault: { kind: "slow_answer", ms: 80 }, verb: "PUT" },
    { fault: { kind: "reset" }, verb: "GET" },
    { fault: { kind: "status", status: 503 }, verb: "GET" },
    { fault: { kind: "half_read" }, verb: "GET" },
    ...(inPlace
      ? [
        { fault: { kind: "torn_read" }, verb: "GET" } as const,
        { fault: { kind: "empty_window", ms: 15 }, verb: "PUT" } as const,
        { fault: { kind: "silent_drop" }, verb: "PUT" } as const,
      ]
      : []),
  ];
  for (let count = 0; count < 40; count++) {
    const kind = kinds[count % kinds.length];
    if (kind !== undefined) faults.add({ ...kind, skip: Math.floor(random() * 220) });
  }
}

/** A hand that adds lines to the files themselves, each in one stroke, until it is told to stop. */
function startHand({ files }: EmbeddedServer, seed: number): { stop(): string[] } {
  const random = seeded(seed);
  const written: string[] = [];
  const timer = setInterval(() => {
    const path = `${pages[Math.floor(random() * pages.length)]}.md`;
    const text = files.text(path) ?? "";
    if (!text.includes("# End")) return;
    const line = `hand ${written.length}`;
    written.push(line);
    files.put(path, `${text}${line}\n`);
  }, 25);
  return {
    stop() {
      clearInterval(timer);
      return written;
    },
  };
}

for (const generation of ["go-2.9", "2.12"] as const) {
  Deno.test(`a storm of 32 writers with every kind of edit loses and doubles nothing (${generation})`, async () => {
    cites("edits.once", "edits.outcome");
    const dir = mkdtempSync(join(tmpdir(), "edit-storm-"));
    const files = Object.fromEntries(pages.map((page) => [`${page}.md`, stormPage(writers)]));
    const server = await startEmbedded({ generation, files });
    const guarded = generation === "go-2.9";
    try {
      addFaults(server, 7, guarded);
      const hand = startHand(server, 11);
      const books = await runStorm({ url: server.url, dir, seed: 3, pages, writers, edits, programs: 2 });
      const written = hand.stop();
      server.faults.clear();
      assert.equal(books.length, writers * edits);
      const isHand = (line: string) => line.startsWith("hand ");
      for (const page of pages) {
        checkPage({ page, text: server.files.text(`${page}.md`) ?? "", writers, books }, isHand);
      }
      checkHistory(dir, books);
      const maybe = books.filter(({ outcome }) => outcome === "maybe").length;
      assert(maybe <= 40, `of ${maybe} edits nobody knows, with 40 faults`);
      const there = pages.flatMap((page) =>
        (server.files.text(`${page}.md`) ?? "").split("\n").filter(isHand)
      );
      assert.equal(new Set(there).size, there.length);
      assert(written.length > 5, "the hand was at work");
      if (guarded) return;
      // A server that compares versions itself loses nobody's words, and nobody writes over an edit unseen.
      assert.deepEqual(there.toSorted(), written.toSorted());
      assert.deepEqual(books.filter(saidGone), []);
    } finally {
      await server.close();
      rmSync(dir, { recursive: true });
    }
  });
}

const liveUrl = Deno.env.get("SILVERBRIDGE_TEST_SILVERBULLET_URL");

/** With the space's folder on this machine, a hand appends to the files themselves meanwhile. */
const liveFolder = Deno.env.get("SILVERBRIDGE_TEST_SILVERBULLET_FOLDER");

Deno.test({
  name: "a storm over a real SilverBullet loses and doubles nothing" +
    (liveUrl === undefined ? " (SILVERBRIDGE_TEST_SILVERBULLET_URL is not set)" : ""),
  ignore: liveUrl === undefined,
  async fn() {
    const token = Deno.env.get("SILVERBRIDGE_TEST_SILVERBULLET_TOKEN") ?? null;
    const dir = mkdtempSync(join(tmpdir(), "edit-storm-"));
    const lock = openPathLock({ state: null, clock: systemClock });
    const common = { clock: systemClock, lock, logger: silentLogger, readOnly: false };
    const { store, close } = openSilverBullet({ ...common, url: liveUrl ?? "", token });
    const paths = pages.map((page) => parsePageName(`silverbridge-test/${page}`).path);
    const names = paths.map(pageNameOf);
    try {
      const text = encodeUtf8(stormPage(writers));
      for (const path of paths) await store.write(path, text, { expect: { kind: "any" } });
      const hand = liveFolder === undefined
        ? null
        : startDiskHand(paths.map((path) => join(liveFolder, path)));
      const storm = { url: liveUrl ?? "", token, dir, seed: 5, pages: names, writers, edits, programs: 2 };
      const books = await runStorm(storm);
      await hand?.stop();
      assert.equal(books.length, writers * edits);
      for (const [index, path] of paths.entries()) {
        const content = await store.read(path);
        const page = names[index] ?? "";
        const now = decodeUtf8(content?.bytes ?? new Uint8Array()) ?? "";
        checkPage({ page, text: now, writers, books }, (line) => line.startsWith("hand "));
      }
      checkHistory(dir, books);
    } finally {
      for (const path of paths) await store.delete(path, { expect: { kind: "any" } });
      close();
      rmSync(dir, { recursive: true });
    }
  },
});

function startDiskHand(files: readonly string[]): { stop(): Promise<void> } {
  let stopped = false;
  const work = (async () => {
    for (let count = 0; !stopped; count++) {
      const file = files[count % files.length];
      if (file !== undefined) await Deno.writeTextFile(file, `hand ${count}\n`, { append: true });
      await systemClock.sleep(40);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await work;
    },
  };
}
