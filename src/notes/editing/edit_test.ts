/** What every edit has in common, shown mostly by appends: versions, previews, limits, rights. */

import assert from "node:assert/strict";
import { append, frontmatter, lines, prepend, replace, section } from "../../../tests/support/edits.ts";
import { everything, readRequest, refusal, type TestNotes, withNotes } from "../../../tests/support/notes.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { MemoryStore } from "../../silverbullet/memory_store.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { etagOf } from "../etag.ts";

async function info({ notes, caller }: TestNotes, page = "A", view: "full" | "info" = "full") {
  return (await notes.read(caller(), readRequest(page, { view }))).info;
}

async function etag(test: TestNotes, view: "full" | "info" = "full"): Promise<string> {
  return String((await info(test, "A", view))["etag"]);
}

function changes({ state }: TestNotes): Record<string, unknown>[] {
  return state.db.prepare("SELECT * FROM changes ORDER BY seq").all();
}

Deno.test("text that cannot fit in is refused for its size before anything is looked for on the page", async () => {
  const settings = { maxPageBytes: 100_000 };
  const files = { "A.md": `# Title\n\n${"x".repeat(50_000)}\n` };
  await withNotes({ files, settings }, async ({ notes, caller, store }) => {
    const content = "y".repeat(60_000);
    const nowhere = { section: "Nowhere" };
    const additions = ["append", "prepend", "insert_before", "insert_after"] as const;
    const edits = [
      () => notes.append(caller(), append(content, nowhere)),
      () => notes.prepend(caller(), prepend(content)),
      ...additions.map((action) => () =>
        notes.patchSection(caller(), section("Nowhere", { action, content }))
      ),
      () => notes.patchSection(caller(), section("Nowhere", { content: "y\n\n".repeat(40_000) })),
    ];
    for (const edit of edits) await assert.rejects(edit(), refusal("too_large"), String(edit));
    // What may fit in is looked at: a section that is replaced makes room, and its own heading is not counted.
    const fits = section("Nowhere", { content: `# ${"z".repeat(120_000)}\n\n${"y".repeat(90_000)}` });
    await assert.rejects(notes.patchSection(caller(), fits), refusal("no_match"));
    await notes.patchSection(caller(), section("Title", { content: "y".repeat(90_000) }));
    assert.equal(store.text("A.md"), `# Title\n\n${"y".repeat(90_000)}\n`);
  });
});

Deno.test("an edit answers what it did, and the history has both texts", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async (test) => {
    const { notes, caller, store, audits } = test;
    const answer = await notes.append(caller({ tool: "append_to_page" }), append("two"));
    assert.equal(store.text("A.md"), "one\n\ntwo\n");
    const { change, last_modified_ms, created_ms, diff, ...rest } = answer;
    assert.deepEqual(rest, {
      page: "A",
      path: "A.md",
      etag: etagOf(sha256Hex("one\n\ntwo\n"), "part"),
      size_bytes: 9,
      bytes_before: 4,
      guarantee: "atomic",
    });
    assert.equal(diff, "@@ -1 +1,3 @@\n one\n+\n+two\n");
    assert.equal(typeof created_ms, "number");
    assert.equal(typeof last_modified_ms, "number");
    const [row] = changes(test);
    assert.equal(row?.["id"], change);
    assert.deepEqual([row?.["action"], row?.["outcome"], row?.["tool"]], [
      "append",
      "applied",
      "append_to_page",
    ]);
    assert.equal(row?.["before_hash"], sha256Hex("one\n"));
    assert.equal(row?.["after_hash"], sha256Hex("one\n\ntwo\n"));
    assert.deepEqual(audits.map(({ action, outcome, change }) => ({ action, outcome, change })), [
      { action: "append", outcome: "ok", change },
    ]);
  });
});

Deno.test("an edit guarded by a full token answers a full one, any other a partial one", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async (test) => {
    const { notes, caller, store } = test;
    const full = await notes.append(caller(), append("two", { ifMatch: await etag(test) }));
    assert.match(String(full.etag), /^v/);
    const written = { page: "A", content: "all\n", ifMatch: full.etag, dryRun: false };
    const chained = await notes.append(caller(), append("three", { ifMatch: full.etag }));
    await assert.rejects(notes.overwrite(caller(), written), refusal("conflict"));
    const over = await notes.overwrite(caller(), { ...written, ifMatch: chained.etag });
    const byTime = await notes.append(caller(), append("x", { ifMatch: String(over.last_modified_ms) }));
    assert.match(String(byTime.etag), /^v/);
    const byHash = { ifMatch: `sha256:${sha256Hex(store.text("A.md") ?? "")}` };
    assert.match(String((await notes.append(caller(), append("y", byHash))).etag), /^v/);
    const partial = await notes.append(caller(), append("z", { ifMatch: await etag(test, "info") }));
    const free = await notes.append(caller(), append("z"));
    const star = await notes.append(caller(), append("z", { ifMatch: "*" }));
    for (const answer of [partial, free, star]) {
      assert.match(String(answer.etag), /^p/);
      await assert.rejects(
        notes.overwrite(caller(), { ...written, ifMatch: answer.etag }),
        refusal("precondition_required"),
      );
    }
    assert.match(String((await notes.append(caller(), append("z", { ifMatch: star.etag }))).etag), /^p/);
  });
});

Deno.test("a full token from an edit is the token of the text that is there", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async (test) => {
    const { etag: after } = await test.notes.append(
      test.caller(),
      append("two", { ifMatch: await etag(test) }),
    );
    assert.equal(after, await etag(test));
  });
});

Deno.test("a stale version is refused, never replaced by a newer one on the way", async () => {
  await withNotes({ files: { "A.md": "draft\n" } }, async (test) => {
    const { notes, caller, store } = test;
    const [whole, part] = [await etag(test), await etag(test, "info")];
    const time = String((await info(test))["last_modified_ms"]);
    store.put("A.md", "final\n");
    for (
      const ifMatch of [whole, part, time, `"${whole}"`, `W/"${whole}"`, `sha256:${sha256Hex("draft\n")}`]
    ) {
      await assert.rejects(
        notes.append(caller(), append("x", { ifMatch })),
        refusal("conflict", (error) => {
          assert.match(
            error.message,
            /precondition failed.*concurrent edit detected on A\.md; nothing was written/,
          );
          // The whole change since a version that was shown whole, and with it the present version.
          assert.equal("etag" in error.details, ifMatch !== part);
        }),
        ifMatch,
      );
    }
    assert.equal(store.text("A.md"), "final\n");
    assert.deepEqual(changes(test), []);
  });
});

Deno.test("sizes, small numbers and foreign words are no versions", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async ({ notes, caller, store }) => {
    for (const ifMatch of ["4", "123", "latest", '"4"']) {
      await assert.rejects(notes.append(caller(), append("x", { ifMatch })), refusal("invalid_argument"));
    }
    assert.equal(store.text("A.md"), "one\n");
  });
});

Deno.test("a dry run writes nothing, and its if_match commits exactly what it showed", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async (test) => {
    const { notes, caller, store, audits } = test;
    for (const ifMatch of [null, await etag(test), await etag(test, "info")]) {
      store.put("A.md", "one\n");
      audits.length = 0;
      const before = changes(test).length;
      const preview = await notes.append(caller(), append("two", { ifMatch, dryRun: true }));
      assert.equal(store.text("A.md"), "one\n");
      assert.equal(changes(test).length, before);
      assert.deepEqual(audits, []);
      assert.equal(preview.dry_run, true);
      assert.equal(preview.last_modified_ms, null);
      const commit = append("two", { ifMatch: preview.if_match ?? null });
      store.put("A.md", "other\n");
      await assert.rejects(notes.append(caller(), commit), refusal("conflict"));
      store.put("A.md", "one\n");
      const done = await notes.append(caller(), commit);
      assert.equal(done.diff, preview.diff);
      assert.equal(done.size_bytes, preview.size_bytes);
      assert.equal(done.etag?.[0], preview.if_match?.[0]);
    }
  });
});

Deno.test("a dry run refuses whatever the edit would be refused for", async () => {
  const files = { "A.md": "one\n" };
  await withNotes({ files, settings: { maxPageBytes: 10 } }, async ({ notes, caller }) => {
    const dry = (content: string, more = {}) =>
      notes.append(caller(), append(content, { dryRun: true, ...more }));
    await assert.rejects(dry("far too long"), refusal("too_large"));
    await assert.rejects(dry("${x}"), refusal("protected"));
    await assert.rejects(dry("x", { page: "B" }), refusal("not_found"));
    await assert.rejects(dry("x", { ifMatch: "v0000000000000000" }), refusal("conflict"));
    await assert.rejects(dry("  \n "), refusal("invalid_argument"));
  });
});

Deno.test("an edit that changes nothing is answered and not made", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async (test) => {
    const answer = await test.notes.replace(
      test.caller(),
      replace("one", "one", { ifMatch: await etag(test) }),
    );
    assert.equal(answer.unchanged, true);
    assert.equal(answer.diff, "");
    assert.equal(answer.etag, await etag(test));
    assert.equal("change" in answer, false);
    assert.deepEqual(changes(test), []);
  });
});

Deno.test("the limit counts the resulting page, and a page may always be made smaller", async () => {
  const files = { "A.md": "12345678\n", "B.md": "123456789012\n", "C.md": "1234567890123456789\n" };
  await withNotes({ files, settings: { maxPageBytes: 12 } }, async ({ notes, caller, store }) => {
    await notes.append(caller(), append("x"));
    assert.equal(store.text("A.md")?.length, 12);
    await assert.rejects(
      notes.append(caller(), append("y")),
      refusal("too_large", ({ details }) => assert.deepEqual([details["bytes"], details["limit"]], [15, 12])),
    );
    await notes.replace(caller(), replace("9012", "ab", { page: "B" }));
    await notes.replace(caller(), replace("ab", "cd", { page: "B" }));
    assert.equal(store.text("B.md"), "12345678cd\n");
    await notes.replace(caller(), replace("789", "x", { page: "C", all: true }));
    assert.equal(store.text("C.md"), "123456x0123456x\n");
    await assert.rejects(notes.append(caller(), append("y", { page: "C" })), refusal("too_large"));
  });
});

Deno.test("a page has to be there: names like it are offered, in another case too", async () => {
  await withNotes(
    { files: { "Projects/Alpha.md": "x", "secret/Alphb.md": "x" } },
    async ({ notes, caller }) => {
      const who = caller({ rights: { ...everything, read: ["Projects/**"] } });
      await assert.rejects(
        notes.append(who, append("x", { page: "Projects/alpha" })),
        refusal("not_found", (error) => {
          assert.match(error.message, /page not found: Projects\/alpha\.md/);
          assert.deepEqual(error.details["close_names"], ["Projects/Alpha"]);
          assert.match(error.remedy, /`create_page`/);
        }),
      );
      await assert.rejects(notes.append(caller(), append("x", { page: "../A" })), refusal("invalid_path"));
    },
  );
});

Deno.test("appends need the right to append, all other edits the right to write", async () => {
  const files = { "A.md": "one\n", "B.md": "two\n" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const appender = caller({ rights: { read: ["**"], append: ["A"] } });
    const writer = caller({ rights: { read: ["**"], write: ["A"] } });
    await notes.append(appender, append("x"));
    await notes.prepend(appender, prepend("y"));
    await notes.replace(writer, replace("one", "1"));
    for (const page of ["B", "Missing"]) {
      await assert.rejects(notes.append(appender, append("x", { page })), refusal("forbidden_path"));
      await assert.rejects(notes.prepend(appender, prepend("x", { page })), refusal("forbidden_path"));
      await assert.rejects(notes.replace(writer, replace("two", "", { page })), refusal("forbidden_path"));
    }
    await assert.rejects(notes.replace(appender, replace("1", "2")), refusal("forbidden_path"));
    await assert.rejects(notes.append(writer, append("z")), refusal("forbidden_path"));
    assert.equal(store.text("A.md"), "y\n\n1\n\nx\n");
    assert.equal(store.text("B.md"), "two\n");
  });
});

Deno.test("rights are those of the page that is found, not of the name that was asked for", async () => {
  await withNotes({ files: { "v1.2.md": "x" } }, async ({ notes, caller, store }) => {
    const rights = { read: ["**"], append: ["v1.2"] };
    await notes.append(caller({ rights }), append("y", { page: "v1.2" }));
    assert.equal(store.text("v1.2.md"), "x\n\ny");
  });
});

Deno.test("a hidden page is not there, whatever is tried", async () => {
  const settings = { hiddenPaths: ["Secret/**"] };
  await withNotes({ files: { "Secret/A.md": "x" }, settings }, async ({ notes, caller, store }) => {
    const answers = await Promise.all(
      ["Secret/A", "Secret/B"].map((page) =>
        notes.append(caller(), append("y", { page })).catch((error) => error.message)
      ),
    );
    assert.match(answers[0] ?? "", /page not found: Secret\/A\.md/);
    assert.equal(answers[0], answers[1]?.replaceAll("Secret/B", "Secret/A"));
    assert.equal(store.text("Secret/A.md"), "x");
  });
});

Deno.test("who may not read is shown no text, no names and no diff", async () => {
  const rights = { append: ["**"], write: ["**"] };
  const files = { "A.md": "---\nk: secret\n---\n# secret\nsecret text\n- [ ] secret [[secret]]\n" };
  await withNotes({ files, settings: { maxPageBytes: 90 } }, async ({ notes, caller }) => {
    const blind = caller({ rights });
    const answers: unknown[] = [];
    const tried = async (work: Promise<unknown>) => {
      answers.push(await work.catch(({ message, remedy, details }) => ({ message, remedy, details })));
    };
    await tried(notes.append(blind, append("x")));
    await tried(notes.append(blind, append("x", { dryRun: true })));
    await tried(notes.append(blind, append("x", { section: "Other" })));
    await tried(notes.append(blind, append("x", { page: "A1" })));
    await tried(notes.append(blind, append("x", { ifMatch: "v0000000000000000" })));
    await tried(notes.replace(blind, replace("sekret text", "y")));
    await tried(notes.replace(blind, replace("e", "y")));
    const line = {
      page: "A",
      startLine: 5,
      endLine: 5,
      content: "y",
      expect: "z",
      ifMatch: null,
      dryRun: false,
    };
    await tried(notes.patchLines(blind, { ...line, retries: null }));
    const task = { page: "A", ref: "other", line: null, text: null, state: "done", ifMatch: null };
    await tried(notes.checkTask(blind, { ...task, dryRun: false, retries: null }));
    await tried(notes.setFrontmatter(blind, frontmatter("a: ][")));
    await tried(notes.checkTask(blind, { ...task, ref: null, line: 4, dryRun: false, retries: null }));
    assert.equal(answers.length, 11);
    assert.doesNotMatch(JSON.stringify(answers), /secret|"A"\]/);
  });
});

Deno.test("the trash is closed, and so are files, bundled pages and the page of the instructions", async () => {
  const files = {
    "_trash/2026-01/A.md": "x",
    "img.png": "x",
    "notes.txt": "x",
    "Std.md": "x",
    "Rules.md": "x",
    "Bad.md": new Uint8Array([0x61, 0xff]),
  };
  let fetched = 0;
  const wrap = (store: MemoryStore) => ({
    ...store,
    async read(path: Parameters<MemoryStore["read"]>[0]) {
      if (path === "img.png") fetched++;
      const content = await store.read(path);
      if (content === null || path !== "Std.md") return content;
      return { ...content, entry: { ...content.entry, readOnly: true } };
    },
  });
  const settings = { lockedPages: ["Rules.md" as never] };
  await withNotes({ files, wrap, settings }, async ({ notes, caller, store }) => {
    const closed = [
      ["_trash/2026-01/A", "forbidden_path"],
      ["_Trash/x", "forbidden_path"],
      ["img.png", "invalid_argument"],
      ["notes.txt", "invalid_argument"],
      ["Std", "read_only"],
      ["Rules", "read_only"],
      ["Bad", "invalid_argument"],
    ] as const;
    for (const [page, code] of closed) {
      for (const dryRun of [true, false]) {
        await assert.rejects(notes.append(caller(), append("y", { page, dryRun })), refusal(code), page);
      }
    }
    assert.equal(fetched, 0, "a file is not fetched to be refused");
    assert.deepEqual((await store.read("Bad.md" as never))?.bytes, files["Bad.md"]);
  });
});

Deno.test("what is not UTF-8 is refused, what is stays to the byte", async () => {
  const before = encodeUtf8("\ufeff# T\r\n\u2028\0 e\u0301 \u202e😀 lone \r here\r\n");
  await withNotes({ files: { "A.md": before } }, async ({ notes, caller, store }) => {
    await notes.append(caller(), append("$& $1 \\1 (.*) \0 😀\n\u200f\u202e"));
    const now = (await store.read("A.md" as never))?.bytes ?? new Uint8Array();
    assert.deepEqual(now.slice(0, before.length), before);
    const added = new TextDecoder().decode(now.slice(before.length));
    assert.equal(added, "\r\n$& $1 \\1 (.*) \0 😀\r\n\u200f\u202e\r\n");
    await assert.rejects(notes.append(caller(), append("\ud800")), refusal("invalid_argument"));
  });
});

Deno.test("protected content may be neither added nor changed; the rest of the page stays editable", async () => {
  const lua = "```space-lua\nx = 1\n```\n";
  await withNotes(
    { files: { "A.md": `# T\n${lua}end\n`, "CONFIG.md": "x" } },
    async ({ notes, caller, store }) => {
      await notes.append(caller(), append("more"));
      await notes.replace(caller(), replace("# T", "# Title"));
      for (const [find, by] of [["x = 1", "x = 2"], ["end", "${1 + 1}"], ["end", lua]] as const) {
        await assert.rejects(
          notes.replace(caller(), replace(find, by)),
          refusal("protected", ({ status, details }) => {
            assert.equal(status, 403);
            assert.equal(typeof details["reason"], "string");
          }),
        );
      }
      await assert.rejects(notes.append(caller(), append("y", { page: "CONFIG" })), refusal("protected"));
      assert.equal(store.text("A.md"), `# Title\n${lua}end\n\nmore\n`);
    },
  );
  await withNotes(
    { files: { "A.md": lua }, settings: { protectedContent: true } },
    async ({ notes, caller }) => {
      await notes.replace(caller(), replace("x = 1", "x = 2"));
    },
  );
});

Deno.test("SilverBullet's conflict markers lock a page for every edit, git's only warn", async () => {
  const hash = "0".repeat(64);
  const locked =
    `<<<<<<< SB sha256:${hash} mine\na\n||||||| SB BASE sha256:${hash}\nb\n=======\nc\n>>>>>>> SB sha256:${hash}\n`;
  const files = {
    "A.md": `x\n${locked}`,
    "B.md": "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n",
    "C.md": "c\n",
  };
  await withNotes({ files, settings: { protectedContent: true } }, async ({ notes, caller }) => {
    const isLocked = refusal(
      "protected",
      ({ details }) => assert.equal(details["reason"], "conflict_markers"),
    );
    await assert.rejects(notes.append(caller(), append("y")), isLocked);
    await assert.rejects(notes.replace(caller(), replace("not there", "y")), isLocked);
    await assert.rejects(notes.append(caller(), append("y", { dryRun: true })), isLocked);
    const { warnings = [] } = await notes.append(caller(), append("y", { page: "B" }));
    assert.match(warnings.join(), /git's conflict markers, from line 1/);
    await assert.rejects(notes.append(caller(), append(locked, { page: "C" })), isLocked);
    await notes.append(caller(), append("```\n" + "<<<<<<< SB sha256:… as it looks\n```", { page: "C" }));
  });
});

Deno.test("an edit that makes or unmakes frontmatter says so", async () => {
  const files = { "A.md": "---\nk: v\n---\ntext\n", "B.md": "---\na rule, then text\n" };
  await withNotes({ files }, async ({ notes, caller }) => {
    const top = await notes.prepend(caller(), prepend("x", { position: "top" }));
    assert.match(String(top.warnings), /frontmatter no longer counts/);
    const closed = await notes.append(caller(), append("---", { page: "B" }));
    assert.match(String(closed.warnings), /now count as frontmatter/);
    assert.equal((await notes.append(caller(), append("y"))).warnings, undefined);
  });
});

Deno.test("edits count against the budget by page", async () => {
  const changesPerHour = { changed: 1, deleted: 1, explicit: true };
  const files = { "A.md": "a\n", "B.md": "b\n" };
  await withNotes({ files, settings: { changesPerHour } }, async ({ notes, caller, store }) => {
    await notes.append(caller(), append("x"));
    await notes.append(caller(), append("y"));
    await assert.rejects(notes.append(caller(), append("z", { page: "B" })), refusal("rate_limited"));
    assert.equal(store.text("B.md"), "b\n");
  });
});

Deno.test("a read-only server edits nothing, and works without a state folder", async () => {
  await withNotes(
    { files: { "A.md": "a\n" }, settings: { readOnly: true } },
    async ({ notes, caller, store }) => {
      await assert.rejects(notes.append(caller(), append("x")), refusal("read_only"));
      await assert.rejects(notes.append(caller(), append("x", { dryRun: true })), refusal("read_only"));
      assert.equal(store.text("A.md"), "a\n");
    },
  );
  await withNotes({ files: { "A.md": "a\n" }, withState: false }, async ({ notes, caller, store }) => {
    const answer = await notes.append(caller(), append("x"));
    assert.equal("change" in answer, false);
    assert.equal(store.text("A.md"), "a\n\nx\n");
  });
});

Deno.test("one client edits a page a thousand times without a conflict", async () => {
  await withNotes({ files: { "A.md": "start\n" }, withState: false }, async ({ notes, caller, store }) => {
    for (let edit = 0; edit < 1000; edit++) await notes.append(caller(), append(`- ${edit}`));
    const kept = store.text("A.md") ?? "";
    assert.equal(kept, `start\n\n${Array.from({ length: 1000 }, (_, edit) => `- ${edit}\n`).join("")}`);
  });
});

Deno.test("every right is asked for before anything is looked at", async () => {
  const wrap = (store: MemoryStore) => ({ ...store, read: () => Promise.reject(new Error("looked")) });
  const { append: _, ...others } = everything;
  await withNotes({ files: { "A.md": "a" }, wrap }, async ({ notes, caller }) => {
    await assert.rejects(notes.append(caller({ rights: others }), append("x")), refusal("forbidden_path"));
  });
});

Deno.test("a page of megabytes is not edited in place, and can still be replaced as a whole", async () => {
  const files = { "Long.md": "some words\n".repeat(400_000) };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const edit = notes.patchLines(caller(), lines(1, 1, { page: "Long" }));
    await assert.rejects(edit, refusal("too_large"));
    const whole = { page: "Long", content: "short\n", ifMatch: "*", dryRun: false };
    assert.equal((await notes.overwrite(caller(), whole)).diff_cut, true);
    assert.equal(store.text("Long.md"), "short\n");
  });
});
