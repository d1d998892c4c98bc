/**
 * What the two predecessors for notes got wrong about edits, each as a test that fails on what they did.
 *
 * `mcp-silverbullet` is kesor's, `silverbullet-mcp-server` is xmatthewx's.
 */

import assert from "node:assert/strict";
import { badWrites } from "../support/edits.ts";
import { type CallTool, withNoteTools, withServerTools } from "../support/note_tools.ts";
import { cites } from "../requirements.ts";

async function etag(call: CallTool, page = "A"): Promise<string> {
  return String((await call("read_page", { page })).json["etag"]);
}

/** Every edit, as arguments that fit `sample`. */
const sample = "---\nk: v\n---\n# H\n\n- [ ] task [[R]]\n";
const edits: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  append_to_page: { content: "x" },
  prepend_to_page: { content: "x" },
  patch_page_replace: { find: "# H", replace: "# I" },
  patch_page_lines: { start_line: 4, end_line: 4, content: "# I" },
  patch_section: { section: "H", action: "rename", content: "I" },
  set_frontmatter: { set: "k: w" },
  check_task: { ref: "R" },
};

/** What a page holds after one call. */
async function after(page: string, name: string, input: Record<string, unknown>): Promise<string | null> {
  let result: string | null = null;
  await withNoteTools({ files: { "A.md": page } }, async (call, { store }) => {
    const answer = await call(name, { page: "A", ...input });
    assert.equal(answer.outcome.kind, "done", JSON.stringify([page, answer.texts]));
    result = store.text("A.md");
  });
  return result;
}

type Case = readonly [page: string, input: Record<string, unknown>, result: string];

async function eachBecomes(name: string, cases: readonly Case[]): Promise<void> {
  for (const [page, input, result] of cases) {
    assert.equal(await after(page, name, input), result, JSON.stringify([page, input]));
  }
}

Deno.test("mcp-silverbullet: a stale if_match went through on servers that ignore preconditions", async () => {
  cites("edits.version");
  for (const [name, input] of Object.entries(edits)) {
    await withServerTools({ generation: "go-2.9", files: { "A.md": sample } }, async ({ call, server }) => {
      const if_match = await etag(call);
      const theirs = sample.replace("task", "tusk");
      server.files.put("A.md", theirs);
      const answer = await call(name, { page: "A", ...input, if_match });
      assert.equal(answer.json["error"], "conflict", name);
      assert.equal(server.files.text("A.md"), theirs, name);
    });
  }
});

Deno.test("mcp-silverbullet: a version was a size, so an edit of equal length went unnoticed", async () => {
  await withNoteTools({ files: { "A.md": sample } }, async (call, { store }) => {
    const { json } = await call("read_page", { page: "A" });
    for (const if_match of [json["etag"], json["last_modified_ms"], String(json["size_bytes"])]) {
      store.put("A.md", sample.replace("- [ ]", "- [x]"));
      const answer = await call("check_task", { page: "A", ref: "R", state: "todo", if_match });
      assert.match(String(answer.json["error"]), /^(?:conflict|invalid_argument)$/);
      assert.match(store.text("A.md") ?? "", /- \[x\]/);
    }
  });
});

Deno.test("mcp-silverbullet: what had been written was made again, what had not was given up at once", async () => {
  cites("edits.once");
  const hand = badWrites({
    answer: "unverified",
    after: (store) => store.put("A.md", `${store.text("A.md")}theirs\n`),
  });
  await withNoteTools({ files: { "A.md": "a\n" }, wrap: hand }, async (call, { store }) => {
    await call("append_to_page", { page: "A", content: "mine" });
    assert.equal(store.text("A.md"), "a\n\nmine\ntheirs\n");
  });
  const faster = badWrites({
    before: (store) => store.put("A.md", `${store.text("A.md")}theirs\n`),
    times: 3,
  });
  await withNoteTools({ files: { "A.md": "a\n" }, wrap: faster }, async (call, { store }) => {
    await call("append_to_page", { page: "A", content: "mine" });
    assert.equal(store.text("A.md"), "a\ntheirs\ntheirs\ntheirs\n\nmine\n");
  });
});

Deno.test("mcp-silverbullet: servers and proxies that lose or weaken ETags made every write a false alarm", async () => {
  for (const proxy of ["no-etags", "weak-etags"] as const) {
    for (const [name, input] of Object.entries(edits)) {
      await withServerTools({ proxy, files: { "A.md": sample } }, async ({ call }) => {
        const answer = await call(name, { page: "A", ...input, if_match: await etag(call) });
        assert.equal(answer.outcome.kind, "done", `${proxy} ${name} ${answer.texts}`);
        assert.equal("warnings" in answer.json, false, `${proxy} ${name} ${answer.texts}`);
      });
    }
  }
});

Deno.test("mcp-silverbullet: an etag could not be copied, since its quotes were part of it", async () => {
  for (
    const quoted of [
      (v: string) => v,
      (v: string) => `"${v}"`,
      (v: string) => `'${v}'`,
      (v: string) => `\\"${v}\\"`,
    ]
  ) {
    await withNoteTools({ files: { "A.md": "a\n" } }, async (call) => {
      const version = await etag(call);
      assert.match(version, /^[a-z0-9]+$/);
      const answer = await call("append_to_page", { page: "A", content: "x", if_match: quoted(version) });
      assert.equal(answer.outcome.kind, "done");
    });
  }
});

Deno.test("mcp-silverbullet: a fault while a good write was checked was told as a write that failed", async () => {
  cites("edits.outcome");
  await withServerTools({ generation: "go-2.9", files: { "A.md": "a\n" } }, async ({ call, server }) => {
    await call("read_page", { page: "A" });
    // Two looks before the write; every one after it fails.
    server.faults.add({ fault: { kind: "status", status: 503 }, verb: "GET", skip: 2, times: Infinity });
    const answer = await call("append_to_page", { page: "A", content: "mine" });
    assert.equal(server.files.text("A.md"), "a\n\nmine\n");
    assert.equal(answer.outcome.kind, "done", answer.texts.join());
    assert.equal(answer.json["guarantee"], "unverified");
    assert.match(String(answer.json["warnings"]), /Made, but what the page holds now could not be confirmed/);
  });
});

Deno.test("mcp-silverbullet: a conflict did not tell the present version", async () => {
  await withNoteTools({ files: { "A.md": "a\n" } }, async (call, { store }) => {
    const if_match = await etag(call);
    store.put("A.md", "b\n");
    const { json } = await call("append_to_page", { page: "A", content: "x", if_match });
    assert.match(String(json["diff"]), /-a\n\+b/);
    const again = await call("append_to_page", { page: "A", content: "x", if_match: json["etag"] });
    assert.equal(again.outcome.kind, "done");
  });
});

Deno.test("mcp-silverbullet: two calls at once on one page ran into each other", async () => {
  cites("edits.once");
  for (const generation of ["go-2.9", "2.12"] as const) {
    await withServerTools({ generation, files: { "A.md": sample } }, async ({ call, server }) => {
      server.faults.add({ fault: { kind: "slow_answer", ms: 20 }, verb: "PUT", times: Infinity });
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, (_, n) => call("append_to_page", { page: "A", content: `line ${n}` })),
        call("check_task", { page: "A", ref: "R" }),
        call("set_frontmatter", { page: "A", set: "k: w" }),
      ]);
      for (const { outcome, texts } of answers) assert.equal(outcome.kind, "done", texts.join());
      const text = server.files.text("A.md") ?? "";
      for (let n = 0; n < 6; n++) assert.equal(text.split(`line ${n}`).length, 2, text);
      assert.match(text, /^---\nk: w\n---\n# H\n\n- \[x\] task/);
    });
  }
});

Deno.test("mcp-silverbullet: prepend glued the text to the line after it", async () => {
  await eachBecomes("prepend_to_page", [
    ["a\n", { content: "x" }, "x\n\na\n"],
    ["---\nk: v\n---\na\n", { content: "x" }, "---\nk: v\n---\nx\n\na\n"],
  ]);
});

Deno.test("mcp-silverbullet: prepend rewrote line breaks and lost or broke frontmatter", async () => {
  cites("edits.bytes");
  await eachBecomes("prepend_to_page", [
    ["---\r\nk: v\r\n---\r\na\r\n", { content: "x" }, "---\r\nk: v\r\n---\r\nx\r\n\r\na\r\n"],
    [
      "---\nk: a\u2028b\fc\n---\nd\u2028e\n\n",
      { content: "x" },
      "---\nk: a\u2028b\fc\n---\nx\n\nd\u2028e\n\n",
    ],
    ["----\na\n---\nb\n", { content: "x" }, "x\n\n----\na\n---\nb\n"],
    ["--- foo\na\n---\nb\n", { content: "x" }, "x\n\n--- foo\na\n---\nb\n"],
    ["---\nk: v\n---", { content: "x" }, "---\nk: v\n---\nx"],
    ["---\nopen\n", { content: "x" }, "x\n\n---\nopen\n"],
  ]);
});

Deno.test("mcp-silverbullet: lines could not be inserted, and were counted by what is no line break", async () => {
  await eachBecomes("patch_page_lines", [
    ["a\nb\n", { start_line: 2, end_line: 1, content: "x" }, "a\nx\nb\n"],
    ["", { start_line: 1, end_line: 0, content: "x" }, "x\n"],
    ["a\u2028b\rc\nd\n", { start_line: 2, end_line: 2, content: "x" }, "a\u2028b\rc\nx\n"],
    ["a\r\nb\r\n", { start_line: 1, end_line: 1, content: "x\ny" }, "x\r\ny\r\nb\r\n"],
  ]);
});

Deno.test("mcp-silverbullet: lines were replaced where others had moved them meanwhile", async () => {
  cites("edits.once");
  const wrap = badWrites({ before: (store) => store.put("A.md", `new\n${store.text("A.md")}`) });
  await withNoteTools({ files: { "A.md": "a\nb\n" }, wrap }, async (call, { store }) => {
    const answer = await call("patch_page_lines", { page: "A", start_line: 2, end_line: 2, content: "B" });
    assert.equal(answer.json["error"], "conflict");
    assert.equal(store.text("A.md"), "new\na\nb\n");
  });
});

Deno.test("mcp-silverbullet: text of white space could not be sought", async () => {
  await eachBecomes("patch_page_replace", [
    ["a\n\n\nb\n", { find: "\n\n\n", replace: "\n\n" }, "a\n\nb\n"],
    ["a b\n", { find: " ", replace: "" }, "ab\n"],
    ["a\tb\n", { find: "\t", new_string: " " }, "a b\n"],
  ]);
});

Deno.test("mcp-silverbullet: pages grew without limit, and over the limit no task could be ticked", async () => {
  const big = `- [ ] task [[R]]\n${"x".repeat(300_000)}\n`;
  await withNoteTools({ files: { "A.md": big, "B.md": "x\n".repeat(131_000) } }, async (call, { store }) => {
    assert.equal((await call("check_task", { page: "A", ref: "R" })).outcome.kind, "done");
    assert.equal(store.text("A.md"), big.replace("[ ]", "[x]"));
    const grown = await call("append_to_page", { page: "B", content: "y".repeat(1000) });
    assert.equal(grown.json["error"], "too_large");
    assert.equal(store.text("B.md")?.length, 262_000);
  });
});

Deno.test("mcp-silverbullet: a preview could not be committed as it was shown", async () => {
  cites("edits.version");
  for (const [name, input] of Object.entries(edits)) {
    await withNoteTools({ files: { "A.md": sample } }, async (call, { store }) => {
      const preview = (await call(name, { page: "A", ...input, dry_run: true })).json;
      assert.equal(store.text("A.md"), sample);
      const commit = { page: "A", ...input, if_match: preview["if_match"] };
      store.put("A.md", sample.replace("task", "tusk"));
      assert.equal((await call(name, commit)).json["error"], "conflict", name);
      store.put("A.md", sample);
      const done = (await call(name, commit)).json;
      assert.deepEqual([done["diff"], done["size_bytes"]], [preview["diff"], preview["size_bytes"]], name);
    });
  }
});

Deno.test("mcp-silverbullet: ticking a task beside letters beyond ASCII failed or ate a line break", async () => {
  cites("edits.tasks");
  await eachBecomes("check_task", [
    ["- [ ] café [[R]]\nnext line\n", { ref: "R" }, "- [x] café [[R]]\nnext line\n"],
    ["日本語 😀\n\n- [ ] a [[R]]\n", { ref: "R" }, "日本語 😀\n\n- [x] a [[R]]\n"],
    ["\ufeff- [ ] a [[R]]\n", { ref: "R" }, "\ufeff- [x] a [[R]]\n"],
  ]);
});

Deno.test("mcp-silverbullet: ticking a task changed frontmatter, code and spaces", async () => {
  cites("edits.tasks");
  await eachBecomes("check_task", [
    ["---\n- [ ] a [[R]]\n---\n- [ ] b [[R]]\n", { ref: "R" }, "---\n- [ ] a [[R]]\n---\n- [x] b [[R]]\n"],
    [
      "---\r\n- [ ] a [[R]]\r\n---\r\n- [ ] b [[R]]\r\n",
      { ref: "R" },
      "---\r\n- [ ] a [[R]]\r\n---\r\n- [x] b [[R]]\r\n",
    ],
    ["```\n- [ ] a [[R]]\n```\n- [ ] b [[R]]\n", { ref: "R" }, "```\n- [ ] a [[R]]\n```\n- [x] b [[R]]\n"],
    ["-   [ ]   a [[R]]  \n", { ref: "R" }, "-   [x]   a [[R]]  \n"],
  ]);
});

Deno.test("mcp-silverbullet: tasks without a link, with other bullets or other states could not be ticked", async () => {
  cites("edits.tasks");
  await eachBecomes("check_task", [
    ["- [ ] a\n- [ ] b\n", { line: 2, text: "b" }, "- [ ] a\n- [x] b\n"],
    ["* [ ] a [[R]]\n", { ref: "R" }, "* [x] a [[R]]\n"],
    ["+ [ ] a [[R]]\n", { ref: "R" }, "+ [x] a [[R]]\n"],
    ["1. [ ] a [[R]]\n", { ref: "R" }, "1. [x] a [[R]]\n"],
    ["- [>] a [[R]]\n", { ref: "R" }, "- [x] a [[R]]\n"],
    ["- [ ] a [[R]]\n", { ref: "R", state: "[WIP]" }, "- [WIP] a [[R]]\n"],
    ["- [ ]\n- [ ] b\n", { line: 1 }, "- [x]\n- [ ] b\n"],
    ["* a\n  * [ ] b $anchor\n", { ref: "$anchor" }, "* a\n  * [x] b $anchor\n"],
  ]);
});

Deno.test("mcp-silverbullet: a task that had the state already was written all the same", async () => {
  await withNoteTools({ files: { "A.md": "- [x] a [[R]]\n" } }, async (call, { state }) => {
    assert.equal((await call("check_task", { page: "A", ref: "R" })).json["unchanged"], true);
    assert.equal(state.db.prepare("SELECT count(*) AS n FROM changes").get()?.["n"], 0);
  });
});

Deno.test("mcp-silverbullet: tasks of a whole list were told wrong in code and after CRLF frontmatter", async () => {
  cites("edits.tasks");
  const page = "---\r\n- [ ] no\r\n---\r\n```\r\n- [ ] no\r\n```\r\n* [ ] yes [[R#part|alias]]\r\n";
  await withNoteTools({ files: { "A.md": page } }, async (call) => {
    const { json } = await call("list_tasks", { page: "A" });
    assert.deepEqual(json["tasks"], [
      { page: "A", line: 7, state: " ", done: false, text: "yes [[R#part|alias]]", ref: "R#part" },
    ]);
  });
});

Deno.test("both predecessors: bytes that are no UTF-8 were replaced, and a byte order mark dropped", async () => {
  cites("edits.bytes");
  const bytes = new Uint8Array([0x61, 0xff, 0x0a]);
  for (const [name, input] of Object.entries(edits)) {
    await withNoteTools({ files: { "A.md": bytes, "B.md": `\ufeff${sample}` } }, async (call, { store }) => {
      assert.equal((await call(name, { page: "A", ...input })).json["error"], "invalid_argument", name);
      assert.deepEqual((await store.read("A.md" as never))?.bytes, bytes, name);
      assert.equal((await call(name, { page: "B", ...input })).outcome.kind, "done", name);
      assert.match(store.text("B.md") ?? "", /^\ufeff/, name);
    });
  }
});

Deno.test("silverbullet-mcp-server: append and prepend lost what was written between their read and their write", async () => {
  cites("edits.once");
  for (const name of ["append_to_page", "prepend_to_page"]) {
    const wrap = badWrites({ before: (store) => store.put("A.md", `${store.text("A.md")}theirs\n`) });
    await withNoteTools({ files: { "A.md": "a\n" }, wrap }, async (call, { store }) => {
      await call(name, { page: "A", content: "mine" });
      assert.match(store.text("A.md") ?? "", /theirs\n/);
      assert.match(store.text("A.md") ?? "", /mine\n/);
    });
  }
});

Deno.test("silverbullet-mcp-server: prepend went above frontmatter that ends the page", async () => {
  await eachBecomes("prepend_to_page", [
    ["---\nk: v\n---", { content: "x" }, "---\nk: v\n---\nx"],
    ["---\r\nk: v\r\n---", { content: "x" }, "---\r\nk: v\r\n---\r\nx"],
    // SilverBullet takes the line after the first marker for YAML, whatever it says.
    ["---\n---\na\n---\nb\n", { content: "x" }, "---\n---\na\n---\nx\n\nb\n"],
    ["---\n---\na\n", { content: "x" }, "x\n\n---\n---\na\n"],
    ["a\n\n---\nb\n---\n", { content: "x" }, "x\n\na\n\n---\nb\n---\n"],
  ]);
});

Deno.test("silverbullet-mcp-server: joins began empty pages with blank lines and mixed kinds of line breaks", async () => {
  await eachBecomes("append_to_page", [
    ["", { content: "x" }, "x\n"],
    ["a\n\n", { content: "x" }, "a\n\nx\n"],
    ["a\r\nb\r\n", { content: "x\ny" }, "a\r\nb\r\n\r\nx\r\ny\r\n"],
    ["- a\n", { content: "- b" }, "- a\n- b\n"],
  ]);
});

Deno.test("silverbullet-mcp-server: a time shown for sorting could be used as a version", async () => {
  cites("edits.version");
  const clock = {
    now: () => 1_751_360_000_000,
    elapsed: () => performance.now(),
    sleep: () => Promise.resolve(),
  };
  await withNoteTools({ files: { "A.md": "a\n" }, clock }, async (call, { store }) => {
    const { json } = await call("list_pages", {});
    const [row] = json["pages"] as { last_modified: string }[];
    const if_match = String(Date.parse(row?.last_modified ?? ""));
    assert.equal(if_match, "1751360000000");
    const answer = await call("append_to_page", { page: "A", content: "x", if_match });
    assert.equal(answer.json["error"], "conflict");
    assert.equal(store.text("A.md"), "a\n");
  });
});

Deno.test("silverbullet-mcp-server: a wrong token upstream was told as a wrong page name", async () => {
  const server = { user: "a:b", token: "right", files: { "A.md": "a\n" } };
  await withServerTools(server, async ({ call, server }) => {
    await call("read_page", { page: "A" });
    server.faults.add({ fault: { kind: "status", status: 401 }, times: Infinity });
    const { json, texts } = await call("append_to_page", { page: "A", content: "x" });
    assert.deepEqual([json["error"], json["kind"]], ["upstream", "auth"]);
    assert.match(texts.join(), /SILVERBRIDGE_SILVERBULLET_TOKEN/);
  });
});

Deno.test("silverbullet-mcp-server: a body that stalled was waited for without end", async () => {
  await withServerTools({ files: { "A.md": "a\n" } }, async ({ call, server }) => {
    server.faults.add({ fault: { kind: "stalled_body" }, verb: "GET", times: Infinity });
    const { json } = await call("append_to_page", { page: "A", content: "x" });
    assert.deepEqual([json["error"], json["kind"]], ["upstream", "timeout"]);
    assert.equal(server.files.text("A.md"), "a\n");
  });
});

Deno.test("silverbullet-mcp-server: arguments of another type were refused with a dump of a library", async () => {
  await withNoteTools({ files: { "A.md": sample } }, async (call) => {
    const tolerated = [
      ["append_to_page", { page: "A", content: "x", dry_run: "true", if_match: null }],
      ["patch_page_lines", { page: "A", start_line: "4", end_line: "4", content: "# H", dry_run: "true" }],
      ["patch_page_replace", { page: "A", edits: '[{"find":"# H","replace":"# I"}]', dry_run: true }],
      ["set_frontmatter", { page: "A", set: { k: "w" }, remove: "[]", dry_run: true }],
      ["check_task", { page: "A", line: "6", dry_run: true }],
    ] as const;
    for (const [name, input] of tolerated) {
      const { outcome, texts } = await call(name, input);
      assert.equal(outcome.kind, "done", `${name} ${texts}`);
    }
    const { json, texts } = await call("append_to_page", { page: "A", content: 5, wrong: 1 });
    assert.equal(json["error"], "invalid_argument");
    assert.match(texts.join(), /`content` must be a string, not 5/);
    assert.doesNotMatch(texts.join(), /zod|-32602|Invalid input/);
  });
});

Deno.test("every peer: replacement text was read as a pattern", async () => {
  cites("edits.bytes");
  for (const text of ["$& $1 $$ $`", ".*", "\\1", "(?<x>)", "\0", "😀", "\u202e\u200f", "%s %d", "{{x}}"]) {
    await eachBecomes("patch_page_replace", [
      ["a x b\n", { find: "x", replace: text }, `a ${text} b\n`],
      [`a ${text} b\n`, { find: text, replace: "y" }, "a y b\n"],
    ]);
    await eachBecomes("append_to_page", [["a\n", { content: text }, `a\n\n${text}\n`]]);
    await eachBecomes("patch_section", [
      ["# H\na\n", { section: "H", action: "replace", content: text }, `# H\n${text}\n`],
    ]);
  }
});

Deno.test("every peer: a heading was doubled, or not found with its number signs", async () => {
  for (const section of ["### People", "People", "Meetings > People"]) {
    await eachBecomes("patch_section", [[
      "# Meetings\n\n### People\n\n- a\n",
      { section, action: "append", content: "### People\n- b" },
      "# Meetings\n\n### People\n\n- a\n- b\n",
    ]]);
  }
  await withNoteTools({ files: { "A.md": "# H\n# H\n" } }, async (call, { store }) => {
    const { json } = await call("patch_section", { page: "A", section: "H", action: "append", content: "x" });
    assert.equal(json["error"], "ambiguous");
    assert.deepEqual(json["sections"], [{ section: "H#1", line: 1 }, { section: "H#2", line: 2 }]);
    assert.equal(store.text("A.md"), "# H\n# H\n");
  });
});

Deno.test("every peer: frontmatter was written anew, with other quotes, dates and order", async () => {
  cites("edits.frontmatter");
  const page =
    '---\n# mine\nz: "q"\ndate: 2026-01-02 # day\na:   [x,  y]\nm: |\n  one\n  two\n---\n\n\ntext\n';
  await eachBecomes("set_frontmatter", [
    [page, { set: "a: [z]" }, page.replace("[x,  y]", "[z]")],
    [page, { set: "new: 1" }, page.replace("  two\n", "  two\nnew: 1\n")],
    [page, { remove: ["date"] }, page.replace("date: 2026-01-02 # day\n", "")],
  ]);
  await withNoteTools({ files: { "A.md": "---\nk: [\n---\ntext\n" } }, async (call, { store }) => {
    assert.equal((await call("set_frontmatter", { page: "A", set: "a: 1" })).json["error"], "no_match");
    assert.equal(store.text("A.md"), "---\nk: [\n---\ntext\n");
  });
});

Deno.test("every peer: what was read and written back was not what had been there", async () => {
  cites("edits.bytes");
  const page = `\ufeff${sample.replaceAll("\n", "\r\n")}\u2028\0 e\u0301`;
  await withNoteTools({ files: { "A.md": page } }, async (call, { store }) => {
    const { json, texts } = await call("read_page", { page: "A" });
    await call("write_page", { page: "A", content: texts[1], if_match: json["etag"] });
    assert.equal(store.text("A.md"), page);
    await call("patch_page_replace", { page: "A", find: "# H", replace: "# I" });
    await call("patch_page_replace", { page: "A", find: "# I", replace: "# H" });
    assert.equal(store.text("A.md"), page);
  });
});

Deno.test("every peer: the tool said that it was done, and the write had failed", async () => {
  cites("edits.outcome");
  for (const generation of ["go-2.9", "rust-2.10", "2.12"] as const) {
    for (
      const fault of [{ kind: "status", status: 500 }, { kind: "silent_drop" }, {
        kind: "html_page",
      }] as const
    ) {
      await withServerTools({ generation, files: { "A.md": "a\n" } }, async ({ call, server }) => {
        await call("read_page", { page: "A" });
        server.faults.add({ fault, verb: "PUT", times: Infinity });
        const answer = await call("append_to_page", { page: "A", content: "x" });
        assert.equal(answer.outcome.kind, "failed", `${generation} ${JSON.stringify([fault, answer.json])}`);
        assert.equal(server.files.text("A.md"), "a\n");
      });
    }
  }
});
