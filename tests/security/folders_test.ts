/** Allowlisted folders of the running program, with its real permissions, against a tree that is out to get past them. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { mcpRequest, type Program, root as projectRoot, token, withProgram } from "../support/app.ts";
import { assertSilent, overMcp } from "../support/folder_callers.ts";
import { argumentCases, type FolderCase, openCases, pathCases } from "../support/folder_cases.ts";
import { canary } from "../support/folders.ts";
import {
  type HostileTree,
  openFiles,
  openText,
  secretText,
  withHostileTree,
} from "../support/hostile_tree.ts";

type Call = (
  tool: string,
  args: Record<string, unknown>,
) => ReturnType<ReturnType<typeof overMcp>["call"]> & object;

async function withHostileProgram(
  work: (
    found: { readonly program: Program; readonly tree: HostileTree; readonly call: Call },
  ) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await withHostileTree(async (tree) => {
    const roots = { SILVERBRIDGE_ROOTS: `r=${tree.root};b=${tree.other}` };
    await withProgram({ env: { ...roots, ...env } }, async (program) => {
      const call = overMcp(program).call as Call;
      await work({ program, tree, call });
      assertSilent(program.log, tree.place, "the log");
    });
  });
}

async function runCases(cases: readonly FolderCase[], call: Call, place: string): Promise<void> {
  for (let at = 0; at < cases.length; at += 8) {
    await Promise.all(
      cases.slice(at, at + 8).map(async ({ about, tool, args, codes }) => {
        const { code, raw } = await call(tool, { ...args });
        assert.ok(
          codes.includes(code),
          `${tool}, ${about}: ${code} instead of ${codes.join(" or ")}: ${raw.slice(0, 300)}`,
        );
        assertSilent(raw, place, `${tool}, ${about}`);
      }),
    );
  }
}

Deno.test("no path, root or argument leads out of a root or to what is hidden, over /mcp", async () => {
  cites("folders.contained");
  const cases = [...pathCases(), ...argumentCases()];
  assert.ok(cases.length > 900, `${cases.length}`);
  await withHostileProgram(async ({ tree, call }) => {
    await runCases(cases, call, tree.place);
  });
});

Deno.test("every ordinary file is read to the byte by its exact name, over /mcp", async () => {
  cites("folders.names");
  await withHostileProgram(async ({ tree, call }) => {
    await runCases(openCases(), call, tree.place);
    for (const [path, text] of Object.entries(openFiles)) {
      const { json } = await call("read_file", { root: "r", path });
      assert.equal(json["content"], text);
      assert.equal(json["ref"], `r/${path}`);
    }
    for (const path of ["./a.txt", "sub/./b.txt", "sub//b.txt", "in-file", "in-folder/b.txt"]) {
      assert.match(
        String((await call("read_file", { root: "r", path })).json["content"]),
        /^open text of/,
        path,
      );
    }
    for (const path of ["", ".", "./", "/", "sub/", "in-folder/"]) {
      assert.equal((await call("list_files", { root: "r", path })).code, null, path);
      assert.equal((await call("get_file_info", { root: "r", path })).json["type"], "directory", path);
      const refused = await call("read_file", { root: "r", path });
      assert.deepEqual([refused.code, refused.detail], ["invalid-argument", "not-a-file"], path);
    }
    const missed = await call("read_file", { root: "r", path: "only-\u00e9.txt" });
    assert.equal(missed.code, "file-not-found", "a name in another Unicode form is offered, not opened");
    assert.deepEqual(missed.json["close"], ["r/only-e\u0301.txt"]);
  });
});

Deno.test("listings and searches show what may be read and nothing else, over /mcp", async () => {
  cites("folders.contained", "folders.names");
  await withHostileProgram(async ({ tree, call }) => {
    const seen: string[] = [];
    for (const folders = ["."]; folders.length > 0;) {
      const path = folders.shift() ?? "";
      const { json, raw } = await call("list_files", { root: "r", path });
      assertSilent(raw, tree.place, `the listing of ${path}`);
      for (
        const entry of json["entries"] as { name: string; ref: string; type: string; unsafe_name?: boolean }[]
      ) {
        if (entry.type === "directory") folders.push(entry.ref.slice(2));
        if (entry.type === "file") seen.push(entry.ref.slice(2));
        if (entry.type === "symlink") assert.match(entry.name, /^in-/);
        assert.equal(
          entry.unsafe_name ?? false,
          /[\p{Cc}\u2028\u202e\u{e0041}]/u.test(entry.name),
          entry.name,
        );
      }
    }
    assert.deepEqual(seen.toSorted(), Object.keys(openFiles).toSorted());
    const root = (await call("list_files", { root: "r" })).json;
    assert.equal(root["skipped_undecodable"], 3);
    assert.equal(root["skipped_unaddressable"], 2);
    for (const q of [canary, secretText, "root:x", "in the other root"]) {
      const { json } = await call("search_files", { root: "r", q });
      assert.deepEqual([json["matches"], json["truncated"]], [[], false], q);
      assert.equal(Object.hasOwn(json["skipped"] as object, "excluded"), false, "no hint at what is hidden");
    }
    const { json } = await call("search_files", { root: "r", q: openText });
    const refs = (json["matches"] as { ref: string }[]).map(({ ref }) => ref);
    assert.deepEqual(refs.toSorted(), Object.keys(openFiles).map((path) => `r/${path}`).toSorted());
    assert.deepEqual(
      (await call("search_files", { root: "r", q: openText })).json["matches"],
      json["matches"],
      "in one order",
    );
    const several = await call("read_multiple_files", {
      root: "r",
      paths: ["a.txt", ".env", "out", "bad-\ufffd.txt", "../O/canary.txt", "nope"],
    });
    assert.deepEqual((several.json["files"] as { error?: string }[]).map(({ error }) => error ?? null), [
      null,
      ...Array(4).fill("path-excluded"),
      "file-not-found",
    ]);
  });
});

Deno.test("half a surrogate pair in a request is refused before anything is looked for", async () => {
  cites("folders.names");
  await withHostileProgram(async ({ program, tree }) => {
    const request = mcpRequest(program.url, { method: "tools/call" });
    for (const place of ['"path":"?.txt"', '"path":"a.txt","max_chars":"?"', '"?":1']) {
      const args = `{"root":"r",${place.replace("?", "\\udcff")}}`;
      const body =
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":${args}}}`;
      const response = await fetch(
        new Request(request.url, { method: "POST", headers: request.headers, body }),
      );
      const raw = await response.text();
      assert.equal(response.status, 400, raw);
      assertSilent(raw, tree.place, "a lone surrogate");
    }
  });
});

for (const [kind, path] of [["file", "flip.txt"], ["folder", "flip"]] as const) {
  Deno.test(`a ${kind} that is swapped for a link while it is read never shows what is outside`, async () => {
    cites("folders.races");
    await withHostileProgram(async ({ tree, call }) => {
      const [inside, target] = kind === "file"
        ? [`${tree.root}/flip.txt`, `${tree.outside}/canary.txt`]
        : [`${tree.root}/flip/canary.txt`, tree.outside];
      if (kind === "folder") await Deno.mkdir(`${tree.root}/flip`);
      await Deno.writeTextFile(inside, openText);
      const flipper = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "tests/support/flipper.ts", kind, `${tree.root}/${path}`, target, "50000"],
        cwd: projectRoot,
        stderr: "inherit",
      }).spawn();
      let isOver = false;
      const status = flipper.status.then((ended) => {
        isOver = true;
        return ended;
      });
      const asked = kind === "file" ? path : "flip/canary.txt";
      const outcomes = new Map<string, number>();
      const read = async (tool: string, args: Record<string, unknown>) => {
        while (!isOver) {
          const { code, raw } = await call(tool, args);
          assertSilent(raw, tree.place, `${tool} in a race`);
          outcomes.set(`${tool} ${code}`, (outcomes.get(`${tool} ${code}`) ?? 0) + 1);
        }
      };
      try {
        await Promise.all([
          read("read_file", { root: "r", path: asked }),
          read("read_file", { root: "r", path: asked }),
          read("tail_file", { root: "r", path: asked, last_lines: 1 }),
          read("get_file_info", { root: "r", path: asked }),
          read("list_files", { root: "r", path: kind === "file" ? "." : "flip" }),
          read("read_multiple_files", { root: "r", paths: Array(10).fill(asked) }),
          read("search_files", { root: "r", path: kind === "file" ? "." : "flip", q: "CANARY" }),
        ]);
      } finally {
        if (!isOver) flipper.kill("SIGKILL");
        await status;
      }
      assert.equal((await status).success, true);
      const reads = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
      assert.ok(reads > 100, `only ${reads} reads`);
      const { json } = await call("read_file", { root: "r", path: asked });
      assert.equal(json["content"], openText, "and when it holds still it is read");
    });
  });
}

Deno.test("hard links are read unless the operator refuses them", async () => {
  cites("folders.contained");
  await withHostileProgram(async ({ tree, call }) => {
    await Deno.link(`${tree.outside}/canary.txt`, `${tree.root}/hard.txt`);
    for (const tool of ["read_file", "tail_file", "get_file_info"]) {
      const { code, raw } = await call(tool, {
        root: "r",
        path: "hard.txt",
        ...(tool === "tail_file" ? { last_lines: 1 } : {}),
      });
      assert.equal(code, "path-excluded", tool);
      assertSilent(raw, tree.place, tool);
    }
    assert.deepEqual((await call("search_files", { root: "r", q: canary })).json["matches"], []);
  }, { SILVERBRIDGE_REFUSE_HARD_LINKS: "on" });
});

Deno.test("a token that may read one root cannot tell the other from one that is not there", async () => {
  cites("folders.contained");
  await withHostileProgram(async ({ tree, call }) => {
    const there = await call("read_file", { root: "b", path: "b.txt" });
    assert.equal(there.json["content"], "in the other root");
    const { raw } = await call("read_file", { root: "nowhere", path: "b.txt" });
    assert.equal(raw.includes(token), false);
    assertSilent(raw, tree.place, "an unknown root");
  });
});
