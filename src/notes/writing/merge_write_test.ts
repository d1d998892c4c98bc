import assert from "node:assert/strict";
import { append, badWrites } from "../../../tests/support/edits.ts";
import { everything, readRequest, refusal, type TestNotes, withNotes } from "../../../tests/support/notes.ts";
import { cites } from "../../../tests/requirements.ts";
import type { OverwriteRequest } from "../requests.ts";

const base = "# T\n\none\n\ntwo\n\nthree\n";

async function version({ notes, caller }: TestNotes): Promise<string> {
  return String((await notes.read(caller(), readRequest("A"))).info["etag"]);
}

function merge(
  content: string,
  ifMatch: string | null,
  more: Partial<OverwriteRequest> = {},
): OverwriteRequest {
  return { page: "A", content, ifMatch, onConflict: "merge", dryRun: false, ...more };
}

Deno.test("a write that may be merged is put together with what others wrote, and says so", async () => {
  cites("edits.merge");
  await withNotes({ files: { "A.md": base } }, async (test) => {
    const { notes, caller, store } = test;
    const mine = await version(test);
    store.put("A.md", base.replace("three", "THREE"));
    const answer = await notes.overwrite(caller(), merge(base.replace("one", "ONE"), mine));
    const merged = base.replace("one", "ONE").replace("three", "THREE");
    assert.equal(store.text("A.md"), merged);
    assert.equal(answer.merged, true);
    assert.match(answer.merged_in ?? "", /-three\n\+THREE/);
    assert.match(answer.diff ?? "", /-one\n\+ONE/);
    assert.equal(answer.etag, await version(test), "everything was shown, so the token is a full one");
  });
});

Deno.test("a write at the version that is there is not merged", async () => {
  await withNotes({ files: { "A.md": base } }, async (test) => {
    const { notes, caller, store } = test;
    const answer = await notes.overwrite(caller(), merge("new\n", await version(test)));
    assert.equal("merged" in answer, false);
    assert.equal(store.text("A.md"), "new\n");
    await notes.overwrite(caller(), merge("newer\n", "*"));
    assert.equal(store.text("A.md"), "newer\n");
    await notes.overwrite(caller(), merge("made\n", null, { page: "B" }));
    assert.equal(store.text("B.md"), "made\n");
  });
});

Deno.test("a text that is there already is neither merged nor written", async () => {
  await withNotes({ files: { "A.md": base } }, async (test) => {
    const mine = await version(test);
    test.store.put("A.md", "theirs\n");
    const answer = await test.notes.overwrite(test.caller(), merge("theirs\n", mine));
    assert.equal(answer.unchanged, true);
    assert.equal("merged" in answer, false);
  });
});

Deno.test("what both changed is refused with both sides, and nothing is written", async () => {
  cites("edits.merge");
  await withNotes({ files: { "A.md": base } }, async (test) => {
    const { notes, caller, store } = test;
    const mine = await version(test);
    const theirs = `above\n${base.replace("one", "theirs")}`;
    store.put("A.md", theirs);
    for (const dryRun of [false, true]) {
      await assert.rejects(
        notes.overwrite(caller(), merge(base.replace("one", "ours"), mine, { dryRun })),
        refusal("conflict", (error) => {
          assert.match(error.message, /changed the same lines, in 1 place/);
          assert.deepEqual(error.details["hunks"], [{
            line: 4,
            base: "one",
            ours: "ours",
            theirs: "theirs",
          }]);
          assert.match(error.remedy, /^`hunks` shows both sides/);
          assert.equal(error.details["etag"] !== undefined, true);
        }),
      );
    }
    assert.equal(store.text("A.md"), theirs);
  });
});

Deno.test("merging needs a version that is known here whole", async () => {
  await withNotes({ files: { "A.md": base }, withState: false, cacheBytes: 0 }, async (test) => {
    const mine = await version(test);
    test.store.put("A.md", base.replace("three", "THREE"));
    await assert.rejects(
      test.notes.overwrite(test.caller(), merge(base.replace("one", "ONE"), mine)),
      refusal("conflict", ({ message }) => assert.match(message, /the version you gave is not kept here/)),
    );
  });
  await withNotes({ files: { "A.md": base } }, async (test) => {
    const { notes, caller, store } = test;
    const { info } = await notes.read(caller(), readRequest("A", { view: "info" }));
    store.put("A.md", "other\n");
    const partial = merge("x\n", String(info["etag"]));
    await assert.rejects(notes.overwrite(caller(), partial), refusal("precondition_required"));
    await assert.rejects(notes.overwrite(caller(), merge("x\n", null)), refusal("precondition_required"));
    await assert.rejects(notes.overwrite(caller(), merge("x\n", "v0000000000000000")), refusal("conflict"));
  });
});

Deno.test("the dry run of a merge gives what commits exactly that merge", async () => {
  await withNotes({ files: { "A.md": base } }, async (test) => {
    const { notes, caller, store } = test;
    const mine = await version(test);
    const [ours, theirs] = [base.replace("one", "ONE"), base.replace("three", "THREE")];
    store.put("A.md", theirs);
    const preview = await notes.overwrite(caller(), merge(ours, mine, { dryRun: true }));
    assert.equal(store.text("A.md"), theirs);
    assert.deepEqual([preview.merged, preview.dry_run], [true, true]);
    const ifMatch = preview.if_match ?? null;
    for (const other of [theirs.replace("two", "TWO"), base]) {
      store.put("A.md", other);
      for (const onConflict of ["merge", "fail"] as const) {
        const commit = merge(ours, ifMatch, { onConflict });
        await assert.rejects(notes.overwrite(caller(), commit), refusal("conflict"));
      }
      assert.equal(store.text("A.md"), other);
    }
    store.put("A.md", theirs);
    const done = await notes.overwrite(caller(), merge(ours, ifMatch, { onConflict: "fail" }));
    assert.equal(store.text("A.md"), base.replace("one", "ONE").replace("three", "THREE"));
    assert.equal(done.diff, preview.diff);
  });
});

Deno.test("two versions as one are taken only as a preview gave them out", async () => {
  await withNotes({ files: { "A.md": base } }, async (test) => {
    const mine = await version(test);
    const odd = [
      "*+p0000000000000000",
      `${mine}+*`,
      `${mine}+`,
      `+${mine}`,
      `${mine}+${mine}+${mine}`,
      `${mine}+5`,
    ];
    for (const ifMatch of odd) {
      await assert.rejects(
        test.notes.overwrite(test.caller(), merge("x\n", ifMatch)),
        refusal("invalid_argument"),
        ifMatch,
      );
    }
    assert.equal(test.store.text("A.md"), base);
    await assert.rejects(
      test.notes.append(test.caller(), append("x", { ifMatch: `${mine}+${mine}` })),
      refusal("invalid_argument"),
    );
  });
});

Deno.test("a merge under another hand is made again with the fresh text; its commit is not", async () => {
  const again = { before: (store: TestNotes["store"]) => store.put("A.md", base.replace("three", "3")) };
  await withNotes({ files: { "A.md": base }, wrap: badWrites(again) }, async (test) => {
    const mine = await version(test);
    test.store.put("A.md", base.replace("two", "TWO"));
    await test.notes.overwrite(test.caller(), merge(base.replace("one", "ONE"), mine));
    assert.equal(test.store.text("A.md"), base.replace("one", "ONE").replace("three", "3"));
  });
  await withNotes({ files: { "A.md": base }, wrap: badWrites(again) }, async (test) => {
    const mine = await version(test);
    test.store.put("A.md", base.replace("two", "TWO"));
    const ours = base.replace("one", "ONE");
    const { if_match = null } = await test.notes.overwrite(
      test.caller(),
      merge(ours, mine, { dryRun: true }),
    );
    await assert.rejects(test.notes.overwrite(test.caller(), merge(ours, if_match)), refusal("conflict"));
    assert.equal(test.store.text("A.md"), base.replace("three", "3"));
  });
});

Deno.test("a merge is bound by rights, limits and protection like any write, and shows nothing to who may not read", async () => {
  const { read: _, ...blind } = everything;
  await withNotes({ files: { "A.md": base }, settings: { maxPageBytes: 40 } }, async (test) => {
    const { notes, caller, store } = test;
    const mine = await version(test);
    store.put("A.md", base.replace("three", "THREE"));
    const ours = merge(base.replace("one", "ONE"), mine);
    await assert.rejects(
      notes.overwrite(caller({ rights: { append: ["**"] } }), ours),
      refusal("forbidden_path"),
    );
    const clash = merge(base.replace("three", "ours"), mine);
    await assert.rejects(
      notes.overwrite(caller({ rights: { create: ["**"] } }), clash),
      refusal("forbidden_path"),
    );
    await assert.rejects(
      notes.overwrite(caller(), merge(base.replace("one", "far too long a text for it"), mine)),
      refusal("too_large"),
    );
    await assert.rejects(
      notes.overwrite(caller(), merge(base.replace("one", "${x}"), mine)),
      refusal("protected"),
    );
    await assert.rejects(
      notes.overwrite(caller({ rights: blind }), clash),
      refusal("conflict", ({ details, message, remedy }) => {
        assert.doesNotMatch(JSON.stringify([details, message, remedy]), /THREE|hunks/);
      }),
    );
    const done = await notes.overwrite(caller({ rights: blind }), ours);
    assert.deepEqual([done.merged, "merged_in" in done, "diff" in done], [true, false, false]);
    assert.match(String(done.etag), /^p/);
  });
});

Deno.test("a merge that would show too much gives a partial token", async () => {
  const long = Array.from({ length: 400 }, (_, line) => `line ${line}\n`).join("");
  await withNotes({ files: { "A.md": `${base}${long}` } }, async (test) => {
    const mine = await version(test);
    test.store.put("A.md", `${base}${long.replaceAll("line", "LINE")}`);
    const answer = await test.notes.overwrite(
      test.caller(),
      merge(`${base.replace("one", "1")}${long}`, mine),
    );
    assert.match(String(answer.etag), /^p/);
    assert.equal(answer.merged, true);
  });
});
