import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { sha256Hex } from "../../core/secrets.ts";
import type { ChangeOptions, PageStore } from "../../core/page_store.ts";
import type { MemoryStore } from "../../silverbullet/memory_store.ts";
import { openTestNotes, refusal, withNotes } from "../../../tests/support/notes.ts";
import { cites } from "../../../tests/requirements.ts";

type Test = Parameters<Parameters<typeof withNotes>[1]>[0];

/** What the process sees of a change before it dies, or before its answer gets lost. */
type Accident = "never sent" | "sent, answer lost";

const lost = new AppError({
  code: "upstream",
  upstream: "timeout",
  message: "Cannot tell",
  remedy: "Read the page to find out.",
  details: { outcome: "unknown" },
});

/** A store on which the next change meets an accident; `blind`: after which nothing can be seen any more. */
function accidentStore(store: MemoryStore, accident: Accident, blind = false): PageStore {
  let armed = true;
  async function meet(change: () => Promise<unknown>): Promise<never> {
    if (accident === "sent, answer lost") await change();
    throw lost;
  }
  return {
    ...store,
    read: (path, options) => blind && !armed ? Promise.reject(lost) : store.read(path, options),
    write: (path, bytes, options: ChangeOptions) => {
      if (!armed) return store.write(path, bytes, options);
      armed = false;
      return meet(() => store.write(path, bytes, options));
    },
    delete: (path, options) => {
      if (!armed) return store.delete(path, options);
      armed = false;
      return meet(() => store.delete(path, options));
    },
  };
}

function outcomes({ state }: Test): unknown[] {
  return state.db.prepare("SELECT outcome FROM changes ORDER BY seq").all().map((row) => row["outcome"]);
}

function later(ms: number): Clock {
  return { ...systemClock, now: () => Date.now() + ms };
}

function write(content: string) {
  return { page: "A", content, ifMatch: "*", dryRun: false };
}

for (const accident of ["never sent", "sent, answer lost"] as const) {
  for (const action of ["write", "create", "delete"] as const) {
    Deno.test(`a ${action} that was ${accident} is settled at the next start`, async () => {
      cites("notes.history");
      const files: Record<string, string> = action === "create" ? {} : { "A.md": "one" };
      await withNotes({ files, wrap: (store) => accidentStore(store, accident, true) }, async (test) => {
        const { notes, caller, store, state } = test;
        const doing = action === "write"
          ? notes.overwrite(caller(), write("two"))
          : action === "create"
          ? notes.create(caller(), { page: "A", content: "two", dryRun: false })
          : notes.remove(caller(), { page: "A", permanent: false, ifMatch: null, dryRun: false });
        await assert.rejects(doing, refusal("upstream"));
        assert.deepEqual(outcomes(test), ["intended"]);
        const next = openTestNotes(store, { state, clock: later(61_000) });
        await next.settle(new AbortController().signal);
        assert.deepEqual(outcomes(test), [accident === "never sent" ? "not_applied" : "applied"]);
        await next.close();
      });
    });
  }
}

Deno.test("a change that may still arrive stays open for a minute", async () => {
  await withNotes(
    { files: { "A.md": "one" }, wrap: (store) => accidentStore(store, "never sent") },
    async (test) => {
      const { notes, caller, store, state } = test;
      await notes.overwrite(caller(), write("late")).catch(() => {});
      const soon = openTestNotes(store, { state, clock: later(1000) });
      await soon.settle(new AbortController().signal);
      assert.deepEqual(outcomes(test), ["intended"]);
      store.put("A.md", "late");
      await notes.overwrite(caller(), write("mine"));
      assert.deepEqual(outcomes(test), ["applied", "applied"]);
      await soon.close();
    },
  );
});

Deno.test("a page that holds neither text leaves the change unsure, with both texts kept", async () => {
  await withNotes(
    { files: { "A.md": "one" }, wrap: (store) => accidentStore(store, "never sent") },
    async (test) => {
      const { notes, caller, store, state } = test;
      await notes.overwrite(caller(), write("two")).catch(() => {});
      store.put("A.md", "by another hand");
      await notes.overwrite(caller(), write("three"));
      assert.deepEqual(outcomes(test), ["unsure", "applied"]);
      for (const text of ["one", "two", "by another hand", "three"]) {
        assert.notEqual(
          state.db.prepare("SELECT 1 FROM texts WHERE hash = ?").get(sha256Hex(text)),
          undefined,
          text,
        );
      }
    },
  );
});

Deno.test("a refused change leaves nothing open", async () => {
  const refused = new AppError({
    code: "upstream",
    upstream: "unreachable",
    message: "No",
    remedy: "Try again later.",
  });
  const wrap = (store: MemoryStore): PageStore => ({ ...store, write: () => Promise.reject(refused) });
  await withNotes({ files: { "A.md": "one" }, wrap }, async (test) => {
    await assert.rejects(test.notes.overwrite(test.caller(), write("two")), refusal("upstream"));
    assert.deepEqual(outcomes(test), []);
  });
});

Deno.test("a refusal that destroyed the page all the same leaves its text on record", async () => {
  const full = new AppError({
    code: "upstream",
    upstream: "fault",
    message: "Full",
    remedy: "Free some space there.",
  });
  let broken = true;
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    write: (path, bytes, options) => {
      if (!broken) return store.write(path, bytes, options);
      broken = false;
      store.put(path, "");
      return Promise.reject(full);
    },
  });
  await withNotes({ files: { "A.md": "precious" }, wrap }, async (test) => {
    await assert.rejects(test.notes.overwrite(test.caller(), write("two")), refusal("upstream"));
    assert.deepEqual(outcomes(test), ["intended"]);
    test.store.remove("A.md");
    const version = String(test.state.db.prepare("SELECT id FROM changes").get()?.["id"]);
    assert.match(version, /^c/);
    const restore = { page: "A", version: `sha256:${sha256Hex("precious")}`, dryRun: false };
    await test.notes.restore(test.caller(), restore);
    assert.equal(test.store.text("A.md"), "precious");
    assert.deepEqual(outcomes(test), ["unsure", "applied"]);
  });
});

Deno.test("an exception that nobody expected leaves the change open until it is settled", async () => {
  let broken = true;
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    write: async (path, bytes, options) => {
      const result = await store.write(path, bytes, options);
      if (broken) throw new TypeError("bug");
      return result;
    },
  });
  await withNotes({ files: { "A.md": "one" }, wrap }, async (test) => {
    await assert.rejects(test.notes.overwrite(test.caller(), write("two")), TypeError);
    assert.deepEqual(outcomes(test), ["intended"]);
    broken = false;
    await test.notes.overwrite(test.caller(), write("three"));
    assert.deepEqual(outcomes(test), ["applied", "applied"]);
  });
});

Deno.test("settling waits for a writer of another process that is at work", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    write: async (path, bytes, options) => {
      started.resolve();
      await promise;
      return await store.write(path, bytes, options);
    },
  });
  await withNotes({ files: { "A.md": "one" }, wrap }, async (test) => {
    const { notes, caller, store, state } = test;
    const writing = notes.overwrite(caller(), write("two"));
    await started.promise;
    state.db.exec("UPDATE changes SET time = time - 61000");
    const other = openTestNotes(store, { state });
    const settling = other.settle(new AbortController().signal);
    await systemClock.sleep(30);
    const during = outcomes(test);
    resolve();
    await writing;
    await settling;
    await other.close();
    assert.deepEqual(during, ["intended"]);
    assert.deepEqual(outcomes(test), ["applied"]);
  });
});

Deno.test("a copy in the trash goes when the deletion did not come to pass", async () => {
  let armed = true;
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    delete: (path, options) => {
      if (!armed || path !== "A.md") return store.delete(path, options);
      armed = false;
      return Promise.reject(lost);
    },
  });
  await withNotes({ files: { "A.md": "one" }, settings: { trash: "space" }, wrap }, async (test) => {
    const { notes, caller, store, state } = test;
    const remove = { page: "A", permanent: false, ifMatch: null, dryRun: false };
    await assert.rejects(notes.remove(caller(), remove), refusal("upstream"));
    assert.equal((await store.list()).length, 2);
    const next = openTestNotes(store, { state, clock: later(61_000) });
    await next.settle(new AbortController().signal);
    assert.deepEqual((await store.list()).map((entry) => entry.path), ["A.md"]);
    await next.close();
  });
});

Deno.test("a caller who goes away half-way leaves a finished change", async () => {
  const gone = new AbortController();
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    write: (path, bytes, options) => {
      gone.abort(new Error("gone"));
      assert.equal(options.signal, undefined);
      return store.write(path, bytes, options);
    },
  });
  await withNotes({ files: { "A.md": "one" }, wrap }, async (test) => {
    await test.notes.overwrite(test.caller({ signal: gone.signal }), write("two"));
    assert.deepEqual(outcomes(test), ["applied"]);
  });
});

Deno.test("close() waits for changes in flight", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    write: async (path, bytes, options) => {
      await promise;
      return await store.write(path, bytes, options);
    },
  });
  await withNotes({ files: { "A.md": "one" }, wrap }, async (test) => {
    const writing = test.notes.overwrite(test.caller(), write("two"));
    let closed = false;
    const closing = test.notes.close().then(() => closed = true);
    await systemClock.sleep(10);
    const early = closed;
    resolve();
    await closing;
    await writing;
    assert.equal(early, false);
    assert.equal(test.store.text("A.md"), "two");
  });
});
