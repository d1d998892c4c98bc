import assert from "node:assert/strict";
import { refusal, type TestCallerOptions, withNotes } from "../../tests/support/notes.ts";

const limits = { changed: 3, deleted: 1, explicit: true };
const hour = 3_600_000;

type Test = Parameters<Parameters<typeof withNotes>[1]>[0];

function write({ notes, caller }: Test, page: string, who: TestCallerOptions = {}) {
  const content = `text ${Math.random()}`;
  return notes.overwrite(caller(who), { page, content, ifMatch: null, dryRun: false }).catch((error) => {
    if (error?.code !== "precondition_required") throw error;
    return notes.overwrite(caller(who), { page, content, ifMatch: "*", dryRun: false });
  });
}

function remove({ notes, caller }: Test, page: string, who: TestCallerOptions = {}) {
  return notes.remove(caller(who), { page, permanent: false, ifMatch: null, dryRun: false });
}

for (const withState of [true, false]) {
  const where = withState ? "with a history" : "in memory";
  Deno.test(`a client may change so many pages an hour and edit each as often as it likes (${where})`, async () => {
    let time = 1_751_360_000_000;
    const clock = { now: () => time, elapsed: () => time, sleep: () => Promise.resolve() };
    const options = { clock, withState, settings: { changesPerHour: limits, trash: "off" as const } };
    await withNotes(options, async (test) => {
      for (const page of ["A", "B", "C", "A", "B", "C"]) await write(test, page);
      await assert.rejects(
        write(test, "D"),
        refusal("rate_limited", (error) => assert.match(error.message, /3 pages changed/)),
      );
      assert.equal(test.store.text("D.md"), null);
      await write(test, "D", { id: "token:other" });
      await remove(test, "A");
      await assert.rejects(remove(test, "B"), refusal("rate_limited"));
      time += hour + 1;
      await write(test, "D");
      await remove(test, "B");
    });
  });
}

Deno.test("a limit that nobody set binds clients that signed in, one that was set all but the local command", async () => {
  const none = { changed: 0, deleted: 0 };
  for (
    const [explicit, kind, limited] of [
      [false, "oauth", true],
      [false, "token", false],
      [false, "jwt", false],
      [true, "token", true],
      [true, "jwt", true],
      [true, "stdio", false],
    ] as const
  ) {
    await withNotes({ settings: { changesPerHour: { ...none, explicit } } }, async (test) => {
      const writing = write(test, "A", { kind });
      if (limited) await assert.rejects(writing, refusal("rate_limited"));
      else await writing;
    });
  }
});

for (const withState of [true, false]) {
  const where = withState ? "with a history" : "in memory";
  Deno.test(`changes made at the same time count like those made one by one (${where})`, async () => {
    const files = Object.fromEntries(["1", "2", "3", "4"].map((name) => [`${name}.md`, "x"]));
    const settings = { changesPerHour: { changed: 4, deleted: 2, explicit: true }, trash: "off" as const };
    await withNotes({ files, withState, settings }, async (test) => {
      const create = (page: string, content: string) =>
        test.notes.create(test.caller(), { page, content, dryRun: false });
      const removed = await Promise.allSettled(["1", "2", "3", "4"].map((page) => remove(test, page)));
      assert.equal(removed.filter(({ status }) => status === "fulfilled").length, 2);
      const texts = ["a", "b", "c", "d", "e"].map((name) => [name, name.repeat(50_000)] as const);
      const made = await Promise.allSettled(texts.map(([page, text]) => create(page, text)));
      assert.equal(made.filter(({ status }) => status === "fulfilled").length, 2);
      for (const outcome of made) {
        if (outcome.status === "rejected") refusal("rate_limited")(outcome.reason);
      }
      assert.equal((await test.store.list()).length, 4);
    });
  });
}

Deno.test("a change that was refused after all costs nothing", async () => {
  const settings = { changesPerHour: { changed: 1, deleted: 1, explicit: true } };
  await withNotes({ files: { "A.md": "x" }, withState: false, settings }, async (test) => {
    const stale = { page: "A", content: "y", ifMatch: `sha256:${"0".repeat(64)}`, dryRun: false };
    await assert.rejects(test.notes.overwrite(test.caller(), stale), refusal("conflict"));
    const again = test.notes.create(test.caller(), { page: "A", content: "y", dryRun: false });
    await assert.rejects(again, refusal("already_exists"));
    await write(test, "B");
  });
});
