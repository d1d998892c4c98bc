/** Moves of a page that many others link to: what is shown is what happens, and a kill anywhere leaves nothing half. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MoveAnswer } from "../../src/notes/moving/move_requests.ts";
import { openState } from "../../src/state/state.ts";
import type { FaultSwitch } from "../../src/silverbullet/embedded/faults.ts";
import { type EmbeddedServer, startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { cites } from "../requirements.ts";
import { withNotesOver } from "../support/moving_process.ts";
import { testCaller } from "../support/notes.ts";

type Generation = "go-2.9" | "2.12";

const oldName = "Projects/Old name";
const newName = "Archive/2026/New name";

interface Size {
  readonly pages: number;
  readonly links: number;
}

const large: Size = { pages: 300, links: 500 };
/** For what is done twenty times. */
const small: Size = { pages: 60, links: 100 };

/** Links of every form, at most two on a page, besides pages that do not link. */
function linkedSpace({ pages, links }: Size): Record<string, string> {
  const forms = [
    "[[Projects/Old name]]",
    "[[Projects/Old name|alias]]",
    "![[Projects/Old name#Head]]",
    "[text](/Projects/Old%20name)",
    "[text](<../Projects/Old name.md>)",
    "[[Projects/Old name@L3]]",
    "[[^Projects/Old name]]",
  ];
  const files: Record<string, string> = {
    [`${oldName}.md`]: "# Old\n[a](../Pages/P1) and [[Projects/Old name#Old]]\n",
  };
  for (let page = 0; page < pages; page++) {
    const lines = Array.from(
      { length: page < links - pages ? 2 : 1 },
      (_, index) => `- item ${index} ${forms[(page + index) % 7]} end`,
    );
    files[`Pages/P${page}.md`] = `# Page ${page}\n\n\`[[Projects/Old name]]\`\n${lines.join("\ntext\n")}\n`;
    if (page % 10 === 0) files[`Other/O${page}.md`] = `# Other ${page}\n[[Projects/Older]] Old name\n`;
  }
  return files;
}

function contents(server: EmbeddedServer): Record<string, string | null> {
  return Object.fromEntries(server.files.paths().toSorted().map((path) => [path, server.files.text(path)]));
}

async function withSpace(
  { generation, size }: { generation: Generation; size: Size },
  work: (space: { server: EmbeddedServer; dir: string; files: Record<string, string> }) => Promise<void>,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "move-"));
  const files = linkedSpace(size);
  const server = await startEmbedded({ generation, files });
  try {
    await work({ server, dir, files });
  } finally {
    await server.close();
    rmSync(dir, { recursive: true });
  }
}

const request = { from: oldName, to: newName, updateLinks: true, ifMatch: null, dryRun: false };

/** What the space is to look like: the lines of the answer, put in place of the old ones. */
function applied(files: Record<string, string>, answer: MoveAnswer): Record<string, string> {
  const result = { ...files };
  const own = result[`${oldName}.md`] ?? "";
  delete result[`${oldName}.md`];
  result[`${newName}.md`] = own;
  for (const { page, lines } of answer.changes) {
    const text = (result[`${page}.md`] ?? "").split("\n");
    for (const { line, before, after } of lines) {
      assert.equal(text[line - 1], before);
      text[line - 1] = after;
    }
    result[`${page}.md`] = text.join("\n");
  }
  return result;
}

/** The links of a page that lead to the new name and to the old one, those in code left out. */
function linksOn(text: string): { readonly old: number; readonly now: number } {
  const bare = text.replace(/`[^`]*`/g, "");
  return {
    old: bare.match(/Projects\/Old(?: |%20)name/g)?.length ?? 0,
    now: bare.match(/Archive\/2026\/New(?: |%20)name/g)?.length ?? 0,
  };
}

for (const generation of ["go-2.9", "2.12"] as const) {
  Deno.test(`a page with 500 links on 300 pages moves as its preview said (${generation})`, async () => {
    cites("notes.move");
    await withSpace({ generation, size: large }, async ({ server, dir, files }) => {
      await withNotesOver({ url: server.url, dir }, async (notes) => {
        const preview = await notes.move(testCaller(), { ...request, dryRun: true });
        assert.deepEqual(contents(server), files);
        const answer = await notes.move(testCaller(), { ...request, ifMatch: preview.if_match ?? null });
        assert.deepEqual([answer.links, answer.pages], [large.links + 2, large.pages]);
        const { if_match: _, dry_run: __, ...promised } = preview;
        const { change: ___, guarantee, moved: ____, ...made } = answer;
        assert.deepEqual(made, promised);
        assert.equal(guarantee, generation === "2.12" ? "atomic" : "verified");
        const told = applied(files, answer);
        const now = contents(server);
        const shown = new Set(
          [newName, ...answer.changes.map(({ page }) => page)].map((page) => `${page}.md`),
        );
        for (const [path, text] of Object.entries(now)) {
          if (shown.has(path) || path.startsWith("Other/")) assert.equal(text, told[path], path);
          else assert.deepEqual(linksOn(text ?? "").old, 0, path);
        }
        assert.equal(Object.keys(now).length, Object.keys(files).length);
        const unfinished = [...answer.changes.map(({ page }) => page), ...answer.more_pages ?? []];
        assert.equal(unfinished.length - 1 + (answer.unnamed_pages ?? 0), large.pages);
      });
    });
  });
}

interface KillPoint {
  readonly verb: "GET" | "PUT" | "DELETE";
  /** How many such requests pass first. */
  readonly skip: number;
  /** Whether the server still carries the request out whose sender died. */
  readonly carriedOut: boolean;
}

/** Twenty points, the same in every run; ten for each dialect. */
function killPoints(seed: number): KillPoint[] {
  let state = seed;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  const anywhere = Array.from({ length: 6 }, () => ({ verb: "PUT" as const, skip: random(small.pages + 1) }));
  const edges = [
    { verb: "GET" as const, skip: random(small.pages) },
    { verb: "PUT" as const, skip: 0 },
    { verb: "PUT" as const, skip: 1 },
    { verb: "DELETE" as const, skip: 0 },
  ];
  return [...edges, ...anywhere].map((point, index) => ({ ...point, carriedOut: index % 2 === 0 }));
}

/** Starts a process that moves the page, and kills it at that point. */
async function killedAt(server: EmbeddedServer, dir: string, point: KillPoint): Promise<void> {
  const script = new URL("../support/moving_process.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--quiet", "-A", script, server.url, dir, oldName, newName],
    stdout: "null",
    stderr: "null",
  }).spawn();
  const at = { verb: point.verb, skip: point.skip };
  const kill: FaultSwitch = {
    ...at,
    fault: { kind: "hand", when: "before", act: () => child.kill("SIGKILL") },
  };
  server.faults.add(kill);
  if (!point.carriedOut) server.faults.add({ ...at, fault: { kind: "reset" } });
  const { signal } = await child.status;
  assert.equal(signal, "SIGKILL", `the move ended before ${JSON.stringify(point)}`);
  server.faults.clear();
}

/** The page is there, and no page has some of its links changed and others not. */
function assertNothingHalf(
  server: EmbeddedServer,
  files: Record<string, string>,
  planned: Set<string>,
): void {
  const now = contents(server);
  assert(
    now[`${oldName}.md`] === files[`${oldName}.md`] || planned.has(now[`${newName}.md`] ?? ""),
    "the page is lost",
  );
  for (const [path, text] of Object.entries(now)) {
    if (text === files[path]) continue;
    assert(planned.has(text ?? ""), `${path} is neither as it was nor as it shall be: ${text}`);
  }
}

for (const [generation, seed] of [["go-2.9", 1], ["2.12", 2]] as const) {
  Deno.test(`a move that is killed anywhere loses nothing and comes to its end after a restart (${generation})`, async () => {
    cites("notes.move-crash");
    const planned = new Set<string>();
    let finished: Record<string, string | null> = {};
    await withSpace({ generation, size: small }, async ({ server, dir }) => {
      await withNotesOver({ url: server.url, dir }, (notes) => notes.move(testCaller(), request));
      finished = contents(server);
      for (const text of Object.values(finished)) planned.add(text ?? "");
    });
    const ends: string[] = [];
    const queue = killPoints(seed).values();
    async function killOnAndOn(): Promise<void> {
      for (const point of queue) {
        await withSpace({ generation, size: small }, async ({ server, dir, files }) => {
          await killedAt(server, dir, point);
          assertNothingHalf(server, files, planned);
          await withNotesOver({ url: server.url, dir }, async (notes) => {
            await notes.settle(new AbortController().signal);
            const [told] = notes.mendedMoves(testCaller());
            ends.push(told?.outcome ?? "not begun");
            const expected = told?.outcome === "finished" ? finished : files;
            assert.deepEqual(contents(server), expected, JSON.stringify(point));
          });
          const state = openState({ dir });
          assert.equal(state.db.prepare("SELECT count(*) AS n FROM move_steps").get()?.["n"], 0);
          state.close();
        });
      }
    }
    await Promise.all(Array.from({ length: 4 }, killOnAndOn));
    assert(ends.includes("finished") && ends.includes("not begun"), ends.join());
  });
}

/** Moves the page in a process of its own; answers whether it was moved. */
async function movedByProcess(server: EmbeddedServer, dir: string, to: string): Promise<boolean> {
  const script = new URL("../support/moving_process.ts", import.meta.url).pathname;
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--quiet", "-A", script, server.url, dir, oldName, to],
    stdout: "null",
    stderr: "null",
  }).output();
  return code === 0;
}

for (const generation of ["go-2.9", "2.12"] as const) {
  Deno.test(`two processes that move one page to two places move it once, links and all (${generation})`, async () => {
    cites("notes.move");
    await withSpace({ generation, size: small }, async ({ server, dir, files }) => {
      server.faults.add({ fault: { kind: "slow_answer", ms: 5 }, verb: "PUT", times: Infinity });
      const names = ["One/New name", "Two/New name"];
      const moved = await Promise.all(names.map((to) => movedByProcess(server, dir, to)));
      assert.equal(moved.filter(Boolean).length, 1);
      const to = names[moved.indexOf(true)] ?? "";
      const paths = server.files.paths();
      assert.deepEqual(names.filter((name) => paths.includes(`${name}.md`)), [to]);
      assert(!paths.includes(`${oldName}.md`));
      assert.equal(paths.length, Object.keys(files).length);
      for (const path of paths.filter((path) => path.startsWith("Pages/"))) {
        const text = server.files.text(path)?.replace(/`[^`]*`/g, "").replaceAll("%20", " ") ?? "";
        assert(text.includes(to) && !text.includes("Projects/Old"), `${path}: ${text}`);
      }
    });
  });

  Deno.test(`what others write while a page moves is neither lost nor doubled, and links right (${generation})`, async () => {
    await withSpace({ generation, size: small }, async ({ server, dir }) => {
      const accepted: { readonly page: string; readonly line: string }[] = [];
      async function append(page: string, line: string): Promise<void> {
        await withNotesOver({ url: server.url, dir }, async (notes) => {
          const request = { page, content: line, section: null, ifMatch: null, dryRun: false, retries: null };
          await notes.append(testCaller(), request).then(() => accepted.push({ page, line }), (error) => {
            assert.match(String(error.code), /not_found|conflict/);
          });
        });
      }
      const [moved] = await Promise.all([
        withNotesOver({ url: server.url, dir }, (notes) => notes.move(testCaller(), request)),
        ...Array.from(
          { length: 12 },
          (_, index) => append(`Pages/P${index * 5}`, `line ${index} [[Pages/P1]]`),
        ),
        ...Array.from({ length: 3 }, (_, index) => append(oldName, `own line ${index}`)),
      ].map(async (work, index) => index === 0 ? await work.catch(() => null) : await work));
      const now = contents(server);
      const place = moved === null ? oldName : newName;
      for (const { page, line } of accepted) {
        const text = now[`${page === oldName ? place : page}.md`] ?? "";
        assert.equal(text.split(line).length, 2, `${page}: ${line}`);
      }
      assert.equal(now[`${place === oldName ? newName : oldName}.md`] ?? null, null);
      for (const [path, text] of Object.entries(now)) {
        if (!path.startsWith("Pages/")) continue;
        const links = linksOn(text ?? "");
        assert.equal(moved === null ? links.now : links.old, 0, path);
      }
    });
  });
}
