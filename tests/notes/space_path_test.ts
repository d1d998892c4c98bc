/** `SPACE_PATH` through the whole program: the folder is read where it is the space, and nothing outside it ever. */

import assert from "node:assert/strict";
import type { EmbeddedServer } from "../../src/silverbullet/embedded/server.ts";
import { type Program, withProgram } from "../support/app.ts";
import { callOf, toolCall } from "../bench/calls.ts";
import { cites } from "../requirements.ts";

const pages = 60;

async function search(program: Program, query: string): Promise<{ pages: string[]; complete: boolean }> {
  const { headers, body } = callOf("2025", toolCall("search_pages", { query }));
  const response = await fetch(`${program.url}/mcp`, { method: "POST", headers, body });
  const { result } = await response.json();
  const answer = JSON.parse(result.content[0].text);
  return {
    pages: answer.hits.map(({ page }: { page: string }) => page),
    complete: answer.searched.complete,
  };
}

/** Asks until `holds` is true of what is found. */
async function found(
  program: Program,
  query: string,
  holds: (pages: readonly string[], complete: boolean) => boolean,
): Promise<void> {
  const end = performance.now() + 60_000;
  for (;;) {
    const { pages, complete } = await search(program, query);
    if (holds(pages, complete)) return;
    if (performance.now() > end) assert.fail(`${query} finds ${pages}, complete ${complete}`);
  }
}

/** Puts the same file on the disk and into the server, as one file is both. */
async function put(place: { dir: string; space: EmbeddedServer }, path: string, text: string): Promise<void> {
  const { modified } = place.space.files.put(path, text);
  await Deno.writeTextFile(`${place.dir}/${path}`, text);
  await Deno.utime(`${place.dir}/${path}`, modified / 1000, modified / 1000);
}

/** Which pages the server was asked for. */
function pagesAskedFor(space: EmbeddedServer): Set<string> {
  const paths = space.requests.all().filter(({ method, target }) =>
    method === "GET" && /\/\.fs\/.+\.md$/.test(target)
  )
    .map(({ target }) => decodeURIComponent(target.replace(/^.*\/\.fs\//, "")));
  return new Set(paths.filter((path) => path.startsWith("P")));
}

async function withSpaceFolder(
  work: (place: { dir: string; files: Record<string, string> }) => Promise<void>,
): Promise<void> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "space-path-" }));
  try {
    await Deno.mkdir(`${dir}/space/.git`, { recursive: true });
    await Deno.writeTextFile(`${dir}/space/.git/config.md`, "gitsecret");
    await Deno.writeTextFile(`${dir}/outside.md`, "outsidesecret");
    const files: Record<string, string> = {};
    for (let number = 0; number < pages; number++) {
      files[`P${number}.md`] = `Words of page number${number}.\n`;
    }
    await work({ dir: `${dir}/space`, files });
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** The program beside a folder that holds what the server has when it starts. */
async function withFolderBeside(
  place: { dir: string; files: Record<string, string> },
  work: (program: Program) => Promise<void>,
  spoil: (text: string) => string = (text) => text,
): Promise<void> {
  const generation = "rust-2.10" as const;
  // Changed a day ago, as pages are, so that both can be given the same time.
  const clock = {
    now: () => 1_790_000_000_000,
    elapsed: () => performance.now(),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  };
  for (const [path, text] of Object.entries(place.files)) {
    await Deno.writeTextFile(`${place.dir}/${path}`, spoil(text));
    await Deno.utime(`${place.dir}/${path}`, 1_790_000_000, 1_790_000_000);
  }
  await withProgram({
    space: { generation, files: place.files, clock },
    env: {
      SILVERBRIDGE_SPACE_PATH: place.dir,
      SILVERBRIDGE_POLL_SECONDS: "600/600",
      SILVERBRIDGE_LOG_LEVEL: "info",
    },
  }, work);
}

Deno.test({
  name: "SPACE_PATH: the index is filled from the folder, follows it, and takes nothing from beside it",
  ignore: Deno.build.os === "windows",
  async fn() {
    cites("find.folder");
    await withSpaceFolder(async ({ dir, files }) => {
      await withFolderBeside({ dir, files }, async (program) => {
        const { space } = program;
        await found(program, "number17", (pages, complete) => complete && pages.includes("P17"));
        assert.match(program.log, /"event":"space_folder_used"/);
        assert.ok(pagesAskedFor(space).size <= 12, `${pagesAskedFor(space).size} pages were asked for`);
        // The server tells nothing and the list is not due for ten minutes: the file system tells.
        await put({ dir, space }, "P3.md", "Another hand wrote zebrastripes here.\n");
        await found(program, "zebrastripes", (pages) => pages.includes("P3"));
        await Deno.symlink("../outside.md", `${dir}/Link.md`);
        space.files.put("Link.md", "x".repeat(13), { modified: 1_790_000_000_000 });
        await put({ dir, space }, "Last.md", "the lastone\n");
        await found(program, "lastone", (pages) => pages.includes("Last"));
        assert.deepEqual((await search(program, "outsidesecret")).pages, []);
        assert.deepEqual((await search(program, "gitsecret")).pages, []);
        assert.ok(!program.log.includes(dir), "the log names no local path");
      });
    });
  },
});

Deno.test("SPACE_PATH: the folder of another space is not read, and the log says why", async () => {
  cites("find.folder");
  await withSpaceFolder(async (place) => {
    await withFolderBeside(place, async (program) => {
      await found(program, "number17", (pages, complete) => complete && pages.includes("P17"));
      assert.match(program.log, /"event":"space_folder_not_used"[^\n]*"reason":"content"/);
      assert.equal(pagesAskedFor(program.space).size, pages);
      assert.deepEqual((await search(program, "wOrds")).pages.length > 0, true);
    }, (text) => text.toUpperCase());
  });
});
