/** Other hands, lost answers and lying stores under an edit: nothing is lost, nothing doubled, nothing pretended. */

import assert from "node:assert/strict";
import { append, type BadWrite, badWrites, check, lines, replace } from "../../../tests/support/edits.ts";
import { readRequest, refusal, type TestNotes, withNotes } from "../../../tests/support/notes.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { MemoryStore } from "../../silverbullet/memory_store.ts";
import { etagOf } from "../etag.ts";

const page = { "A.md": "one\n" };

function withBad(bad: BadWrite, work: (test: TestNotes) => Promise<void>): Promise<void> {
  return withNotes({ files: page, wrap: badWrites(bad) }, work);
}

function addLine(store: MemoryStore, line: string): void {
  store.put("A.md", `${store.text("A.md")}${line}\n`);
}

function outcomes({ state }: TestNotes): unknown[] {
  return state.db.prepare("SELECT outcome FROM changes ORDER BY seq").all().map((row) => row["outcome"]);
}

function kept({ state }: TestNotes, text: string): boolean {
  return state.db.prepare("SELECT 1 FROM texts WHERE hash = ?").get(sha256Hex(text)) !== undefined;
}

async function version({ notes, caller }: TestNotes): Promise<string> {
  return String((await notes.read(caller(), readRequest("A"))).info["etag"]);
}

Deno.test("an edit without a version is made again on the fresh text when another hand was faster", async () => {
  await withBad({ before: (store, round) => addLine(store, `theirs ${round}`), times: 3 }, async (test) => {
    const { notes, caller, store } = test;
    const answer = await notes.append(caller(), append("mine"));
    assert.equal(store.text("A.md"), "one\ntheirs 0\ntheirs 1\ntheirs 2\n\nmine\n");
    assert.match(answer.diff ?? "", / theirs 2\n\+\n\+mine/);
    assert.deepEqual(outcomes(test), ["applied"]);
  });
});

Deno.test("an edit gives up when the page never rests, and says how often it tried", async () => {
  const busy = { before: (store: MemoryStore, round: number) => addLine(store, `${round}`), times: Infinity };
  for (const [retries, tries] of [[null, 9], [2, 3], [0, 1], [1000, 9]] as const) {
    await withBad(busy, async (test) => {
      await assert.rejects(
        test.notes.append(test.caller(), append("mine", { retries })),
        refusal("conflict", ({ message, retryable }) => {
          assert(message.includes(`(${tries} tries)`), message);
          assert.match(message, /concurrent edit detected on A\.md; nothing was written/);
          assert.equal(retryable, true);
        }),
      );
      assert.doesNotMatch(test.store.text("A.md") ?? "", /mine/);
      assert.deepEqual(outcomes(test), []);
    });
  }
});

Deno.test("the fourth time within a minute that an edit gives up, it says so", async () => {
  await withBad({ before: (store, round) => addLine(store, `${round}`), times: Infinity }, async (test) => {
    const hinted: boolean[] = [];
    for (let call = 0; call < 4; call++) {
      await test.notes.append(test.caller(), append("mine", { retries: 0 })).catch((error) =>
        hinted.push(error.message.includes("[concurrent_edit_hint: true]"))
      );
    }
    assert.deepEqual(hinted, [false, false, false, true]);
  });
});

Deno.test("an edit with a version is made on that version or not at all", async () => {
  await withBad({ before: (store) => addLine(store, "theirs") }, async (test) => {
    const { notes, caller, store } = test;
    const ifMatch = await version(test);
    await assert.rejects(
      notes.append(caller(), append("mine", { ifMatch })),
      refusal("conflict", ({ details }) => assert.match(String(details["diff"]), /\+theirs/)),
    );
    assert.equal(store.text("A.md"), "one\ntheirs\n");
    assert.deepEqual(outcomes(test), []);
  });
});

Deno.test("a page that goes under an edit is not found, and stays gone", async () => {
  for (const ifMatch of [null, "*", "version"]) {
    await withBad({ before: (store) => store.remove("A.md") }, async (test) => {
      const given = ifMatch === "version" ? await version(test) : ifMatch;
      await assert.rejects(
        test.notes.append(test.caller(), append("mine", { ifMatch: given })),
        refusal("not_found"),
      );
      assert.equal(test.store.text("A.md"), null);
      assert.deepEqual(outcomes(test), []);
    });
  }
});

Deno.test("an edit on the page of another hand is refused if it no longer fits there", async () => {
  const files = { "A.md": "find me\n" };
  const wrap = badWrites({ before: (store) => store.put("A.md", "gone\n") });
  await withNotes({ files, wrap }, async (test) => {
    await assert.rejects(test.notes.replace(test.caller(), replace("find", "x")), refusal("no_match"));
    assert.equal(test.store.text("A.md"), "gone\n");
    assert.deepEqual(outcomes(test), []);
  });
});

Deno.test("line numbers without a text to go by hold only while the lines before are the same", async () => {
  const files = { "A.md": "a\nb\nc\n" };
  const insert = badWrites({ before: (store) => store.put("A.md", `new\n${store.text("A.md")}`) });
  await withNotes({ files, wrap: insert }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.patchLines(caller(), lines(2, 2, { content: "B" })), refusal("conflict"));
    assert.equal(store.text("A.md"), "new\na\nb\nc\n");
  });
  await withNotes({ files, wrap: badWrites({ before: (store) => addLine(store, "d") }) }, async (test) => {
    await test.notes.patchLines(test.caller(), lines(2, 2, { content: "B" }));
    assert.equal(test.store.text("A.md"), "a\nB\nc\nd\n");
  });
  await withNotes(
    { files, wrap: badWrites({ before: (store) => store.put("A.md", "a\n") }) },
    async (test) => {
      await assert.rejects(
        test.notes.patchLines(test.caller(), lines(2, 2, { content: "B" })),
        refusal("invalid_argument", ({ message }) => assert.match(message, /page with 1 lines/)),
      );
    },
  );
  const same = badWrites({ before: (store) => store.put("A.md", "x\nb\nc\n") });
  await withNotes({ files, wrap: same }, async ({ notes, caller, store }) => {
    await notes.patchLines(caller(), lines(2, 2, { content: "B", expect: "b" }));
    assert.equal(store.text("A.md"), "x\nB\nc\n");
  });
});

Deno.test("a task named by its line alone is not looked for in another place", async () => {
  const files = { "A.md": "- [ ] a\n- [ ] b\n" };
  const wrap = () => badWrites({ before: (store) => store.put("A.md", `- [ ] new\n${store.text("A.md")}`) });
  await withNotes({ files, wrap: wrap() }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.checkTask(caller(), check({ line: 2 })), refusal("conflict"));
    assert.equal(store.text("A.md"), "- [ ] new\n- [ ] a\n- [ ] b\n");
  });
  await withNotes({ files, wrap: wrap() }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.checkTask(caller(), check({ line: 2, text: "b" })),
      refusal("no_match", ({ message }) => assert.match(message, /a task of that text is in line 3/)),
    );
    assert.doesNotMatch(store.text("A.md") ?? "", /\[x\]/);
  });
});

Deno.test("an edit that is there although its answer got lost was made, once", async () => {
  await withBad({ answer: "lost" }, async (test) => {
    const { notes, caller, store, audits } = test;
    const answer = await notes.append(caller(), append("mine"));
    assert.equal(store.text("A.md"), "one\n\nmine\n");
    assert.equal(answer.guarantee, "verified");
    assert.match(String(answer.change), /^c/);
    assert.deepEqual(outcomes(test), ["applied"]);
    assert.deepEqual(audits.map(({ outcome, change }) => ({ outcome, change })), [
      { outcome: "ok", change: answer.change },
    ]);
  });
});

Deno.test("an edit that another hand built upon before it could be confirmed was made, and is not made again", async () => {
  for (const answer of ["lost", "unverified"] as const) {
    await withBad({ answer, after: (store) => addLine(store, "theirs") }, async (test) => {
      const { notes, caller, store } = test;
      const result = await notes.append(caller(), append("mine", { ifMatch: await version(test) }));
      assert.equal(store.text("A.md"), "one\n\nmine\ntheirs\n");
      assert.equal(result.guarantee, "unverified");
      assert.match(String(result.warnings), /another hand changed the page: your edit is still in it/);
      assert.equal(result.etag, etagOf(sha256Hex("one\n\nmine\ntheirs\n"), "part"));
      assert.deepEqual(outcomes(test), ["applied"]);
    });
  }
});

Deno.test("an edit that another hand wrote over says so, and its text is kept", async () => {
  await withBad({ answer: "unverified", after: (store) => store.put("A.md", "theirs\n") }, async (test) => {
    const { notes, caller, store } = test;
    const result = await notes.append(caller(), append("mine"));
    assert.equal(store.text("A.md"), "theirs\n");
    assert.equal(result.guarantee, "unverified");
    assert(
      String(result.warnings).includes(
        `your edit is no longer on the page, its text is kept as change ${result.change}`,
      ),
    );
    assert.equal(kept(test, "one\n\nmine\n"), true);
    const shown = await notes.read(caller(), readRequest("A"));
    assert.equal(shown.text, "theirs\n", "what was not confirmed is not shown from memory");
  });
  await withBad({ answer: "unverified", after: (store) => store.remove("A.md") }, async (test) => {
    const result = await test.notes.append(test.caller(), append("mine"));
    assert.equal(result.etag, null);
    assert.match(String(result.warnings), /no longer on the page/);
  });
});

Deno.test("what could not be confirmed is not shown from memory", async () => {
  const wrap = badWrites({ answer: "unverified", after: (store) => store.put("A.md", "theirs\n") });
  await withNotes({ wrap }, async ({ notes, caller }) => {
    const made = await notes.create(caller(), { page: "A", content: "mine\n", dryRun: false });
    assert.equal(made.guarantee, "unverified");
    assert.equal((await notes.read(caller(), readRequest("A"))).text, "theirs\n");
  });
});

Deno.test("an edit that only seemed unconfirmed is confirmed by a second look", async () => {
  await withBad({ answer: "unverified" }, async (test) => {
    const result = await test.notes.append(test.caller(), append("mine"));
    assert.equal(result.guarantee, "verified");
    assert.equal("warnings" in result, false);
  });
});

Deno.test("an edit of which nobody knows says how to find out; followed to the letter it is made once", async () => {
  const lost: readonly BadWrite[] = [
    { answer: "lost", arrives: false },
    { answer: "lost", arrives: false, after: (store) => store.put("A.md", "theirs\n") },
    { answer: "lost", after: (store) => store.put("A.md", "theirs\n") },
  ];
  for (const bad of lost) {
    await withBad(bad, async (test) => {
      const { notes, caller, store } = test;
      let made = "";
      let not = "";
      await assert.rejects(
        notes.append(caller(), append("mine")),
        refusal("upstream", (error) => {
          assert.equal(error.retryable, false);
          assert.match(error.message, /whether the edit was made is not known/);
          made = String(error.details["etag_if_made"]);
          not = String(error.details["etag_if_not_made"]);
          assert(error.remedy.includes(made) && error.remedy.includes(not) && /read_page/.test(error.remedy));
          assert.equal(error.details["outcome"], "unknown");
        }),
      );
      const { info } = await notes.read(caller(), readRequest("A", { view: "info" }));
      if (store.text("A.md") === "theirs\n") {
        assert(info["etag"] !== made && info["etag"] !== not);
        await assert.rejects(notes.append(caller(), append("mine", { ifMatch: not })), refusal("conflict"));
        return;
      }
      assert.equal(info["etag"], not);
      await notes.append(caller(), append("mine", { ifMatch: not }));
      assert.equal(store.text("A.md"), "one\n\nmine\n");
      await assert.rejects(notes.append(caller(), append("mine", { ifMatch: not })), refusal("conflict"));
    });
  }
});

Deno.test("an edit that arrives late, after everybody gave up, is known by its etag", async () => {
  let late = () => {};
  const bad = badWrites({
    answer: "lost",
    arrives: false,
    after: (store) => late = () => store.put("A.md", "one\n\nmine\n"),
  });
  await withNotes({ files: page, wrap: bad }, async (test) => {
    const { notes, caller } = test;
    let made = "";
    await assert.rejects(
      notes.append(caller(), append("mine")),
      refusal("upstream", ({ details }) => made = String(details["etag_if_made"])),
    );
    late();
    await notes.read(caller(), readRequest("A"));
    // Anything that asks SilverBullet itself settles what was open.
    await notes.append(caller(), append("more", { ifMatch: made }));
    assert.equal(test.store.text("A.md"), "one\n\nmine\n\nmore\n");
    assert.deepEqual(outcomes(test), ["applied", "applied"]);
  });
});

Deno.test("a page that cannot be read back leaves the edit unknown, or made and unconfirmed", async () => {
  for (const answer of ["lost", "unverified"] as const) {
    let broken = false;
    const bad = badWrites({ answer, after: () => void (broken = true) });
    const wrap = (store: MemoryStore) => ({
      ...bad(store),
      read: (path: never) => broken ? Promise.reject(new Error("broken disk")) : store.read(path),
    });
    await withNotes({ files: page, wrap }, async (test) => {
      const edit = test.notes.append(test.caller(), append("mine"));
      if (answer === "lost") return void await assert.rejects(edit, refusal("upstream"));
      const result = await edit;
      assert.match(String(result.warnings), /could not be confirmed: read it/);
      assert.match(String(result.etag), /^p/);
    });
  }
});

Deno.test("a store that fails in any other way fails the edit, and nothing is tried again", async () => {
  let writes = 0;
  const wrap = (store: MemoryStore) => ({
    ...store,
    write: () => Promise.reject(new Error(`bug ${writes++}`)),
  });
  await withNotes({ files: page, wrap }, async (test) => {
    await assert.rejects(test.notes.append(test.caller(), append("mine")), /bug 0/);
    assert.equal(writes, 1);
  });
});

Deno.test("a caller who goes away stops an edit before it is sent, never after", async () => {
  const before = new AbortController();
  before.abort(new Error("gone"));
  await withNotes({ files: page }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.append(caller({ signal: before.signal }), append("mine")), /gone/);
    assert.equal(store.text("A.md"), "one\n");
  });
  const during = new AbortController();
  const wrap = badWrites({ before: () => during.abort(new Error("gone")) });
  await withNotes({ files: page, wrap }, async ({ notes, caller, store }) => {
    await notes.append(caller({ signal: during.signal }), append("mine"));
    assert.equal(store.text("A.md"), "one\n\nmine\n");
  });
});

Deno.test("many edits at once on one page are all made, each once, each with its record", async () => {
  await withNotes({ files: page }, async (test) => {
    const { notes, caller, store } = test;
    const words = Array.from({ length: 60 }, (_, index) => `- line ${index}`);
    await Promise.all(
      words.map((word, index) => notes.append(caller({ id: `token:${index % 7}` }), append(word))),
    );
    const there = (store.text("A.md") ?? "").split("\n").filter((line) => line.startsWith("-"));
    assert.deepEqual(there.toSorted(), words.toSorted());
    const rows = test.state.db.prepare("SELECT before_hash, after_hash FROM changes ORDER BY seq").all();
    assert.equal(rows.length, words.length);
    for (const [index, row] of rows.entries()) {
      if (index > 0) assert.equal(row["before_hash"], rows[index - 1]?.["after_hash"]);
    }
  });
});

Deno.test("a whole write whose answer got lost is looked for, too, and may be made again as it was", async () => {
  const write = (content: string, ifMatch: string | null) => ({ page: "A", content, ifMatch, dryRun: false });
  await withBad({ answer: "lost" }, async (test) => {
    const { notes, caller, store } = test;
    const answer = await notes.overwrite(caller(), write("mine\n", await version(test)));
    assert.equal(store.text("A.md"), "mine\n");
    assert.match(String(answer.etag), /^v/);
    assert.deepEqual(outcomes(test), ["applied"]);
  });
  await withBad({ answer: "lost", after: (store) => addLine(store, "theirs") }, async (test) => {
    const answer = await test.notes.overwrite(test.caller(), write("mine\n", await version(test)));
    assert.match(String(answer.warnings), /your edit is still in it/);
    assert.match(String(answer.etag), /^p/);
  });
  await withBad({ answer: "unverified", after: (store) => store.put("A.md", "theirs\n") }, async (test) => {
    const answer = await test.notes.overwrite(test.caller(), write("mine\n", "*"));
    assert.match(String(answer.warnings), /no longer on the page, its text is kept as change c/);
  });
  await withBad({ answer: "lost", arrives: false }, async (test) => {
    const { notes, caller, store } = test;
    const mine = write("mine\n", await version(test));
    await assert.rejects(
      notes.overwrite(caller(), mine),
      refusal("upstream", (error) => {
        assert.match(error.remedy, /then make the same call again\. /);
        assert.equal(error.retryable, false);
      }),
    );
    await notes.overwrite(caller(), mine);
    assert.equal(store.text("A.md"), "mine\n");
  });
});
