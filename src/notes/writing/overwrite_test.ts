import assert from "node:assert/strict";
import { sha256Hex } from "../../core/secrets.ts";
import { everything, readRequest, refusal, withNotes } from "../../../tests/support/notes.ts";
import { cites } from "../../../tests/requirements.ts";
import type { ChangeAnswer } from "../requests.ts";

async function versionOf(
  { notes, caller }: Parameters<Parameters<typeof withNotes>[1]>[0],
  page: string,
): Promise<string> {
  const { info } = await notes.read(caller(), readRequest(page));
  return String(info["etag"]);
}

function write(page: string, content: string, ifMatch: string | null = null) {
  return { page, content, ifMatch, dryRun: false };
}

Deno.test("overwrite() replaces the version that was read and answers the new one", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async (test) => {
    const { notes, caller, store } = test;
    const first = await notes.overwrite(caller(), write("A", "two\n", await versionOf(test, "A")));
    assert.equal(store.text("A.md"), "two\n");
    assert.equal(first.page, "A");
    assert.equal(first.path, "A.md");
    assert.equal(first.size_bytes, 4);
    assert.equal(first.bytes_before, 4);
    assert.equal(first.guarantee, "atomic");
    assert.equal(first.lastModified, first.last_modified_ms);
    assert.match(first.diff ?? "", /-one\n\+two\n/);
    const second = await notes.overwrite(caller(), write("A.md", "three\n", first.etag));
    assert.equal(second.etag, await versionOf(test, "A"));
  });
});

Deno.test("overwrite() refuses a stale version and shows what changed, with the etag that fits", async () => {
  await withNotes({ files: { "A.md": "one\ntwo\n" } }, async (test) => {
    const { notes, caller, store } = test;
    const mine = await versionOf(test, "A");
    await notes.overwrite(caller({ id: "token:other" }), write("A", "one\nTWO\n", mine));
    let etag = "";
    await assert.rejects(
      notes.overwrite(caller(), write("A", "one\ntwo\nthree\n", mine)),
      refusal("conflict", (error) => {
        assert.equal(error.status, 409);
        assert.match(error.message, /precondition failed/);
        assert.match(error.message, /concurrent edit detected/);
        assert.match(error.message, /read_page\("A"\)/);
        assert.match(String(error.details["diff"]), /-two\n\+TWO\n/);
        etag = String(error.details["etag"]);
      }),
    );
    assert.equal(store.text("A.md"), "one\nTWO\n");
    await notes.overwrite(caller(), write("A", "one\nTWO\nthree\n", etag));
    assert.equal(store.text("A.md"), "one\nTWO\nthree\n");
  });
});

Deno.test("overwrite() notices an edit of equal length with the old time", async () => {
  cites("notes.stale-version");
  const clock = {
    now: () => 1_751_360_000_000,
    elapsed: () => performance.now(),
    sleep: () => Promise.resolve(),
  };
  await withNotes({ files: { "A.md": "draft" }, clock }, async (test) => {
    const mine = await versionOf(test, "A");
    test.store.put("A.md", "final");
    for (const version of [mine, "1751360000000"]) {
      await assert.rejects(
        test.notes.overwrite(test.caller(), write("A", "mine", version)),
        refusal("conflict"),
      );
    }
    assert.equal(test.store.text("A.md"), "final");
  });
});

Deno.test("overwrite() gives no etag when the diff would have to be cut", async () => {
  const long = (word: string) => `${word} line of a page\n`.repeat(2000);
  await withNotes({ files: { "A.md": long("old") } }, async (test) => {
    const mine = await versionOf(test, "A");
    test.store.put("A.md", long("new"));
    await assert.rejects(
      test.notes.overwrite(test.caller(), write("A", "x", mine)),
      refusal("conflict", (error) => {
        assert.equal(error.details["diff_cut"], true);
        assert.equal("etag" in error.details, false);
      }),
    );
  });
});

Deno.test("overwrite() gives no diff for a version nobody here has seen", async () => {
  await withNotes({ files: { "A.md": "now", "B.md": "secret of another page" } }, async (test) => {
    await versionOf(test, "B");
    const unknown = [
      "v0000000000000000",
      `sha256:${"0".repeat(64)}`,
      `sha256:${sha256Hex("secret of another page")}`,
    ];
    for (const version of unknown) {
      await assert.rejects(
        test.notes.overwrite(test.caller(), write("A", "x", version)),
        refusal("conflict", (error) => {
          assert.equal("diff" in error.details, false);
          assert.equal("etag" in error.details, false);
        }),
      );
    }
  });
});

Deno.test("overwrite() says so from the fourth conflict within a minute", async () => {
  await withNotes({ files: { "A.md": "x" } }, async ({ notes, caller }) => {
    const hinted: boolean[] = [];
    for (let round = 0; round < 5; round++) {
      await notes.overwrite(caller(), write("A", "y", "v0000000000000000")).catch((error: Error) =>
        hinted.push(error.message.includes("[concurrent_edit_hint: true]"))
      );
    }
    assert.deepEqual(hinted, [false, false, false, true, true]);
  });
});

Deno.test("overwrite() without a version never touches an existing page", async () => {
  await withNotes({ files: { "A.md": "mine" } }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.overwrite(caller(), write("A", "theirs")),
      refusal("precondition_required", (error) => assert.equal(error.status, 428)),
    );
    assert.equal(store.text("A.md"), "mine");
  });
});

Deno.test("overwrite() without a version answers well when the page holds that text already", async () => {
  await withNotes({}, async ({ notes, caller, state }) => {
    const made = await notes.overwrite(caller(), write("A", "text"));
    const again = await notes.overwrite(caller(), write("A", "text"));
    assert.equal(again.unchanged, true);
    assert.equal(again.etag, made.etag);
    assert.equal(state.db.prepare("SELECT count(*) AS n FROM changes").get()?.["n"], 1);
  });
});

Deno.test("overwrite() creates a missing page only when no version was given", async () => {
  await withNotes({ files: { "Projects/Alpha.md": "x" } }, async ({ notes, caller, store }) => {
    for (const version of ["*", "v0000000000000000", "1751360000000"]) {
      await assert.rejects(
        notes.overwrite(caller(), write("Projects/Alfa", "text", version)),
        refusal("not_found", (error) => {
          assert.match(error.message, /page not found: Projects\/Alfa\.md/);
          assert.deepEqual(error.details["close_names"], ["Projects/Alpha"]);
        }),
      );
    }
    const made = await notes.overwrite(caller(), write("New", "text"));
    assert.equal(made.bytes_before, null);
    assert.match(made.etag ?? "", /^v/);
    assert.equal(store.text("New.md"), "text");
  });
});

Deno.test("overwrite() takes `*` for whatever is there, and keeps what went", async () => {
  await withNotes({ files: { "A.md": "theirs" } }, async ({ notes, caller, store, state }) => {
    const answer = await notes.overwrite(caller(), write("A", "mine", "*"));
    assert.equal(store.text("A.md"), "mine");
    const row = state.db.prepare("SELECT before_hash FROM changes WHERE id = ?").get(answer.change ?? "");
    assert.equal(row?.["before_hash"], sha256Hex("theirs"));
  });
});

Deno.test("overwrite() refuses partial versions and says to read the page", async () => {
  await withNotes({ files: { "A.md": "one\ntwo\n" } }, async ({ notes, caller }) => {
    const { info } = await notes.read(
      caller(),
      readRequest("A", { view: "lines", startLine: 1, endLine: 1 }),
    );
    await assert.rejects(
      notes.overwrite(caller(), write("A", "x", String(info["etag"]))),
      refusal("precondition_required", (error) => assert.match(error.remedy, /read_page/)),
    );
  });
});

Deno.test("overwrite() takes a time only from the caller who got it with the whole text", async () => {
  await withNotes({ files: { "A.md": "one\ntwo\n" } }, async ({ notes, caller }) => {
    const partial = await notes.read(caller(), readRequest("A", { view: "lines", startLine: 1, endLine: 1 }));
    const time = String(partial.info["last_modified_ms"]);
    await assert.rejects(notes.overwrite(caller(), write("A", "x", time)), refusal("conflict"));
    await notes.read(caller(), readRequest("A"));
    await assert.rejects(
      notes.overwrite(caller({ id: "token:other" }), write("A", "x", time)),
      refusal("conflict"),
    );
    const answer = await notes.overwrite(caller(), write("A", "x", time));
    assert.equal(answer.size_bytes, 1);
  });
});

Deno.test("overwrite() takes a time again when the content of that time is back", async () => {
  await withNotes({ files: { "A.md": "one" } }, async ({ notes, caller, store }) => {
    const { info } = await notes.read(caller(), readRequest("A"));
    store.put("A.md", "two");
    store.put("A.md", "one");
    await notes.overwrite(caller(), write("A", "three", String(info["last_modified_ms"])));
    assert.equal(store.text("A.md"), "three");
  });
});

for (const content of ["", " ", "\n\t \r\n"]) {
  Deno.test(`overwrite() refuses empty content ${JSON.stringify(content)}`, async () => {
    await withNotes({ files: { "A.md": "x" } }, async ({ notes, caller, store }) => {
      await assert.rejects(
        notes.overwrite(caller(), write("A", content, "*")),
        refusal("invalid_argument", (error) => assert.match(error.message, /content must not be empty/)),
      );
      assert.equal(store.text("A.md"), "x");
    });
  });
}

Deno.test("overwrite() limits growth, not the present size", async () => {
  const settings = { maxPageBytes: 10 };
  await withNotes({ files: { "A.md": "x".repeat(30) }, settings }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.overwrite(caller(), write("A", "y".repeat(31), "*")),
      refusal("too_large", (error) => {
        assert.equal(error.details["bytes"], 31);
        assert.match(error.message, /body too large: 31 bytes/);
      }),
    );
    await notes.overwrite(caller(), write("A", "y".repeat(30), "*"));
    assert.equal(store.text("A.md"), "y".repeat(30));
    await assert.rejects(notes.overwrite(caller(), write("B", "é".repeat(6))), refusal("too_large"));
  });
});

Deno.test("a dry run writes nothing and its `if_match` commits exactly the preview", async () => {
  await withNotes({ files: { "A.md": "one\n" } }, async ({ notes, caller, store, state }) => {
    const preview = await notes.overwrite(caller(), { ...write("A", "two\n", "*"), dryRun: true });
    assert.equal(preview.dry_run, true);
    assert.equal(store.text("A.md"), "one\n");
    assert.equal(state.db.prepare("SELECT count(*) AS n FROM changes").get()?.["n"], 0);
    const answer: ChangeAnswer = await notes.overwrite(caller(), write("A", "two\n", preview.if_match ?? ""));
    assert.equal(answer.diff, preview.diff);
    store.put("A.md", "three\n");
    await assert.rejects(
      notes.overwrite(caller(), write("A", "two\n", preview.if_match ?? "")),
      refusal("conflict"),
    );
  });
});

Deno.test("overwrite() leaves out text and diff for a caller who may not read", async () => {
  const { read: _, ...blind } = everything;
  await withNotes({ files: { "A.md": "private one\n" } }, async (test) => {
    const { notes, caller, store } = test;
    const mine = await versionOf(test, "A");
    const answer = await notes.overwrite(caller({ rights: blind }), write("A", "two", "*"));
    assert.equal("diff" in answer, false);
    store.put("A.md", "private three\n");
    await assert.rejects(
      notes.overwrite(caller({ rights: blind }), write("A", "x", mine)),
      refusal("conflict", (error) => {
        assert(!JSON.stringify([error.message, error.remedy, error.details]).includes("private"));
        assert.equal("etag" in error.details, false);
      }),
    );
  });
});

Deno.test("overwrite() with rights for other pages is refused before anything is asked", async () => {
  const rights = { read: ["**"], write: ["Projects/**"], create: ["Projects/**"] };
  const asked: string[] = [];
  const wrap = (store: Parameters<NonNullable<Parameters<typeof withNotes>[0]["wrap"]>>[0]) => ({
    ...store,
    read: (path: never) => {
      asked.push(path);
      return store.read(path);
    },
  });
  await withNotes({ files: { "A.md": "x" }, wrap }, async ({ notes, caller }) => {
    await assert.rejects(
      notes.overwrite(caller({ rights }), write("A", "y", "*")),
      refusal("forbidden_path", (error) => assert.match(error.remedy, /Projects\/\*\*/)),
    );
    assert.deepEqual(asked, []);
  });
});

Deno.test("overwrite() says of a hidden page what it says of a missing one", async () => {
  const hiddenPaths = ["Secret"];
  const told = new Map<string, string>();
  for (const files of [{ "Secret.md": "x" }, {}]) {
    await withNotes({ files, settings: { hiddenPaths } }, async ({ notes, caller }) => {
      for (const version of [null, "*"]) {
        await assert.rejects(notes.overwrite(caller(), write("Secret", "y", version)), (error: Error) => {
          const text = JSON.stringify({ ...error, message: error.message });
          const known = told.get(String(version));
          if (known !== undefined) assert.equal(text, known);
          told.set(String(version), text);
          return true;
        });
      }
    });
  }
  assert.match(told.get("*") ?? "", /not_found/);
});

Deno.test("overwrite() edits no attachments, no bundled pages, no locked pages, no trash", async () => {
  const settings = { lockedPages: ["House rules.md" as never] };
  const files = { "a.png": "x", "House rules.md": "x", "_trash/2026-07/A.md": "x", "Std.md": "x" };
  const wrap = (store: Parameters<NonNullable<Parameters<typeof withNotes>[0]["wrap"]>>[0]) => ({
    ...store,
    async read(path: never) {
      const content = await store.read(path);
      if (content === null || path !== "Std.md") return content;
      return { ...content, entry: { ...content.entry, readOnly: true } };
    },
  });
  await withNotes({ files, settings, wrap }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.overwrite(caller(), write("a.png", "y", "*")), refusal("invalid_argument"));
    await assert.rejects(notes.overwrite(caller(), write("House rules", "y", "*")), refusal("read_only"));
    await assert.rejects(notes.overwrite(caller(), write("Std", "y", "*")), refusal("read_only"));
    for (const page of ["_trash/2026-07/A", "_trash/B", "_Trash/B"]) {
      await assert.rejects(notes.overwrite(caller(), write(page, "y")), refusal("forbidden_path"));
    }
    for (const path of Object.keys(files)) assert.equal(store.text(path), "x");
  });
});

Deno.test("overwrite() refuses half a character instead of damaging it", async () => {
  await withNotes({}, async ({ notes, caller, store }) => {
    await assert.rejects(notes.overwrite(caller(), write("A", "a\ud800b")), refusal("invalid_argument"));
    assert.equal(store.text("A.md"), null);
  });
});

Deno.test("with BLIND_WRITES no version is needed, and what went is kept", async () => {
  await withNotes({ files: { "A.md": "theirs" }, settings: { blindWrites: true } }, async (test) => {
    const answer = await test.notes.overwrite(test.caller(), write("A", "mine"));
    assert.equal(test.store.text("A.md"), "mine");
    assert.match(answer.change ?? "", /^c/);
  });
});

Deno.test("every accepted overwrite is one audit event with both hashes", async () => {
  await withNotes({ files: { "A.md": "one" } }, async ({ notes, caller, audits }) => {
    await notes.overwrite(caller(), write("A", "two", "*"));
    await notes.overwrite(caller(), write("A", "three")).catch(() => {});
    assert.equal(audits.length, 1);
    assert.equal(audits[0]?.before, sha256Hex("one"));
    assert.equal(audits[0]?.after, sha256Hex("two"));
    assert.equal(audits[0]?.outcome, "ok");
  });
});
