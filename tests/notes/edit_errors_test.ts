/**
 * What a model reads when an edit is refused, kept as a snapshot; and what becomes of a script that does exactly what
 * the remedy says, with the values that stand in it.
 */

import assert from "node:assert/strict";
import type { NotesSettings } from "../../src/notes/notes.ts";
import type { MemoryStore } from "../../src/silverbullet/memory_store.ts";
import { allTools } from "../../src/tools/all.ts";
import { cites } from "../requirements.ts";
import { badWrites } from "../support/edits.ts";
import { type CallTool, type ToolAnswer, withNoteTools } from "../support/note_tools.ts";
import type { TestCallerOptions, TestNotesOptions } from "../support/notes.ts";

const file = new URL("./__snapshots__/edit_errors.json", import.meta.url);
const rewrite = Deno.env.get("SILVERBRIDGE_TEST_UPDATE_SNAPSHOTS") === "1";

type Input = Readonly<Record<string, unknown>>;

interface Refused {
  readonly remedy: string;
  readonly json: Input;
  readonly input: Input;
  readonly call: (name: string, input: Input) => Promise<ToolAnswer>;
  /** The refused tool again, with these arguments changed. */
  readonly again: (changed: Input) => Promise<ToolAnswer>;
}

interface Case {
  readonly tool: string;
  readonly input: Input;
  readonly code: string;
  readonly page?: string | Uint8Array;
  readonly settings?: Partial<NotesSettings>;
  readonly who?: TestCallerOptions;
  readonly wrap?: TestNotesOptions["wrap"];
  /** What another hand does before the call. */
  readonly meanwhile?: (store: MemoryStore, call: CallTool) => Promise<Input | void>;
  /** Does what the remedy says; `null` where it speaks to people alone. */
  readonly follow: ((refused: Refused) => Promise<ToolAnswer>) | null;
}

const sample = "---\nk: v\n---\n# Log\n\n- [ ] one [[R]]\n\n# Tasks\n\n- [ ] two\n\n# Log\n";

/** The first text in quotes or backticks that follows `words` in the remedy. */
function named(remedy: string, words: RegExp): string {
  const found = words.exec(remedy)?.[1];
  assert(found !== undefined, `${words} in ${remedy}`);
  return found;
}

async function readAndTryAgain({ call, again, input, remedy }: Refused): Promise<ToolAnswer> {
  assert.match(remedy, /`read_page`/);
  const { json } = await call("read_page", { page: input["page"] });
  return await again({ if_match: json["etag"] });
}

const elsewhere = ({ again }: Refused) => again({ page: "Other" });

const cases: Readonly<Record<string, Case>> = {
  "a page that is not there": {
    tool: "append_to_page",
    input: { page: "Othr", content: "x" },
    code: "not_found",
    async follow({ json, again, remedy, call }) {
      assert.match(remedy, /`create_page` makes a new page/);
      await call("create_page", { page: "Othr", content: "" });
      await again({});
      return await again({ page: (json["close_names"] as string[])[0] });
    },
  },
  "a version that is no longer there": {
    tool: "patch_page_replace",
    input: { page: "A", find: "two", replace: "2" },
    code: "conflict",
    async meanwhile(store, call) {
      const { json } = await call("read_page", { page: "A" });
      store.put("A.md", `${sample}more\n`);
      return { if_match: json["etag"] };
    },
    async follow({ again, json, remedy }) {
      assert.match(remedy, /call again with the `etag` given here as `if_match`/);
      return await again({ if_match: json["etag"] });
    },
  },
  "a partial version that is no longer there": {
    tool: "patch_section",
    input: { page: "A", section: "Tasks", action: "append", content: "- [ ] three" },
    code: "conflict",
    async meanwhile(store, call) {
      const { json } = await call("read_page", { page: "A", view: "outline" });
      store.put("A.md", `${sample}more\n`);
      return { if_match: json["etag"] };
    },
    follow: readAndTryAgain,
  },
  "a page that never rests": {
    tool: "append_to_page",
    input: { page: "A", content: "x", max_retries: 1 },
    code: "conflict",
    wrap: badWrites({ before: (store) => store.put("A.md", `${store.text("A.md")}.`), times: 2 }),
    follow({ again, remedy }) {
      assert.match(remedy, /Make the same call again/);
      return again({});
    },
  },
  "lines that moved": {
    tool: "patch_page_lines",
    input: { page: "A", start_line: 10, end_line: 10, content: "- [ ] 2" },
    code: "conflict",
    wrap: badWrites({ before: (store) => store.put("A.md", `new\n${sample}`) }),
    async follow({ again, call, remedy }) {
      assert.match(remedy, /`read_page` for the lines as they are now/);
      const { json } = await call("read_page", { page: "A", start_line: 11, end_line: 11 });
      return await again({ start_line: 11, end_line: 11, if_match: json["etag"] });
    },
  },
  "a merge that is not clean": {
    tool: "write_page",
    input: { page: "A", content: sample.replace("two", "ours"), on_conflict: "merge" },
    code: "conflict",
    async meanwhile(store, call) {
      const { json } = await call("read_page", { page: "A" });
      store.put("A.md", sample.replace("two", "theirs"));
      return { if_match: json["etag"] };
    },
    async follow({ again, json, remedy }) {
      assert.match(remedy, /`hunks` shows both sides.*call again with the `etag` given here as `if_match`/);
      const [hunk] = json["hunks"] as { ours: string; theirs: string }[];
      const both = sample.replace("- [ ] two", `${hunk?.ours}\n${hunk?.theirs}`);
      return await again({ content: both, if_match: json["etag"] });
    },
  },
  "a whole write with a partial version": {
    tool: "write_page",
    input: { page: "A", content: "new\n" },
    code: "precondition_required",
    async meanwhile(_, call) {
      return { if_match: (await call("append_to_page", { page: "A", content: "x" })).json["etag"] };
    },
    follow: readAndTryAgain,
  },
  "a name that leads out of the space": {
    tool: "append_to_page",
    input: { page: "../Other", content: "x" },
    code: "invalid_path",
    follow: elsewhere,
  },
  "a page beyond the caller's rights": {
    tool: "append_to_page",
    input: { page: "A", content: "x" },
    code: "forbidden_path",
    who: { rights: { read: ["**"], append: ["Other"] } },
    follow: ({ again, remedy }) => again({ page: named(remedy, /You may append to pages in ([^,.]+)/) }),
  },
  "a page in the trash": {
    tool: "append_to_page",
    input: { page: "_trash/2026-01/Old", content: "x" },
    code: "forbidden_path",
    async follow({ call, again, remedy }) {
      assert.match(remedy, /Bring a page back with `restore_page`/);
      const back = await call("restore_page", { page: "_trash/2026-01/Old" });
      return await again({ page: back.json["page"] });
    },
  },
  "the page of the instructions": {
    tool: "append_to_page",
    input: { page: "Rules", content: "x" },
    code: "read_only",
    settings: { lockedPages: ["Rules.md" as never] },
    follow: elsewhere,
  },
  "a server that only reads": {
    tool: "append_to_page",
    input: { page: "A", content: "x" },
    code: "read_only",
    settings: { readOnly: true },
    follow: null,
  },
  "a page that would be too large": {
    tool: "append_to_page",
    input: { page: "A", content: "long ".repeat(20) },
    code: "too_large",
    settings: { maxPageBytes: 110 },
    follow({ again, remedy }) {
      assert.match(remedy, /shorten it/);
      return again({ content: "short" });
    },
  },
  "text that would run": {
    tool: "append_to_page",
    input: { page: "A", content: "now: ${os.time()}" },
    code: "protected",
    follow({ again, remedy }) {
      assert.match(remedy, /^Leave such parts exactly as they are/);
      return again({ content: "now" });
    },
  },
  "a page that configures": {
    tool: "append_to_page",
    input: { page: "CONFIG", content: "x" },
    code: "protected",
    follow: elsewhere,
  },
  "a page that SilverBullet has locked": {
    tool: "append_to_page",
    input: { page: "A", content: "x" },
    code: "protected",
    page: `a\n<<<<<<< SB sha256:${"0".repeat(64)} x\nb\n`,
    follow: null,
  },
  "text that would lock the page": {
    tool: "append_to_page",
    input: { page: "A", content: "<<<<<<< SB sha256:x" },
    code: "protected",
    follow({ again, remedy }) {
      assert.match(remedy, /quote them in a code block/);
      return again({ content: "```\n<<<<<<< SB sha256:x\n```" });
    },
  },
  "text that is there several times": {
    tool: "patch_page_replace",
    input: { page: "A", find: "# Log", replace: "# Diary" },
    code: "ambiguous",
    follow({ again, remedy }) {
      assert.match(remedy, /pass `replace_all` true/);
      return again({ replace_all: true });
    },
  },
  "text that is not there": {
    tool: "patch_page_replace",
    input: { page: "A", find: "- [ ] Two", replace: "- [ ] 2" },
    code: "no_match",
    follow({ again, json, remedy }) {
      assert.match(remedy, /Send `find` exactly as it stands there/);
      return again({ find: (json["nearest"] as { text: string }).text });
    },
  },
  "one edit of a batch that fits nowhere": {
    tool: "patch_page_replace",
    input: { page: "A", edits: [{ find: "two", replace: "2" }, { find: "zzz qqq", replace: "" }] },
    code: "no_match",
    async follow({ again, call, remedy }) {
      assert.match(remedy, /Call `read_page` and send `find` exactly as it stands on the page/);
      const { texts } = await call("read_page", { page: "A" });
      const find = texts[1]?.split("\n")[3];
      return await again({
        edits: [{ find: "two", replace: "2" }, { find: `${find}\n\n-`, replace: "# Log\n\n*" }],
      });
    },
  },
  "edits that meet": {
    tool: "patch_page_replace",
    input: { page: "A", edits: [{ find: "one [[R]]", replace: "1" }, { find: "[[R]]", replace: "" }] },
    code: "invalid_argument",
    follow({ again, remedy }) {
      assert.match(remedy, /Put them together into one edit/);
      return again({ edits: [{ find: "one [[R]]", replace: "1" }] });
    },
  },
  "both forms of a replacement": {
    tool: "patch_page_replace",
    input: { page: "A", find: "two", edits: [{ find: "two", replace: "2" }] },
    code: "invalid_argument",
    follow: ({ call, remedy }) => {
      assert.match(remedy, /`find` is the exact text on the page and `replace` what comes instead/);
      return call("patch_page_replace", { page: "A", find: "two", replace: "2" });
    },
  },
  "a section that is there twice": {
    tool: "patch_section",
    input: { page: "A", section: "Log", action: "append", content: "x" },
    code: "ambiguous",
    follow: ({ again, remedy }) => again({ section: named(remedy, /as `section`: "([^"]+)"/) }),
  },
  "a section that is not there": {
    tool: "append_to_page",
    input: { page: "A", section: "Task", content: "- [ ] three" },
    code: "no_match",
    follow: ({ again, remedy }) => again({ section: named(remedy, /as `section`: "([^"]+)"/) }),
  },
  "a section of a page without headings": {
    tool: "append_to_page",
    input: { page: "Other", section: "Task", content: "x" },
    code: "no_match",
    follow({ call, remedy }) {
      assert.match(remedy, /use `append_to_page` without `section`/);
      return call("append_to_page", { page: "Other", content: "x" });
    },
  },
  "a section whose heading would be doubled": {
    tool: "patch_section",
    input: { page: "A", section: "Tasks", action: "replace", content: "x\n\n# Tasks\n\ny" },
    code: "invalid_argument",
    follow({ again, remedy }) {
      assert.match(remedy, /without the section's own heading/);
      return again({ content: "x\n\ny" });
    },
  },
  "a line that holds other text": {
    tool: "patch_page_lines",
    input: { page: "A", start_line: 6, end_line: 6, content: "- [ ] 2", expect: "- [ ] two" },
    code: "no_match",
    follow({ again, remedy }) {
      const start = Number(named(remedy, /`start_line` (\d+)/));
      return again({ start_line: start, end_line: start });
    },
  },
  "a line that holds text found nowhere": {
    tool: "patch_page_lines",
    input: { page: "A", start_line: 6, end_line: 6, content: "- [ ] 1", expect: "- [ ] uno" },
    code: "no_match",
    async follow({ again, call, remedy }) {
      assert.match(remedy, /Call `read_page` for the lines as they are now/);
      const { texts } = await call("read_page", { page: "A", start_line: 6, end_line: 6 });
      return await again({ expect: texts[1] });
    },
  },
  "lines past the end": {
    tool: "patch_page_lines",
    input: { page: "A", start_line: 40, end_line: 41, content: "x" },
    code: "invalid_argument",
    follow({ again, remedy }) {
      const start = Number(named(remedy, /`start_line` (\d+)/));
      return again({ start_line: start, end_line: Number(named(remedy, /with `end_line` (\d+)/)) });
    },
  },
  "lines in the wrong order": {
    tool: "patch_page_lines",
    input: { page: "A", start_line: 6, end_line: 4, content: "x" },
    code: "invalid_argument",
    follow({ again, remedy }) {
      assert.match(remedy, /`end_line` = `start_line` - 1 inserts before `start_line`/);
      return again({ end_line: 5 });
    },
  },
  "nothing to append": {
    tool: "append_to_page",
    input: { page: "A", content: " \n" },
    code: "invalid_argument",
    follow: ({ again, remedy }) => {
      assert.match(remedy, /Send the text to add as `content`/);
      return again({ content: "x" });
    },
  },
  "a task that several may be": {
    tool: "check_task",
    input: { page: "A", ref: "R" },
    code: "ambiguous",
    page: "- [ ] a [[R]]\n- [ ] b [[R]]\n",
    follow({ call, json, remedy }) {
      assert.match(remedy, /Pass one of those as `line` instead of `ref`, with the task's `text`/);
      const [task] = json["tasks"] as { line: number; text: string }[];
      return call("check_task", { page: "A", line: task?.line, text: task?.text });
    },
  },
  "a task that is not there": {
    tool: "check_task",
    input: { page: "A", ref: "Q" },
    code: "no_match",
    async follow({ again, call, remedy }) {
      assert.match(remedy, /`list_tasks` shows the tasks of the page with their `ref` and `line`/);
      const [task] = (await call("list_tasks", { page: "A" })).json["tasks"] as { ref: string }[];
      return await again({ ref: task?.ref });
    },
  },
  "a task that is in another line": {
    tool: "check_task",
    input: { page: "A", line: 6, text: "two" },
    code: "no_match",
    follow: ({ again, remedy }) => again({ line: Number(named(remedy, /Pass `line` (\d+)/)) }),
  },
  "a state that is none": {
    tool: "check_task",
    input: { page: "A", ref: "R", state: "in progress" },
    code: "invalid_argument",
    follow({ again, remedy }) {
      assert.match(remedy, /A state in brackets is any text on one line/);
      return again({ state: "[in progress]" });
    },
  },
  "a task with two names": {
    tool: "check_task",
    input: { page: "A", ref: "R", line: 6 },
    code: "invalid_argument",
    async follow({ call, remedy }) {
      assert.match(remedy, /`list_tasks` shows both/);
      const [task] = (await call("list_tasks", { page: "A" })).json["tasks"] as { line: number }[];
      return await call("check_task", { page: "A", line: task?.line });
    },
  },
  "frontmatter that is no YAML": {
    tool: "set_frontmatter",
    input: { page: "A", set: "status: done" },
    code: "no_match",
    page: "---\ntitle: a: b\n---\ntext\n",
    async follow({ again, call, remedy }) {
      const line = Number(named(remedy, /Mend line (\d+) with `patch_page_lines`/));
      await call("patch_page_lines", {
        page: "A",
        start_line: line,
        end_line: line,
        content: 'title: "a: b"',
      });
      return await again({});
    },
  },
  "values that are no YAML": {
    tool: "set_frontmatter",
    input: { page: "A", set: "status: [done" },
    code: "invalid_argument",
    follow({ again, remedy }) {
      assert.match(remedy, /Pass one `key: value` a line as `set`/);
      return again({ set: "status: done" });
    },
  },
  "neither values nor keys": {
    tool: "set_frontmatter",
    input: { page: "A" },
    code: "invalid_argument",
    follow: ({ again, remedy }) => again({ set: named(remedy, /YAML lines such as `([^`]+)`/) }),
  },
  "a file that is no page": {
    tool: "append_to_page",
    input: { page: "img.png", content: "x" },
    code: "invalid_argument",
    follow({ call, remedy }) {
      assert.match(remedy, /link to the file from there/);
      return call("append_to_page", { page: "A", content: "![[img.png]]" });
    },
  },
  "a page that is no text": {
    tool: "append_to_page",
    input: { page: "A", content: "x" },
    code: "invalid_argument",
    page: new Uint8Array([0xff, 0xfe]),
    follow: null,
  },
  "an argument that is unknown": {
    tool: "append_to_page",
    input: { page: "A", content: "x", sections: "Log" },
    code: "invalid_argument",
    follow({ call, remedy }) {
      const own = named(remedy, /its arguments are .*(`section`)/).replaceAll("`", "");
      return call("append_to_page", { page: "A", content: "x", [own]: "Tasks" });
    },
  },
  "a size given as a version": {
    tool: "append_to_page",
    input: { page: "A", content: "x", if_match: "120" },
    code: "invalid_argument",
    follow: readAndTryAgain,
  },
  "two texts to compare with": {
    tool: "diff_pages",
    input: { page: "A", other_page: "Other", other_content: "x" },
    code: "invalid_argument",
    follow: ({ call }) => call("diff_pages", { page: "A", other_page: "Other" }),
  },
  "a version that nobody keeps": {
    tool: "diff_pages",
    input: { page: "A", version: "v0000000000000000" },
    code: "not_found",
    async follow({ again, call, remedy }) {
      assert.match(remedy, /Pass an etag or a `change` that was given out for this page/);
      return await again({
        version: (await call("append_to_page", { page: "A", content: "x" })).json["change"],
      });
    },
  },
  "an edit of which nobody knows": {
    tool: "append_to_page",
    input: { page: "A", content: "x" },
    code: "upstream",
    wrap: badWrites({ answer: "lost", arrives: false }),
    async follow({ again, call, remedy }) {
      const not = named(remedy, /`([^`]+)` means that it was not/);
      const { json } = await call("read_page", { page: "A", view: "info" });
      assert.equal(json["etag"], not);
      return await again({ if_match: named(remedy, /same call again with `if_match` `([^`]+)`/) });
    },
  },
  "more pages than an hour allows": {
    tool: "append_to_page",
    input: { page: "A", content: "x" },
    code: "rate_limited",
    settings: { changesPerHour: { changed: 0, deleted: 0, explicit: true } },
    follow: null,
  },
};

const snapshot: Record<string, unknown> = {};

for (const [name, example] of Object.entries(cases)) {
  Deno.test(`a refused edit tells a model what to do: ${name}`, async () => {
    cites("edits.remedies");
    const files = {
      "A.md": example.page ?? sample,
      "Other.md": "other\n",
      "Rules.md": "rules\n",
      "CONFIG.md": "config\n",
      "img.png": "x",
      "_trash/2026-01/Old.md": "old\n",
    };
    const { settings = {}, wrap } = example;
    await withNoteTools(
      { files, settings, ...(wrap === undefined ? {} : { wrap }) },
      async (call, { store }) => {
        const input = { ...example.input, ...await example.meanwhile?.(store, call) };
        const { outcome, json, texts } = await call(example.tool, input, example.who);
        assert.equal(outcome.kind, "failed", JSON.stringify(json));
        assert.equal(json["error"], example.code, JSON.stringify(json));
        snapshot[name] = { text: texts[0], json };
        if (example.follow === null) return;
        const own = (tool: string, given: Input) => call(tool, given, example.who);
        const followed = await example.follow({
          remedy: String(json["remediation"]),
          json,
          input,
          call: own,
          again: (changed) => own(example.tool, { ...input, ...changed }),
        });
        assert.equal(followed.outcome.kind, "done", `${json["remediation"]} led to ${followed.texts}`);
      },
    );
  });
}

Deno.test("what a model reads of a refused edit is what is kept", async () => {
  assert.equal(Object.keys(snapshot).length, Object.keys(cases).length, "every case ran before this one");
  const text = `${JSON.stringify(snapshot, null, 2)}\n`;
  if (rewrite) {
    await Deno.mkdir(new URL(".", file), { recursive: true });
    await Deno.writeTextFile(file, text);
  }
  const kept = await Deno.readTextFile(file).catch(() => null);
  assert.notEqual(kept, null, "No snapshot: run the test once with SILVERBRIDGE_TEST_UPDATE_SNAPSHOTS=1");
  assert.equal(text, kept, "The texts changed: is that meant? Models read them.");
});

Deno.test("every code that an edit can answer has an example", () => {
  const edits = [
    "append_to_page",
    "prepend_to_page",
    "patch_page_replace",
    "patch_page_lines",
    "patch_section",
  ];
  const more = ["set_frontmatter", "check_task", "list_tasks", "diff_pages"];
  const shown = new Set(Object.values(cases).map(({ code }) => code));
  for (const tool of allTools.filter(({ name }) => [...edits, ...more].includes(name))) {
    assert.deepEqual(tool.errors.filter((code) => !shown.has(code)), [], tool.name);
  }
});
