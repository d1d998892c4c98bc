import assert from "node:assert/strict";
import { systemClock } from "../../core/clock.ts";
import { silentLogger } from "../../core/log.ts";
import { testCaller, type TestCallerOptions, withNotes } from "../../../tests/support/notes.ts";
import { defineForWire } from "../definitions.ts";
import { createRunner, type RunOutcome } from "../run.ts";
import { noteTools } from "./all.ts";

interface Answer {
  readonly json: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
  readonly outcome: RunOutcome;
}

type Call = (
  name: string,
  input: Readonly<Record<string, unknown>>,
  who?: TestCallerOptions,
) => Promise<Answer>;
type Test = Parameters<Parameters<typeof withNotes>[1]>[0];
type Options = Parameters<typeof withNotes>[0];

function withTools(options: Options, work: (call: Call, test: Test) => Promise<void>): Promise<void> {
  return withNotes(options, async (test) => {
    const runner = createRunner({
      tools: noteTools,
      services: { notes: test.notes, status: { describe: () => Promise.resolve({ version: "test" }) } },
      readOnly: options.settings?.readOnly ?? false,
      errorStyle: "flag",
      clock: systemClock,
      logger: silentLogger,
      audit: (event) => void test.audits.push(event),
    });
    const hidden = options.settings?.hiddenPaths ?? [];
    await work(async (name, input, who = {}) => {
      const { principal, signal } = testCaller({ hidden, ...who });
      const caller = { client: "test client" };
      const outcome = await runner.run({ name, arguments: input, principal, caller, requestId: "r", signal });
      return { outcome, ...parts(outcome) };
    }, test);
    await runner.idle();
  });
}

function parts(outcome: RunOutcome): Omit<Answer, "outcome"> {
  if (outcome.kind === "unknown") return { json: {}, texts: [] };
  if (outcome.kind === "failed") return { json: outcome.answer.json, texts: [outcome.answer.text] };
  const texts = outcome.result.blocks.map((block) => block.type === "text" ? block.text : "");
  return { json: JSON.parse(texts[0] ?? "{}"), texts };
}

Deno.test("read_page answers one line of JSON, then the text; write_page takes its etag", async () => {
  await withTools({ files: { "A.md": "one\n" } }, async (call, { store }) => {
    const read = await call("read_page", { page: "A" });
    assert.equal(read.texts.length, 2);
    assert.equal(read.texts[1], "one\n");
    assert(!read.texts[0]?.includes("\n"));
    const written = await call("write_page", { page: "A", content: "two\n", if_match: read.json["etag"] });
    assert.deepEqual(
      Object.keys(written.json).sort(),
      ("bytes_before change created_ms diff etag guarantee lastModified last_modified_ms page path size_bytes")
        .split(" "),
    );
    assert.equal(store.text("A.md"), "two\n");
  });
});

Deno.test("the argument names of other servers are taken", async () => {
  await withTools({ files: { "A.md": "one" } }, async (call, { store }) => {
    const { json } = await call("read_page", { name: "A", cursor: null });
    const time = json["lastModified"];
    await call("write_page", { path: "A.md", body: "two", expected_last_modified: time });
    assert.equal(store.text("A.md"), "two");
    await call("create_page", { name: "B", body: "" });
    assert.equal(store.text("B.md"), "");
    const gone = await call("delete_page", { name: "B" });
    await call("restore_page", { path: "B", change: gone.json["change"] });
    assert.equal(store.text("B.md"), "");
    assert.equal((await call("page_exists", { name: "B" })).json["exists"], true);
  });
});

Deno.test("read_page shows the section or lines that are named, without naming the view", async () => {
  await withTools({ files: { "A.md": "# X\na\n# Y\nb\n" } }, async (call) => {
    assert.equal((await call("read_page", { page: "A", section: "Y" })).texts[1], "# Y\nb\n");
    assert.equal((await call("read_page", { page: "A", start_line: "2", end_line: "2" })).texts[1], "a\n");
    assert.equal(
      (await call("read_page", { page: "A", max_bytes: 9_999_999 })).json["limited"] !== undefined,
      true,
    );
  });
});

Deno.test("list_pages answers the same as text and as structured content", async () => {
  await withTools({ files: { "A.md": "x", "B.md": "x" } }, async (call) => {
    const { outcome, json } = await call("list_pages", { limit: 5000 });
    assert(outcome.kind === "done");
    assert.deepEqual(outcome.result.structured, json);
    assert.equal(json["total"], 2);
    assert.match(String(json["limited"]), /1000/);
    const { json: part } = await call("list_pages", { limit: 1 });
    assert.equal(typeof part["next_cursor"], "string");
  });
});

Deno.test("server_status tells rights and guards, and nothing hidden", async () => {
  const settings = { hiddenPaths: ["Private/**"] };
  await withTools({ settings }, async (call) => {
    const { json, texts } = await call("server_status", {}, {
      rights: { read: ["**"], write: ["Inbox/**"] },
    });
    assert.deepEqual(json["rights"], { verbs: { read: ["**"], write: ["Inbox/**"] }, roots: "all" });
    assert.equal(json["version"], "test");
    assert.equal((json["notes"] as Record<string, unknown>)["history"], "on");
    assert(!texts.join().includes("Private"));
  });
});

Deno.test("a tool that the rights forbid does not exist", async () => {
  await withTools({ files: { "A.md": "x" } }, async (call) => {
    const reader = { rights: { read: ["**"] } };
    for (const name of ["write_page", "create_page", "delete_page", "restore_page"]) {
      assert.equal((await call(name, { page: "A", content: "x" }, reader)).outcome.kind, "unknown", name);
    }
  });
});

Deno.test("under READ_ONLY not one change reaches the store, whatever is asked", async () => {
  const changes: string[] = [];
  const wrap: NonNullable<Options["wrap"]> = (store) => ({
    ...store,
    write: (path, bytes, options) => {
      changes.push(path);
      return store.write(path, bytes, options);
    },
    delete: (path, options) => {
      changes.push(path);
      return store.delete(path, options);
    },
  });
  const pages = ["A", "New", "_trash/2026-07/B", "a.png", "../x"];
  await withTools(
    { files: { "A.md": "x" }, settings: { readOnly: true }, wrap },
    async (call, { notes, caller }) => {
      for (const name of noteTools.map((tool) => tool.name)) {
        for (const page of pages) {
          for (
            const more of [{}, { content: "y" }, { content: "y", if_match: "*" }, { permanent: true }, {
              dry_run: true,
            }]
          ) {
            await call(name, { page, ...more });
          }
        }
      }
      for (const page of pages) {
        await notes.create(caller(), { page, content: "y", dryRun: false }).catch(() => {});
        await notes.overwrite(caller(), { page, content: "y", ifMatch: "*", dryRun: false }).catch(() => {});
        await notes.remove(caller(), { page, permanent: false, ifMatch: null, dryRun: false }).catch(
          () => {},
        );
        await notes.restore(caller(), { page, version: null, dryRun: false }).catch(() => {});
      }
      assert.deepEqual(changes, []);
      const { outcome, json } = await call("write_page", { page: "A", content: "y", if_match: "*" });
      assert.equal(outcome.kind, "failed");
      assert.equal(json["error"], "read_only");
    },
  );
});

Deno.test("one audit event for each change, with hashes and without text", async () => {
  await withTools({ files: { "A.md": "one" } }, async (call, { audits }) => {
    await call("write_page", { page: "A", content: "secret words", if_match: "*" });
    await call("write_page", { page: "A", content: "more", dry_run: true, if_match: "*" });
    assert.equal(audits.length, 1);
    assert.equal(audits[0]?.tool, "write_page");
    assert(!JSON.stringify(audits).includes("secret"));
  });
});

Deno.test("every definition is small, flat and fully described", () => {
  for (const tool of noteTools) {
    const { outputSchema: _, ...definition } = defineForWire(tool);
    const size = JSON.stringify(definition).length;
    assert(
      size <= (["read_page", "patch_section", "search_pages"].includes(tool.name) ? 1000 : 800),
      `${tool.name} takes ${size}`,
    );
    assert.equal(Object.keys(definition.annotations).length, 5, tool.name);
    assert(!/anyOf|oneOf|\$ref|"null"/.test(JSON.stringify(definition)), tool.name);
  }
});

Deno.test("remedies, followed to the letter, succeed", async () => {
  await withTools({ files: { "A.md": "one" } }, async (call, { store }) => {
    const first = await call("write_page", { page: "A", content: "two" });
    assert.equal(first.json["error"], "precondition_required");
    assert.match(first.texts[0] ?? "", /read_page/);
    const read = await call("read_page", { page: "A" });
    store.put("A.md", "other");
    const second = await call("write_page", { page: "A", content: "two", if_match: read.json["etag"] });
    assert.equal(second.json["error"], "conflict");
    const third = await call("write_page", { page: "A", content: "two", if_match: second.json["etag"] });
    assert.equal(third.outcome.kind, "done");
    const taken = await call("create_page", { page: "A.b", content: "x" });
    const named = await call("create_page", { page: taken.json["suggestion"], content: "x" });
    assert.equal(named.outcome.kind, "done");
  });
});
