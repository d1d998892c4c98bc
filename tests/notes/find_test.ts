/** Finding through the whole product: what is found, how soon, by whom, and what survives. */

import assert from "node:assert/strict";
import type { TokenSetting } from "../../src/config/config.ts";
import { systemClock } from "../../src/core/clock.ts";
import { sha256Hex } from "../../src/core/secrets.ts";
import type { Generation } from "../../src/silverbullet/embedded/generations.ts";
import { factOf, pageText, pathOf } from "../bench/search/words.ts";
import { cites } from "../requirements.ts";
import {
  type InProcessApp,
  mcpRequest,
  type Program,
  startProgram,
  token,
  withApp,
  withProgram,
} from "../support/app.ts";
import { until } from "../support/step_clock.ts";

const base = "http://127.0.0.1:8787";

interface Answer {
  readonly [key: string]: unknown;
  readonly total?: number;
  readonly searched?: { readonly pages: number; readonly complete: boolean };
  readonly hits?: readonly { readonly page: string; readonly snippet: string }[];
}

type Ask = (name: string, args: Readonly<Record<string, unknown>>) => Promise<Answer>;

function asker(url: string, send: (request: Request) => Promise<Response>, who = token): Ask {
  return async (name, args) => {
    const request = mcpRequest(url, { method: "tools/call", params: { name, arguments: args } }, {
      authorization: `Bearer ${who}`,
    });
    const { result, error } = await (await send(request)).json();
    if (error !== undefined || result.isError === true) throw new Error(JSON.stringify(error ?? result));
    return JSON.parse(result.content[0].text);
  };
}

function askApp(app: InProcessApp, who = token): Ask {
  return asker(base, (request) => app.fetch(request), who);
}

function askProgram(program: Program): Ask {
  return asker(program.url, fetch);
}

async function complete(ask: Ask): Promise<void> {
  await until(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return (await ask("search_pages", { query: "x" })).searched?.complete === true;
  }, { most: 20_000, what: "The index is never complete" });
}

async function found(ask: Ask, query: string): Promise<string[]> {
  return (await ask("search_pages", { query })).hits?.map(({ page }) => page) ?? [];
}

Deno.test("fifty facts among two thousand pages are found among the first five, each by its words", async () => {
  cites("find.facts");
  const files: Record<string, string> = {};
  for (let number = 0; number < 2000; number++) files[pathOf(number)] = pageText(number, 1000);
  const planted = Array.from({ length: 50 }, (_, fact) => fact * 39 + 1);
  for (const number of planted) files[pathOf(number)] += factOf(number);
  await withApp({ space: { files } }, async (app) => {
    const ask = askApp(app);
    await complete(ask);
    for (const number of planted) {
      const name = pathOf(number).replace(/\.md$/, "");
      for (
        const query of [
          `keeper of lantern ${number}`,
          `Zephyrine Quillfeather-${number}`,
          `lanterns ${number}`,
        ]
      ) {
        const names = await found(ask, query);
        assert(names.slice(0, 5).includes(name), `${query}: ${names.join(", ")}`);
      }
    }
  });
});

/** Changes, renames and deletes as another hand does, and waits until each is seen. */
async function followsOtherHands(app: InProcessApp, within: number): Promise<void> {
  const ask = askApp(app);
  await complete(ask);
  async function soon(query: string, wanted: readonly string[]): Promise<void> {
    const begun = performance.now();
    for (;;) {
      const names = (await found(ask, query)).sort();
      if (JSON.stringify(names) === JSON.stringify(wanted)) break;
      if (performance.now() - begun > within * 20) throw new Error(`${query}: ${names.join(", ")}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  app.space.files.put("A.md", "rewritten about gallium");
  await soon("gallium", ["A"]);
  await soon("antimony", []);
  const text = new TextEncoder().encode("moved about indium");
  app.space.files.remove("B.md");
  app.space.files.put("Sub/B2.md", text);
  await soon("indium", ["Sub/B2"]);
  app.space.files.remove("A.md");
  await soon("gallium", []);
  app.space.files.put("New/C.md", "fresh about thallium [[Sub/B2]]");
  await soon("thallium", ["New/C"]);
  assert.equal((await ask("find_backlinks", { page: "Sub/B2" })).total, 1);
  await ask("append_to_page", { page: "New/C", content: "ours about rhenium" });
  assert.deepEqual(await found(ask, "rhenium"), ["New/C"], "our own change is there at once");
}

const twoPages = { "A.md": "first about antimony", "B.md": "second about indium" };

for (
  const [generation, poll] of [["2.12", "60/60"], ["edge", "60/60"], ["go-2.9", "1/1"], [
    "deno-2.0",
    "1/1",
  ]] as const
) {
  Deno.test(`what other hands change is found by its new words and not by its old ones (${generation})`, async () => {
    cites("find.current");
    await withApp({
      space: { files: twoPages, generation: generation as Generation },
      env: { SILVERBRIDGE_POLL_SECONDS: poll },
    }, (app) => followsOtherHands(app, 5_000));
  });
}

Deno.test("a program that is killed while it indexes answers after the next start as if nothing had been", async () => {
  cites("find.consistent");
  const files: Record<string, string> = {};
  for (let number = 0; number < 600; number++) {
    files[pathOf(number)] = `${pageText(number, 1500)}\nunique${number}word\n`;
  }
  await withProgram({ space: { files } }, async (first) => {
    let program = first;
    for (let kill = 0; kill < 4; kill++) {
      const ask = askProgram(program);
      await until(async () =>
        ((await ask("search_pages", { query: "x" })).searched?.pages ?? 0) > 40 * (kill + 1)
      );
      // Pages change, come and go while nobody looks.
      program.kill("SIGKILL");
      await program.ended();
      program.space.files.put(pathOf(kill), `replaced unique${kill}new\n`);
      program.space.files.remove(pathOf(100 + kill));
      program = await startProgram({}, { space: first.space, stateDir: first.stateDir });
    }
    const ask = askProgram(program);
    await complete(ask);
    assert.equal(
      (await ask("search_pages", { query: "x" })).searched?.pages,
      600 - 4,
      "what comes with the server is not searched",
    );
    for (let number = 0; number < 600; number += 7) {
      const gone = number >= 100 && number < 104;
      const changed = number < 4;
      const names = await found(ask, `unique${number}word`);
      assert.deepEqual(names, gone || changed ? [] : [pathOf(number).replace(/\.md$/, "")], String(number));
    }
    assert.deepEqual(await found(ask, "unique3new"), [pathOf(3).replace(/\.md$/, "")]);
    const { cursor } = await ask("changes_since", {});
    program.kill("SIGTERM");
    assert.equal((await program.ended()).code, 0);
    program.space.files.put(pathOf(9), "changed while nobody looked\n");
    program = await startProgram({}, { space: first.space, stateDir: first.stateDir });
    const later = askProgram(program);
    await complete(later);
    const { changes, more } = await later("changes_since", { cursor });
    const [change] = changes as readonly { readonly page: string; readonly kind: string }[];
    assert.deepEqual([change?.kind, change?.page, more], ["changed", pathOf(9).replace(/\.md$/, ""), false]);
    program.kill("SIGTERM");
    await program.ended();
  });
});

Deno.test("a question while the index is built is answered from what is there, and keeps nobody waiting", async () => {
  cites("find.short");
  const files: Record<string, string> = { "Line.md": "long line of words ".repeat(250_000) };
  for (let number = 0; number < 1500; number++) files[pathOf(number)] = pageText(number);
  await withProgram({ space: { files } }, async (program) => {
    const ask = askProgram(program);
    let longest = 0;
    let partial = 0;
    for (;;) {
      const begun = performance.now();
      const answer = await ask("search_pages", { query: "task" });
      await ask("page_exists", { page: "Folder 1/Page 1" });
      longest = Math.max(longest, performance.now() - begun);
      assert(JSON.stringify(answer).length <= 3000);
      if (answer.searched?.complete === true) break;
      partial++;
      assert.match(String(answer["note"]), /filled|compared/i);
    }
    assert(partial > 0, "it was complete before anybody could ask");
    assert(longest < 5_000, `${longest} ms`);
  });
});

function named(name: string, read: readonly string[]): TokenSetting {
  const hash = sha256Hex(`secret-${name}`);
  return { name, hash, rights: { read, append: [] }, roots: "all", profile: null, silverbulletToken: null };
}

/** The answers of every finding tool to a caller who may read two folders, on a space with those pages. */
async function answersToGuest(files: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  await withApp({
    // All pages of one age: what is newer would tell of the order in which they came.
    space: { files, clock: { ...systemClock, now: () => 1_790_000_000_000 } },
    env: { SILVERBRIDGE_HIDDEN_PATHS: "Hidden/**" },
    configure: (config) => ({
      ...config,
      tokens: [...config.tokens, named("guest", ["Public/**", "Other/**"])],
    }),
  }, async (app) => {
    await complete(askApp(app));
    const ask = askApp(app, "secret-guest");
    const queries = [
      "lantern",
      "lantern keeper",
      "secretword",
      "secre",
      "Shared",
      '"lantern light"',
      "#common",
      "tag:secrettag",
    ];
    const questions: [string, Record<string, unknown>][] = [
      ...queries.flatMap((query): [string, Record<string, unknown>][] => [
        ["search_pages", { query }],
        ["search_pages", { query, limit: 2 }],
        ["search_pages", { query, mode: "exact" }],
        ["search_pages", { query, include_trash: true }],
        ["pages_touching_topic", { query }],
        ["context_pack", { question: query }],
      ]),
      ["search_pages", { query: "", where: "level=secret" }],
      ["search_pages", { query: "level=secret" }],
      ...[
        "Public/Shared",
        "Shared",
        "Secret/Shared",
        "Hidden/Shared",
        "Public/A",
        "Secret/S",
        "Other/Deep/Er/Only",
        "Only",
      ].map(
        (page): [string, Record<string, unknown>] => ["find_backlinks", { page }],
      ),
      ["list_tasks", {}],
      ["list_tasks", { state: "all", tag: "secrettag" }],
      ["tag_summary", {}],
      ["journal_histogram", {}],
      ["recent_pages", { limit: 100 }],
      ["list_pages", {}],
      ["changes_since", {}],
    ];
    for (const [name, args] of questions) {
      const answer = await ask(name, args);
      const { cursor: _, next_cursor: more, ...shown } = answer;
      answers.set(`${name} ${JSON.stringify(args)}`, JSON.stringify({ ...shown, more: more !== undefined }));
    }
  });
  return answers;
}

Deno.test("to a caller who may not read them, pages that are secret or hidden might as well not be there", async () => {
  cites("find.rights");
  const open: Record<string, string> = {
    "Public/A.md":
      `lantern light here 2026-10-01 [[Only]] [[Shared]] [[Public/Shared]] #common\n* [ ] open task\n`,
    "Public/B.md": "another lantern, keeper of it. [[Secret/S]] and [[Hidden/H]] #common",
    "Public/Shared.md": "shared lantern keeper page",
    "Public/2026-10-01.md": "journal lantern",
    "Other/Deep/Er/Only.md": "a page whose name a secret one has too, nearer to the root",
  };
  const secret: Record<string, string> = {};
  for (const folder of ["Secret", "Hidden"]) {
    secret[`${folder}/Shared.md`] = "secretword lantern keeper [[Public/A]] #secrettag";
    secret[`${folder}/Only.md`] = "only";
    secret[`${folder}/S.md`] =
      "---\nlevel: secret\ntags: secrettag\n---\nlantern light [[Public/Shared]]\n* [ ] secret task #secrettag";
    secret[`${folder}/2026-10-02.md`] = "lantern ".repeat(50);
    for (let page = 0; page < 30; page++) {
      secret[`${folder}/P${page}.md`] = `lantern lantern keeper ${page} #common`;
    }
    secret[`_trash/2026-07/${folder}/Gone.md`] = "lantern secretword";
    secret[`${folder}/Public/Shared.md`] = "lantern";
  }
  const [without, with_] = [await answersToGuest(open), await answersToGuest({ ...open, ...secret })];
  for (const [question, answer] of without) {
    assert.equal(with_.get(question), answer, question);
  }
});
