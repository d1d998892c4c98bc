import assert from "node:assert/strict";
import { systemClock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { PagePath } from "../../core/page_name.ts";
import type { PageStore } from "../../core/page_store.ts";
import type { MemoryStore } from "../../silverbullet/memory_store.ts";
import { cites } from "../../../tests/requirements.ts";
import { everything, openTestNotes, readRequest, refusal, withNotes } from "../../../tests/support/notes.ts";
import type { MoveRequest } from "./move_requests.ts";

type Test = Parameters<Parameters<typeof withNotes>[1]>[0];

function move(from: string, to: string, more: Partial<MoveRequest> = {}): MoveRequest {
  return { from, to, updateLinks: true, ifMatch: null, dryRun: false, ...more };
}

/** Every file with its text. */
async function texts(store: MemoryStore): Promise<Record<string, string | null>> {
  return Object.fromEntries((await store.list()).map(({ path }) => [path, store.text(path)]));
}

const old = { dialect: "guarded", version: "2.9.0" } as const;

Deno.test("move takes a page to its new name and lets every link follow", async () => {
  cites("notes.move");
  const files = {
    "Old.md": "\ufeffself [[Old#here]] and [rel](img/a.png)\r\n",
    "img/a.png": "png",
    "A.md": "one [[Old|alias]]\ntwo [[Old@12]] `[[Old]]`\n",
    "F/B.md": '---\nup: "[[Old]]"\n---\n[t](../Old.md) ![[Old]]',
    "C.md": "nothing [[Older]]",
  };
  for (const facts of [{}, old]) {
    await withNotes({ files, facts }, async ({ notes, caller, store }) => {
      const answer = await notes.move(caller(), move("Old", "Sub/New name"));
      assert.deepEqual(await texts(store), {
        "Sub/New name.md": "\ufeffself [[Sub/New name#here]] and [rel](../img/a.png)\r\n",
        "img/a.png": "png",
        "A.md": "one [[Sub/New name|alias]]\ntwo [[Sub/New name@12]] `[[Old]]`\n",
        "F/B.md": '---\nup: "[[Sub/New name]]"\n---\n[t](<../Sub/New name.md>) ![[Sub/New name]]',
        "C.md": "nothing [[Older]]",
      });
      assert.equal(answer.page, "Sub/New name");
      assert.equal(answer.from, "Old");
      assert.deepEqual([answer.links, answer.pages, answer.moved], [7, 2, true]);
      assert(!("etag" in answer) && !JSON.stringify(answer).includes("last_modified"));
    });
  }
});

Deno.test("a dry run of move shows every page and line, changes nothing, and gives the version that commits it", async () => {
  const files = { "Old.md": "[[Old]]", "A.md": "x\n[[Old]] y", "B.md": "[[Old]]" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const preview = await notes.move(caller(), move("Old", "New", { dryRun: true }));
    assert.deepEqual(await texts(store), files);
    assert.deepEqual(preview.changes, [
      { page: "New", lines: [{ line: 1, before: "[[Old]]", after: "[[New]]" }] },
      { page: "A", lines: [{ line: 2, before: "[[Old]] y", after: "[[New]] y" }] },
      { page: "B", lines: [{ line: 1, before: "[[Old]]", after: "[[New]]" }] },
    ]);
    const { if_match: ifMatch = "", dry_run: _, ...promised } = preview;
    store.put("Old.md", "edited");
    await assert.rejects(notes.move(caller(), move("Old", "New", { ifMatch })), refusal("conflict"));
    assert.equal(store.text("New.md"), null);
    store.put("Old.md", "[[Old]]");
    const { change, guarantee, moved, ...made } = await notes.move(caller(), move("Old", "New", { ifMatch }));
    assert.deepEqual(made, promised);
    assert.match(change ?? "", /^m/);
    assert.deepEqual([guarantee, moved], ["atomic", true]);
  });
});

Deno.test("move never overwrites: taken names, twins by case, and the page itself", async () => {
  const files = { "A.md": "a", "B.md": "b", "Straße.md": "s" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    for (const to of ["B", "b", "a", "STRASSE/../B"].slice(0, 3)) {
      await assert.rejects(
        notes.move(caller(), move("A", to)),
        refusal(
          "already_exists",
          (error) => assert.match(error.message, /destination page already exists: /),
        ),
      );
    }
    await assert.rejects(notes.move(caller(), move("A", "A.md")), refusal("invalid_argument"));
    assert.deepEqual(await texts(store), files);
  });
});

Deno.test("move refuses names that SilverBullet could not open, and places that are closed", async () => {
  const files = { "A.md": "a", "img/a.png": "png", "_trash/2026-07/T.md": "t" };
  const settings = { lockedPages: ["House.md" as PagePath] };
  await withNotes({ files, settings }, async ({ notes, caller, store }) => {
    const cases: Array<[string, string, Parameters<typeof refusal>[0]]> = [
      ["A", "v1.2", "invalid_path"],
      ["A", "a#b", "invalid_path"],
      ["A", "../B", "invalid_path"],
      ["A", ".hidden", "invalid_path"],
      ["img/a.png", "img/b", "invalid_path"],
      ["img/a.png", "img/a@2x.png", "invalid_path"],
      ["A", "_trash/2026-07/A", "forbidden_path"],
      ["A", "_Trash/A", "forbidden_path"],
      ["_trash/2026-07/T", "T", "forbidden_path"],
      ["A", "CONFIG", "protected"],
      ["A", "Library/A", "protected"],
      ["img/a.png", "x.plug.js", "protected"],
      ["A", "House", "read_only"],
      ["A", "house", "read_only"],
      ["Missing", "B", "not_found"],
    ];
    for (const [from, to, code] of cases) {
      for (const dryRun of [true, false]) {
        await assert.rejects(
          notes.move(caller(), move(from, to, { dryRun })),
          refusal(code),
          `${from} ${to}`,
        );
      }
    }
    assert.deepEqual(await texts(store), files);
  });
});

Deno.test("move takes files to the byte, whatever they are and however big", async () => {
  const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) & 255);
  const broken = new Uint8Array([0xef, 0xbb, 0xbf, 0x41, 0xff, 0xfe, 0x0d, 0x0a]);
  const files = { "a b.png": bytes, "Bad.md": broken, "P.md": "![[a b.png|300]] ![x](a%20b.png)" };
  await withNotes({ files, settings: { maxPageBytes: 100 } }, async ({ notes, caller, store }) => {
    await notes.move(caller(), move("a b.png", "pics/c.png"));
    assert.deepEqual((await store.read("pics/c.png" as PagePath))?.bytes, bytes);
    assert.equal(store.text("P.md"), "![[pics/c.png|300]] ![x](pics/c.png)");
    await notes.move(caller(), move("Bad", "Worse"));
    assert.deepEqual((await store.read("Worse.md" as PagePath))?.bytes, broken);
    assert.equal((await store.list()).length, 3);
  });
});

Deno.test("move without links leaves every byte of every page", async () => {
  const files = { "Old.md": "[[Old]] [x](A)", "A.md": "[[Old]]" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const answer = await notes.move(caller(), move("Old", "F/New", { updateLinks: false }));
    assert.deepEqual(await texts(store), { "F/New.md": "[[Old]] [x](A)", "A.md": "[[Old]]" });
    assert.match(answer.warnings?.[0] ?? "", /may break/);
    assert.equal(answer.warnings?.length, 1);
  });
  const rivals = { "x/Old.md": "x", "y/New.md": "y", "Old.md": "z" };
  await withNotes({ files: rivals }, async ({ notes, caller }) => {
    for (const dryRun of [true, false]) {
      const { warnings } = await notes.move(caller(), move("Old", "New", { updateLinks: false, dryRun }));
      assert.deepEqual(warnings?.slice(1).map((text) => /"[^"]*"/.exec(text)?.[0]), ['"y/New"', '"x/Old"']);
    }
  });
});

Deno.test("move changes only pages that the caller may write, and names none that it may not read", async () => {
  const files = {
    "Open/Old.md": "x",
    "Open/A.md": "[[Open/Old]]",
    "Read/B.md": "[[Open/Old]]",
    "Blind/C.md": "[[Open/Old]]",
    "Shut/D.md": "[[Open/Old]]",
    "Secret/E.md": "[[Open/Old]] classified",
    "Library/Std/F.md": "[[Open/Old]]",
  };
  const settings = { hiddenPaths: ["Secret/**"] };
  const rights = {
    read: ["Open/**", "Read/**", "Library/**"],
    create: ["Open/**"],
    write: ["Open/**", "Blind/**", "Library/**"],
    delete: ["Open/**"],
  };
  for (const facts of [{}, old]) {
    await withNotes({ files, settings, facts }, async ({ notes, caller, store }) => {
      for (const dryRun of [true, false]) {
        const answer = await notes.move(caller({ rights }), move("Open/Old", "Open/New", { dryRun }));
        assert.deepEqual(answer.changes.map(({ page }) => page), ["Open/A"]);
        assert.deepEqual([answer.pages, answer.unnamed_pages], [2, 1]);
        const left = (answer.unchanged_links ?? []).map(({ page, line }) => `${page}:${line}`);
        assert.deepEqual(left, ["Library/Std/F:1", "Read/B:1"]);
        assert.match(answer.warnings?.join() ?? "", /may not read.*: 1$/);
        const told = JSON.stringify(answer);
        for (const word of ["Blind", "Shut", "Secret", "classified"]) assert(!told.includes(word), word);
      }
      assert.equal(store.text("Blind/C.md"), "[[Open/New]]");
      for (const path of ["Read/B.md", "Shut/D.md"]) assert.equal(store.text(path), "[[Open/Old]]");
      assert.equal(store.text("Secret/E.md"), "[[Open/Old]] classified");
    });
  }
});

Deno.test("move needs delete at the old place, create at the new one, and never opens what may not be read", async () => {
  const files = { "Private/A.md": "secret", "Open/B.md": "b" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const refused: Array<[Parameters<typeof caller>[0], string, string]> = [
      [{ rights: { ...everything, delete: ["Open/**"] } }, "Private/A", "Open/A"],
      [{ rights: { ...everything, create: ["Private/**"] } }, "Private/A", "Open/A"],
      [{ rights: { ...everything, read: ["Open/**"] } }, "Private/A", "Open/A"],
    ];
    for (const [who, from, to] of refused) {
      for (const dryRun of [true, false]) {
        await assert.rejects(notes.move(caller(who), move(from, to, { dryRun })), refusal("forbidden_path"));
      }
    }
    const blind = { rights: { ...everything, read: ["Open/**"] } };
    await notes.move(caller(blind), move("Private/A", "Private/C"));
    assert.equal(store.text("Private/C.md"), "secret");
  });
});

Deno.test("move says of a hidden page what it says of a missing one", async () => {
  const told: string[] = [];
  for (const files of [{ "Secret.md": "x" }, {}]) {
    await withNotes({ files, settings: { hiddenPaths: ["Secret"] } }, async ({ notes, caller }) => {
      await notes.move(caller(), move("Secret", "A")).catch((error: AppError) =>
        told.push(JSON.stringify([error.code, error.message, error.remedy, error.details]))
      );
    });
  }
  assert.equal(told.length, 2);
  assert.equal(told[0], told[1]);
});

Deno.test("move leaves what runs, and what SilverBullet has locked, and says so", async () => {
  const markers = [
    `<<<<<<< SB sha256:${"a".repeat(64)}`,
    "one [[Old]]",
    `||||||| SB BASE sha256:${"b".repeat(64)}`,
    "=======",
    "two",
    `>>>>>>> SB sha256:${"c".repeat(64)}`,
    "",
  ].join("\n");
  const files = {
    "Old.md": "x",
    "CONFIG.md": "[[Old]]",
    "Lua.md": "```space-lua\nx = '[[Old]]'\n```\n[[Old]]",
    "Locked.md": markers,
  };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    const { unchanged_links = [] } = await notes.move(caller(), move("Old", "New"));
    assert.deepEqual(unchanged_links.map(({ page }) => page), ["CONFIG", "Locked"]);
    assert.equal(store.text("CONFIG.md"), "[[Old]]");
    assert.equal(store.text("Locked.md"), markers);
    assert.equal(store.text("Lua.md"), "```space-lua\nx = '[[Old]]'\n```\n[[New]]");
    await notes.move(caller(), move("Locked", "Still"));
    assert.equal(store.text("Still.md"), markers);
  });
});

Deno.test("move keeps links by name at what they mean when the new name would draw them to itself", async () => {
  const files = { "Draft.md": "x", "docs/Setup.md": "c", "docs/Home.md": "[[Setup]]" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    await notes.move(caller(), move("Draft", "docs/x/Setup"));
    assert.equal(store.text("docs/Home.md"), "[[Setup]]");
    await notes.move(caller(), move("docs/x/Setup", "Setup"));
    assert.equal(store.text("docs/Home.md"), "[[docs/Setup]]");
  });
});

/** A store on which `act` happens once, right before the first call that `when` picks. */
function handAt(
  when: (verb: "write" | "delete", path: string) => boolean,
  act: (store: MemoryStore) => void,
): (store: MemoryStore) => PageStore {
  let armed = true;
  return (store) => {
    const meet = (verb: "write" | "delete", path: string) => {
      if (!armed || !when(verb, path)) return;
      armed = false;
      act(store);
    };
    return {
      ...store,
      write: (path, bytes, options) => {
        meet("write", path);
        return store.write(path, bytes, options);
      },
      delete: (path, options) => {
        meet("delete", path);
        return store.delete(path, options);
      },
    };
  };
}

Deno.test("an edit of a linking page meanwhile is kept, and its links follow all the same", async () => {
  const files = { "Old.md": "x", "A.md": "one [[Old]]\n" };
  const wrap = handAt((verb, path) => verb === "write" && path === "A.md", (store) => {
    store.put("A.md", "new first line\none [[Old]] edited\nmore [[Old]]\n");
  });
  await withNotes({ files, wrap }, async ({ notes, caller, store }) => {
    await notes.move(caller(), move("Old", "New"));
    assert.equal(store.text("A.md"), "new first line\none [[New]] edited\nmore [[New]]\n");
  });
});

Deno.test("an edit of the page itself meanwhile takes everything back, and is kept", async () => {
  const files = { "Old.md": "[x](A)", "A.md": "[[Old]]", "B.md": "[[Old]]" };
  const wrap = handAt((verb, path) => verb === "delete" && path === "Old.md", (store) => {
    store.put("Old.md", "edited by hand");
  });
  await withNotes({ files, wrap }, async ({ notes, caller, store, state }) => {
    await assert.rejects(
      notes.move(caller(), move("Old", "F/New")),
      refusal("conflict", (error) => assert.match(error.message, /everything is as it was before/)),
    );
    assert.deepEqual(await texts(store), { ...files, "Old.md": "edited by hand" });
    assert.deepEqual({ ...state.db.prepare("SELECT state FROM moves").get() }, { state: "undone" });
  });
});

Deno.test("taking back keeps what another hand wrote on the same page meanwhile", async () => {
  const files = { "Old.md": "x", "A.md": "first\n[[Old]]\nlast\n" };
  const wrap = handAt((verb, path) => verb === "delete" && path === "Old.md", (store) => {
    store.put("Old.md", "edited");
    store.put("A.md", "first\n[[New]]\nlast, edited\n");
  });
  await withNotes({ files, wrap }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.move(caller(), move("Old", "New")), refusal("conflict"));
    assert.equal(store.text("A.md"), "first\n[[Old]]\nlast, edited\n");
    assert.equal(store.text("New.md"), null);
  });
});

Deno.test("a copy that was edited before the move was taken back stays beside the page", async () => {
  const files = { "Old.md": "x", "A.md": "[[Old]]" };
  const wrap = handAt((verb, path) => verb === "delete" && path === "Old.md", (store) => {
    store.put("Old.md", "edited");
    store.put("New.md", "edited too");
  });
  await withNotes({ files, wrap }, async ({ notes, caller, store }) => {
    await assert.rejects(
      notes.move(caller(), move("Old", "New")),
      refusal("conflict", (error) => assert.equal(error.details["copy_left"], true)),
    );
    assert.deepEqual(await texts(store), { "Old.md": "edited", "New.md": "edited too", "A.md": "[[Old]]" });
  });
});

Deno.test("a page that appears at the destination meanwhile is left alone", async () => {
  const files = { "Old.md": "x", "A.md": "[[Old]]" };
  const wrap = handAt((verb, path) => verb === "write" && path === "New.md", (store) => {
    store.put("New.md", "somebody else's");
  });
  await withNotes({ files, wrap }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.move(caller(), move("Old", "New")), refusal("conflict"));
    assert.deepEqual(await texts(store), { ...files, "New.md": "somebody else's" });
  });
});

Deno.test("the old page stays when the copy is gone before it is removed", async () => {
  const files = { "Old.md": "x", "A.md": "[[Old]]" };
  const wrap = handAt((verb, path) => verb === "write" && path === "A.md", (store) => store.remove("New.md"));
  await withNotes({ files, wrap }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.move(caller(), move("Old", "New")), refusal("upstream"));
    assert.deepEqual(await texts(store), files);
  });
});

Deno.test("the old page stays when the copy is not what was sent, whatever the server says", async () => {
  const files = { "Old.md": "precious text", "A.md": "[[Old]]" };
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    write: (path, bytes, options) =>
      store.write(path, path === "New.md" ? bytes.slice(0, 4) : bytes, options),
  });
  await withNotes({ files, wrap }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.move(caller(), move("Old", "New")), refusal("upstream"));
    assert.equal(store.text("Old.md"), "precious text");
    assert.equal(store.text("A.md"), "[[Old]]");
  });
});

Deno.test("a linking page that is deleted meanwhile does not come back", async () => {
  const files = { "Old.md": "x", "A.md": "[[Old]]" };
  const wrap = handAt((verb, path) => verb === "write" && path === "A.md", (store) => store.remove("A.md"));
  await withNotes({ files, wrap }, async ({ notes, caller, store }) => {
    await notes.move(caller(), move("Old", "New"));
    assert.deepEqual(await texts(store), { "New.md": "x" });
  });
});

/** A store on which everything that changes fails from the `after`th change on, `times` times. */
function failing(after: number, times: number): (store: MemoryStore) => PageStore {
  let count = 0;
  const meet = () => {
    count++;
    if (count <= after || count > after + times) return;
    throw new AppError({
      code: "upstream",
      upstream: "unreachable",
      message: "No",
      remedy: "Try again later.",
    });
  };
  return (store) => ({
    ...store,
    write: async (path, bytes, options) => {
      meet();
      return await store.write(path, bytes, options);
    },
    delete: async (path, options) => {
      meet();
      return await store.delete(path, options);
    },
  });
}

Deno.test("a failure on the way takes everything back, wherever it happens", async () => {
  const files = { "Old.md": "[x](A)", "A.md": "[[Old]]", "B.md": "[[Old]]", "C.md": "[[Old]]" };
  for (let after = 0; after < 5; after++) {
    await withNotes({ files, wrap: failing(after, 1) }, async ({ notes, caller, store, state }) => {
      await assert.rejects(
        notes.move(caller(), move("Old", "F/New")),
        refusal("upstream", (error) => assert.match(error.message, /everything is as it was before/)),
      );
      assert.deepEqual(await texts(store), files, `after ${after}`);
      assert.equal(state.db.prepare("SELECT count(*) AS n FROM move_steps").get()?.["n"], 0);
    });
  }
});

Deno.test("a move that cannot even be taken back is finished or undone at the next start, and told once", async () => {
  cites("notes.move-crash");
  const files = { "Old.md": "[x](A)", "A.md": "[[Old]]", "B.md": "[[Old]]", "C.md": "[[Old]]" };
  for (let after = 1; after < 5; after++) {
    await withNotes({ files, wrap: failing(after, 100) }, async (test: Test) => {
      const { notes, caller, store, state } = test;
      await assert.rejects(
        notes.move(caller(), move("Old", "F/New")),
        refusal("upstream", (error) => assert.equal(error.details["outcome"], "unknown")),
      );
      const next = openTestNotes(store, { state });
      await next.settle(new AbortController().signal);
      assert.deepEqual(await texts(store), files, `after ${after}`);
      const stranger = caller({ rights: { read: ["A"] } });
      assert.deepEqual(next.mendedMoves(stranger), []);
      const [told] = next.mendedMoves(caller());
      assert.deepEqual([told?.from, told?.to, told?.outcome], ["Old", "F/New", "undone"]);
      assert.deepEqual(next.mendedMoves(caller()), []);
      await next.close();
    });
  }
});

Deno.test("the copy stays when it is all there is, whatever has to be taken back", async () => {
  const files = { "Old.md": "precious", "A.md": "[[Old]]" };
  const no = new AppError({ code: "upstream", upstream: "fault", message: "No", remedy: "Try again later." });
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    write: async (path, bytes, options) => {
      if (path !== "A.md") return await store.write(path, bytes, options);
      store.remove("Old.md");
      throw no;
    },
  });
  await withNotes({ files, wrap }, async ({ notes, caller, store, state }) => {
    await assert.rejects(notes.move(caller(), move("Old", "New")), refusal("upstream"));
    assert.equal(store.text("New.md"), "precious");
    const next = openTestNotes(store, { state });
    await next.settle(new AbortController().signal);
    assert.deepEqual(await texts(store), { "New.md": "precious", "A.md": "[[New]]" });
    assert.equal(next.mendedMoves(caller())[0]?.outcome, "finished");
    await next.close();
  });
});

Deno.test("lost answers on the way do not stop a move", async () => {
  const files = { "Old.md": "[x](A)", "A.md": "[[Old]]", "B.md": "[[Old]]" };
  const lost = () =>
    new AppError({
      code: "upstream",
      upstream: "timeout",
      message: "Cannot tell",
      remedy: "Read the page to find out.",
      details: { outcome: "unknown" },
    });
  const wrap = (store: MemoryStore): PageStore => {
    let count = 0;
    return {
      ...store,
      write: async (path, bytes, options) => {
        count++;
        if (count % 3 === 0) throw lost();
        const result = await store.write(path, bytes, options);
        if (count % 3 === 1) throw lost();
        return result;
      },
      delete: async (path, options) => {
        await store.delete(path, options);
        throw lost();
      },
    };
  };
  await withNotes({ files, wrap }, async ({ notes, caller, store, state }) => {
    const answer = await notes.move(caller(), move("Old", "F/New"));
    assert.deepEqual(await texts(store), {
      "F/New.md": "[x](../A)",
      "A.md": "[[F/New]]",
      "B.md": "[[F/New]]",
    });
    assert.equal(answer.guarantee, "verified");
    const open = state.db.prepare("SELECT count(*) AS n FROM changes WHERE outcome = 'intended'").get();
    assert.equal(open?.["n"], 0);
  });
});

Deno.test("move works where no state can be kept", async () => {
  const files = { "Old.md": "x", "A.md": "[[Old]]" };
  await withNotes({ files, withState: false }, async ({ notes, caller, store }) => {
    const answer = await notes.move(caller(), move("Old", "New"));
    assert.deepEqual(await texts(store), { "New.md": "x", "A.md": "[[New]]" });
    assert.equal("change" in answer, false);
  });
  const wrap = failing(1, 1);
  await withNotes({ files, withState: false, wrap }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.move(caller(), move("Old", "New")), refusal("upstream"));
    assert.deepEqual(await texts(store), files);
  });
});

Deno.test("a move that is too much for the client's budget changes nothing", async () => {
  const files: Record<string, string> = { "Old.md": "x" };
  for (let page = 0; page < 5; page++) files[`P${page}.md`] = "[[Old]]";
  const settings = { changesPerHour: { changed: 6, deleted: 1, explicit: true } };
  await withNotes({ files, settings }, async ({ notes, caller, store }) => {
    await assert.rejects(notes.move(caller(), move("Old", "New")), refusal("rate_limited"));
    assert.deepEqual(await texts(store), files);
    store.remove("P4.md");
    await notes.move(caller(), move("Old", "New"));
    await assert.rejects(notes.move(caller(), move("New", "Newer")), refusal("rate_limited"));
  });
});

Deno.test("moves that meet go one after the other, and both hold", async () => {
  const files = { "A.md": "a [[B]]", "B.md": "b [[A]]", "L.md": "[[A]] [[B]]" };
  await withNotes({ files }, async ({ notes, caller, store }) => {
    await Promise.all([
      notes.move(caller(), move("A", "X/A2")),
      notes.move(caller(), move("B", "X/B2")),
    ]);
    assert.deepEqual(await texts(store), {
      "X/A2.md": "a [[X/B2]]",
      "X/B2.md": "b [[X/A2]]",
      "L.md": "[[X/A2]] [[X/B2]]",
    });
    await Promise.allSettled([
      notes.move(caller(), move("X/A2", "Same")),
      notes.move(caller(), move("X/B2", "Same")),
    ]);
    assert.equal((await store.list()).length, 3);
  });
});

Deno.test("a caller who goes away half-way leaves a finished move; before it, none", async () => {
  const files = { "Old.md": "x", "A.md": "[[Old]]", "B.md": "[[Old]]" };
  const gone = new AbortController();
  const wrap = handAt((_, path) => path === "New.md", () => gone.abort(new Error("gone")));
  await withNotes({ files, wrap }, async ({ notes, caller, store }) => {
    await notes.move(caller({ signal: gone.signal }), move("Old", "New"));
    assert.deepEqual(await texts(store), { "New.md": "x", "A.md": "[[New]]", "B.md": "[[New]]" });
    await assert.rejects(notes.move(caller({ signal: gone.signal }), move("New", "C")), /gone/);
    assert.equal(store.text("C.md"), null);
  });
});

Deno.test("an index narrows down which pages are read", async () => {
  const files: Record<string, string> = { "Old.md": "x", "A.md": "[[Old]]" };
  for (let page = 0; page < 50; page++) files[`P${page}.md`] = "[[Old]]";
  const read: string[] = [];
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    read: (path, options) => {
      read.push(path);
      return store.read(path, options);
    },
  });
  await withNotes({ files, wrap }, async ({ store, state, caller }) => {
    const asked: string[][] = [];
    const notes = openTestNotes(wrap(store), {
      state,
      candidates: {
        linkingTo: (bases) => {
          asked.push([...bases]);
          return Promise.resolve(["A.md" as PagePath, "Gone.md" as PagePath]);
        },
        containing: () => Promise.resolve(null),
      },
    });
    const answer = await notes.move(caller(), move("Old", "x/New", { dryRun: true }));
    assert.deepEqual(answer.changes.map(({ page }) => page), ["A"]);
    assert.deepEqual(asked, [["old.md", "new.md"]]);
    assert(!read.includes("P1.md"));
    await notes.close();
  });
});

Deno.test("an index that cannot tell, or not in time, is done without", async () => {
  const files = { "Old.md": "x", "A.md": "[[Old]]" };
  const never = new Promise<null>(() => {});
  for (const linkingTo of [() => Promise.resolve(null), () => never]) {
    await withNotes({ files }, async ({ store, state, caller }) => {
      const clock = {
        ...systemClock,
        sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(Math.min(ms, 20), signal),
      };
      const candidates = { linkingTo, containing: () => Promise.resolve(null) };
      const notes = openTestNotes(store, { state, candidates, clock });
      await notes.move(caller(), move("Old", "New"));
      assert.equal(store.text("A.md"), "[[New]]");
      await notes.close();
    });
  }
});

Deno.test("progress is told while pages are read and changed", async () => {
  const files: Record<string, string> = { "Old.md": "x" };
  for (let page = 0; page < 250; page++) files[`P${page}.md`] = page < 3 ? "[[Old]]" : "";
  await withNotes({ files }, async ({ notes, caller }) => {
    const told: string[] = [];
    const report = ({ done, total, message }: { done: number; total: number; message: string }) =>
      told.push(`${message} ${done}/${total}`);
    await notes.move(caller(), move("Old", "New", { report }));
    assert.deepEqual(told, [
      "Reading pages 100/250",
      "Reading pages 200/250",
      "Changing links 1/3",
      "Changing links 2/3",
      "Changing links 3/3",
    ]);
  });
});

Deno.test("the answer stays small however many pages change, and says how many there are", async () => {
  const files: Record<string, string> = { "Old.md": "x" };
  for (let page = 0; page < 900; page++) {
    files[`Folder/Linking page ${page}.md`] = `${"word ".repeat(30)} [[Old]]`;
  }
  await withNotes({ files }, async ({ notes, caller }) => {
    const answer = await notes.move(caller(), move("Old", "New", { dryRun: true }));
    assert(JSON.stringify(answer).length < 20_000);
    assert.equal(answer.pages, 900);
    const named = answer.changes.length + (answer.more_pages?.length ?? 0) + (answer.unnamed_pages ?? 0);
    assert.equal(named, 900);
  });
});

Deno.test("a moved page is read under its new name at once, and missed under the old one", async () => {
  await withNotes({ files: { "Old.md": "text" } }, async ({ notes, caller }) => {
    await notes.read(caller(), readRequest("Old"));
    await notes.move(caller(), move("Old", "New"));
    assert.equal((await notes.read(caller(), readRequest("New"))).text, "text");
    await assert.rejects(notes.read(caller(), readRequest("Old")), refusal("not_found"));
  });
});

Deno.test("move leaves the links of a page of megabytes and says so", async () => {
  const long = `[[Old]]\n${">>>>>>> quoted\n".repeat(100_000)}`;
  await withNotes({ files: { "Old.md": "x", "Long.md": long } }, async ({ notes, caller, store }) => {
    const answer = await notes.move(caller(), move("Old", "New"));
    assert.equal(store.text("Long.md"), long);
    assert.equal(store.text("New.md"), "x");
    assert.deepEqual(answer.unchanged_links?.map(({ page }) => page), ["Long"]);
    assert.match(answer.unchanged_links?.[0]?.reason ?? "", /too large/);
  });
});

Deno.test("move makes no twin of a page that another process made while the move was planned", async () => {
  const between = { act: () => Promise.resolve() };
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    meta: (path, options) => store.meta(path, options),
    read: (path, options) => store.read(path, options),
    write: (path, bytes, options) => store.write(path, bytes, options),
    delete: (path, options) => store.delete(path, options),
    async list(options) {
      const entries = await store.list(options);
      const { act } = between;
      between.act = () => Promise.resolve();
      await act();
      return entries;
    },
  });
  for (const withState of [true, false]) {
    await withNotes({ files: { "A.md": "a" }, wrap, withState }, async ({ notes, caller, store, state }) => {
      const other = openTestNotes(store, { state: withState ? state : null });
      between.act = async () => {
        await other.create(caller(), { page: "PLAN", content: "theirs", dryRun: false });
      };
      await assert.rejects(notes.move(caller(), move("A", "Plan")), refusal("already_exists"));
      assert.deepEqual(await texts(store), { "A.md": "a", "PLAN.md": "theirs" });
      await other.close();
    });
  }
});
