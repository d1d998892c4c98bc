import assert from "node:assert/strict";
import { withNoteTools } from "../../../tests/support/note_tools.ts";
import { builtInJournalText, journalText } from "./journal_template.ts";

const day = { day: "2026-11-30", tag: "journal", content: "" };
const standard =
  '---\ntags: meta/template\nfrontmatter: |\n  tags: ${config.get("journal.tag")}\n  date: ${date.today()}\n---\n* |^|\n';

Deno.test("journalText() fills in day and tag, and runs no other Lua", () => {
  assert.equal(journalText(standard, day), "---\ntags: journal\ndate: 2026-11-30\n---\n* \n");
  assert.equal(builtInJournalText(day), journalText(standard, day));
  assert.equal(
    journalText('---\nfrontmatter: "mood: ?"\n---\n## Notes\n|^|\n## Done\n', day),
    "---\nmood: ?\n---\n## Notes\n\n## Done\n",
  );
  assert.equal(journalText("plain |^|text\n", day), "plain text\n");
  assert.equal(journalText("${os.time()}\n", day), null);
  assert.equal(journalText("---\nfrontmatter: |\n  a: ${lunar()}\n---\n", day), null);
  assert.equal(journalText("---\nfrontmatter:\n  a: 1\n---\n", day), null, "a mapping is made by Lua");
});

Deno.test("journalText() puts content where the cursor would go, or after everything", () => {
  const with_ = (template: string, content: string) => journalText(template, { ...day, content });
  assert.match(with_(standard, "Met Mara") ?? "", /---\n\* Met Mara\n$/);
  assert.match(with_(standard, "* Met Mara\n* Ate") ?? "", /---\n\* Met Mara\n\* Ate\n$/);
  assert.match(with_(standard, "Two\nlines") ?? "", /---\nTwo\nlines\n$/);
  assert.equal(with_("## Log\n|^|\n", "$& and $1"), "## Log\n\n$& and $1\n");
});

Deno.test("journal_page makes today's page, then opens it, then adds to it", async () => {
  await withNoteTools({ files: {} }, async (call, { store }) => {
    const made = await call("journal_page", { date: "2026-11-30" });
    assert.deepEqual([made.json["page"], made.json["created"]], ["Journal/2026-11-30", true]);
    assert.equal(store.text("Journal/2026-11-30.md"), "---\ntags: journal\ndate: 2026-11-30\n---\n* \n");
    const opened = await call("journal_page", { date: "2026-11-30" });
    assert.equal(opened.json["created"], false);
    assert.equal(opened.texts[1], store.text("Journal/2026-11-30.md"));
    assert.match(String(opened.json["etag"]), /^v/);
    const added = await call("journal_page", { date: "2026-11-30", content: "* more" });
    assert.equal(added.json["created"], false);
    assert.match(store.text("Journal/2026-11-30.md") ?? "", /\* \n\* more\n$/);
    const today = await call("journal_page", {});
    const now = new Date();
    const month = String(now.getMonth() + 1).padStart(2, "0");
    assert.equal(
      today.json["date"],
      `${now.getFullYear()}-${month}-${String(now.getDate()).padStart(2, "0")}`,
    );
  });
});

Deno.test("journal_page goes by the space's own prefix, tag and template", async () => {
  const files = {
    "CONFIG.md":
      '```space-lua\nconfig.set { journal = { prefix = "Daily/", tag = "day", template = "Tpl/Day" } }\n```',
    "Tpl/Day.md":
      '---\ntags: meta/template\nfrontmatter: |\n  tags: ${config.get("journal.tag")}\n---\n# ${date.today()}\n|^|\n',
  };
  await withNoteTools({ files }, async (call, { store }) => {
    await call("journal_page", { date: "2026-01-02", content: "Hello" });
    assert.equal(store.text("Daily/2026-01-02.md"), "---\ntags: day\n---\n# 2026-01-02\n\nHello\n");
    store.put("Tpl/Day.md", "${lua.magic()}");
    const other = await call("journal_page", { date: "2026-01-03" });
    assert.match(JSON.stringify(other.json["warnings"]), /Tpl\/Day.*Lua/);
    assert.equal(store.text("Daily/2026-01-03.md"), "---\ntags: day\ndate: 2026-01-03\n---\n* \n");
  });
});

Deno.test("journal_page needs the right to append there and nothing more, and shows nothing to who may not read", async () => {
  const files = {
    "Journal/2026-01-01.md": "secret diary",
    "CONFIG.md": '```space-lua\nconfig.set("journal.prefix", "Hidden/")\n```',
  };
  const who = { rights: { append: ["Journal/**"] } };
  await withNoteTools({ files }, async (call, { store }) => {
    const made = await call("journal_page", { date: "2026-01-02", content: "mine" }, who);
    assert.equal(made.json["created"], true);
    assert.equal(made.json["page"], "Journal/2026-01-02", "a page that may not be read sets nothing");
    assert.equal(made.json["diff"], undefined);
    const added = await call("journal_page", { date: "2026-01-01", content: "more" }, who);
    assert(!JSON.stringify(added).includes("secret"));
    assert.equal(store.text("Journal/2026-01-01.md"), "secret diary\n\nmore");
    const opened = await call("journal_page", { date: "2026-01-01" }, who);
    assert.equal(opened.json["error"], "forbidden_path");
    const elsewhere = await call("journal_page", { date: "2026-01-02" }, {
      rights: { append: ["Inbox/**"] },
    });
    assert.equal(elsewhere.json["error"], "forbidden_path");
    assert.equal((await call("journal_page", {}, { rights: { read: ["**"] } })).outcome.kind, "unknown");
  });
});

Deno.test("journal_page refuses days that are none, and prefixes that make no page", async () => {
  await withNoteTools({ files: {} }, async (call, { store }) => {
    for (const date of ["2026-02-30", "30.11.2026", "../../x", "2026-11-30/..", "9999999", "today\n"]) {
      const answer = await call("journal_page", { date });
      if (date === "today\n") assert.equal(answer.outcome.kind, "done");
      else assert.equal(answer.json["error"], "invalid_argument", date);
    }
    for (const prefix of ["../", ".hidden/", "a//b/", "$x/", "_trash/"]) {
      store.put("CONFIG.md", '```space-lua\nconfig.set("journal.prefix", "' + prefix + '")\n```');
      const answer = await call("journal_page", { date: "2026-11-30" });
      assert.equal(answer.outcome.kind, "failed", prefix);
    }
  });
});

Deno.test("two who open a new day at once make one page", async () => {
  await withNoteTools({ files: {} }, async (call, { store }) => {
    const answers = await Promise.all(
      ["* a", "* b", "* c", "* d"].map((content) => call("journal_page", { date: "2026-11-30", content })),
    );
    assert.equal(answers.filter(({ json }) => json["created"] === true).length, 1);
    const text = store.text("Journal/2026-11-30.md") ?? "";
    for (const line of ["* a", "* b", "* c", "* d"]) assert.equal(text.split(`${line}\n`).length, 2, text);
  });
});
