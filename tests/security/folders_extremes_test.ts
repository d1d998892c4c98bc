/** Folders of the running program at the edges: sizes, depths, permissions, and things that never answer. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { mcpRequest, type Program, withProgram } from "../support/app.ts";
import { type FolderAnswer, overMcp } from "../support/folder_callers.ts";
import { run } from "../support/hostile_tree.ts";

interface Found {
  readonly program: Program;
  readonly root: string;
  call(tool: string, args: Record<string, unknown>): Promise<FolderAnswer>;
}

async function withRoot(
  plant: (root: string) => Promise<void>,
  work: (found: Found) => Promise<void>,
  options: { readonly wrapper?: readonly string[] } = {},
): Promise<void> {
  const place = await Deno.realPath(await Deno.makeTempDir({ prefix: "silverbridge-extremes-" }));
  const root = `${place}/R`;
  try {
    await Deno.mkdir(root);
    await plant(root);
    await withProgram({ ...options, env: { SILVERBRIDGE_ROOTS: `r=${root}` } }, async (program) => {
      const { call } = overMcp(program);
      await work({
        program,
        root,
        call: async (tool, args) => {
          const answer = await call(tool, { root: "r", ...args });
          assert.ok(answer !== null);
          return answer;
        },
      });
    });
  } finally {
    // Deeper than a path can be, which the system's own tool knows how to remove.
    await run(place, "chmod -R u+rwx R; rm -rf R");
    await Deno.remove(place, { recursive: true });
  }
}

/** Resident memory of the program in MB, the highest there was. */
async function peakMegabytes({ pid }: Program): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function openDescriptors({ pid }: Program): Promise<number> {
  return (await Array.fromAsync(Deno.readDir(`/proc/${pid}/fd`))).length;
}

/** A file of that many bytes that takes no space, with a text at its end. */
async function sparse(path: string, size: number, end: string): Promise<void> {
  using file = await Deno.open(path, { write: true, create: true });
  await file.truncate(size - end.length);
  await file.seek(0, Deno.SeekMode.End);
  await file.write(new TextEncoder().encode(end));
}

Deno.test("a line of 600 MB is read at both ends in bounded memory", async () => {
  cites("folders.bounded");
  const size = 600 * 1024 ** 2;
  const plant = async (root: string) => {
    await run(root, "head -c 629145600 /dev/zero | tr '\\0' x > line.txt; printf ' needle' >> line.txt");
  };
  await withRoot(plant, async ({ program, call }) => {
    await call("read_file", { path: "line.txt", max_chars: 10 });
    const before = await peakMegabytes(program);
    const line = { path: "line.txt" };
    const range = await call("read_file_range", { ...line, start_line: 1, line_count: 1, max_chars: 1000 });
    assert.deepEqual([range.json["truncated"], range.json["next_offset"], range.json["eof"]], [
      true,
      1000,
      false,
    ]);
    const second = await call("read_file_range", { ...line, start_line: 2, line_count: 1 });
    assert.deepEqual([second.json["eof"], second.json["lines_returned"]], [true, 0]);
    const tail = await call("tail_file", { ...line, last_lines: 1, max_chars: 8 });
    assert.deepEqual([tail.json["content"], tail.json["starts_mid_line"]], ["x needle", true]);
    const middle = await call("read_file", { ...line, offset: size - 4, max_chars: 100 });
    assert.equal(middle.json["content"], "xxxx needle");
    let [cursor, hits, pages]: [unknown, unknown[], number] = [undefined, [], 0];
    do {
      const found = await call("search_files", {
        ...line,
        q: "NEEDLE",
        ...(cursor === undefined ? {} : { cursor }),
      });
      hits = [...hits, ...found.json["matches"] as unknown[]];
      cursor = found.json["next_cursor"];
      pages++;
    } while (cursor !== undefined && pages < 100);
    const [hit] = hits as { line: number; column: number; text: string }[];
    assert.deepEqual([hits.length, hit?.line, hit?.column], [1, 1, size + 2]);
    assert.ok((hit?.text.length ?? 0) <= 400);
    const grown = await peakMegabytes(program) - before;
    assert.ok(grown < 100, `${grown} MB more`);
  });
});

Deno.test("a sparse file of 1 TiB is read where it is asked for, and looking for a late line in it ends", async () => {
  cites("folders.bounded");
  const size = 1024 ** 4;
  await withRoot((root) => sparse(`${root}/huge.log`, size, "\nend"), async ({ call }) => {
    const info = await call("get_file_info", { path: "huge.log" });
    assert.deepEqual([info.json["size"], info.json["readable_as"]], [size, "binary"]);
    const utf16 = { path: "huge.log", encoding: "utf-16le" };
    const tail = await call("tail_file", { ...utf16, last_lines: 1, max_chars: 100 });
    assert.equal(tail.code, null);
    const range = await call("read_file_range", { ...utf16, start_line: 2, line_count: 1 });
    assert.deepEqual([range.json["truncated"], range.json["reason"]], [true, "scan-limit"]);
    const part = await call("read_file", { ...utf16, offset: size - 100, max_chars: 10 });
    assert.deepEqual([part.json["truncated"], part.json["next_offset"]], [true, size - 80]);
  });
});

Deno.test("a folder of 100,000 entries is listed and searched to its end while others are answered", async () => {
  cites("folders.bounded", "folders.others-served");
  const plant = (root: string) =>
    run(
      root,
      "mkdir many; cd many; seq 1 100000 | sed 's/.*/f&.txt/' | xargs touch; echo needle > f99999.txt",
    );
  await withRoot(plant, async ({ program, call }) => {
    let isOver = false;
    const probing = (async () => {
      let slowest = 0;
      while (!isOver) {
        const started = performance.now();
        assert.equal(await (await fetch(`${program.url}/healthz`)).text(), '{"ok":true}');
        slowest = Math.max(slowest, performance.now() - started);
      }
      return slowest;
    })();
    try {
      const seen = new Set<string>();
      let cursor: unknown;
      for (let pages = 0; pages < 3 && (pages === 0 || cursor !== undefined); pages++) {
        const { json } = await call("list_files", {
          path: "many",
          ...(cursor === undefined ? {} : { cursor }),
        });
        for (const { name } of json["entries"] as { name: string }[]) seen.add(name);
        cursor = json["next_cursor"];
      }
      assert.equal(seen.size, 3000);
      const hits: unknown[] = [];
      cursor = undefined;
      do {
        const { json } = await call("search_files", {
          path: "many",
          q: "needle",
          glob: "f99*",
          ...(cursor === undefined ? {} : { cursor }),
        });
        hits.push(...json["matches"] as unknown[]);
        cursor = json["next_cursor"];
      } while (cursor !== undefined);
      assert.equal(hits.length, 1);
    } finally {
      isOver = true;
    }
    // The figure to reach is 100 ms; this only tells serving from not serving.
    assert.ok(await probing < 2000, `${await probing} ms without an answer`);
  });
});

Deno.test("a tree deeper than any path can spell is walked as far as paths go, and the rest is counted", async () => {
  cites("folders.bounded");
  const plant = async (root: string) => {
    const step = Array<string>(500).fill("d").join("/");
    await Deno.mkdir(`${root}/${step}`, { recursive: true });
    for (let depth = 500; depth < 10_000; depth += 500) {
      await Deno.mkdir(`${root}/new/${step}`, { recursive: true });
      await Deno.rename(`${root}/d`, `${root}/new/${step}/d`);
      await Deno.rename(`${root}/new/d`, `${root}/d`);
      await Deno.remove(`${root}/new`);
    }
    await Deno.writeTextFile(`${root}/top.txt`, "needle\n");
    for (const depth of [100, 400]) {
      await Deno.writeTextFile(`${root}/${"d/".repeat(depth)}deep.txt`, "needle\n");
    }
  };
  await withRoot(plant, async ({ call }) => {
    const found = async (path: string) => {
      const { json } = await call("search_files", { path, q: "needle" });
      assert.equal(json["truncated"], false, path);
      return [(json["matches"] as { ref: string }[]).map(({ ref }) => ref), json["skipped"]];
    };
    assert.deepEqual(await found("."), [["r/top.txt"], { too_deep: 1 }]);
    assert.deepEqual(await found("d/".repeat(60)), [[`r/${"d/".repeat(100)}deep.txt`], { too_deep: 1 }]);
    assert.deepEqual(await found("d/".repeat(508)), [[], { unaddressable: 1 }]);
    assert.equal(
      (await call("read_file", { path: `${"d/".repeat(400)}deep.txt` })).json["content"],
      "needle\n",
    );
    assert.equal((await call("list_files", { path: "d/".repeat(511) })).code, null);
    assert.equal((await call("list_files", { path: "d/".repeat(513) })).code, "invalid-params");
  });
});

Deno.test("a flood of calls for pipes keeps nobody waiting", async () => {
  cites("folders.others-served");
  await withRoot(
    (root) => run(root, "for i in $(seq 1 40); do mkfifo p$i.md; done; echo x > a.txt"),
    async ({ program, call }) => {
      for (let round = 0; round < 6; round++) {
        const flood = Array.from(
          { length: 100 },
          (_, index) =>
            call(["read_file", "tail_file", "get_file_info"][index % 3] ?? "", {
              path: `p${1 + index % 40}.md`,
              ...(index % 3 === 1 ? { last_lines: 1 } : {}),
            }),
        );
        assert.equal((await call("read_file", { path: "a.txt" })).json["content"], "x\n");
        assert.equal((await (await fetch(`${program.url}/readyz`)).text()).includes("true"), true);
        assert.deepEqual(
          new Set((await Promise.all(flood)).map(({ code }) => code)),
          new Set(["file-not-found"]),
        );
      }
      const { json } = await call("search_files", { q: "x" });
      assert.equal((json["matches"] as unknown[]).length, 1);
    },
  );
});

Deno.test("what the operating system forbids is told by its code, and everything else goes on", async () => {
  cites("folders.bounded");
  const plant = (root: string) =>
    run(
      root,
      "echo x > a.txt; echo x > none.txt; chmod 000 none.txt; mkdir shut listable; echo x > shut/b.txt; echo x > listable/c.txt; chmod 000 shut; chmod 444 listable",
    );
  // The superuser reads everything, unless that is taken away.
  const wrapper = Deno.uid() === 0
    ? [
      "setpriv",
      "--bounding-set=-dac_override,-dac_read_search",
      "--inh-caps=-dac_override,-dac_read_search",
    ]
    : [];
  await withRoot(plant, async ({ call }) => {
    for (const path of ["none.txt", "shut/b.txt", "listable/c.txt"]) {
      assert.equal((await call("read_file", { path })).code, "permission-denied", path);
    }
    assert.equal((await call("list_files", { path: "shut" })).code, "permission-denied");
    const names = async (path: string) =>
      ((await call("list_files", { path })).json["entries"] as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(await names("."), ["a.txt", "listable", "none.txt", "shut"]);
    assert.deepEqual(await names("listable"), ["c.txt"]);
    const { json } = await call("search_files", { q: "x" });
    assert.deepEqual([(json["matches"] as unknown[]).length, json["skipped"]], [1, { unreadable: 3 }]);
  }, { wrapper });
});

Deno.test("a file that grows, shrinks or goes while it is read breaks nothing", async () => {
  cites("folders.bounded");
  await withRoot((root) => run(root, "echo start > a.log"), async ({ root, call }) => {
    let isOver = false;
    const changing = (async () => {
      for (let round = 0; !isOver; round++) {
        if (round % 7 === 0) await Deno.writeTextFile(`${root}/a.log`, "start\n");
        else if (round % 11 === 0) await Deno.remove(`${root}/a.log`);
        else await Deno.writeTextFile(`${root}/a.log`, "line\n".repeat(round % 500), { append: true });
      }
    })();
    const codes = new Set<string | null>();
    try {
      for (let round = 0; round < 300; round++) {
        const answers = await Promise.all([
          call("tail_file", { path: "a.log", last_lines: 3 }),
          call("read_file", { path: "a.log", max_chars: 100 }),
          call("read_file_range", { path: "a.log", start_line: 2, line_count: 2 }),
          call("search_files", { path: "a.log", q: "line" }),
        ]);
        for (const { code } of answers) codes.add(code);
      }
    } finally {
      isOver = true;
      await changing;
    }
    for (const code of codes) {
      assert.ok([null, "file-not-found", "permission-denied"].includes(code), `${code}`);
    }
    assert.ok(codes.has(null));
  });
});

Deno.test("callers who hang up leave no file open", async () => {
  cites("folders.bounded");
  const plant = (root: string) =>
    run(root, "for i in $(seq 1 300); do head -c 300000 /dev/zero | tr '\\0' y > f$i.txt; done");
  await withRoot(plant, async ({ program, call }) => {
    await call("search_files", { q: "z" });
    const before = await openDescriptors(program);
    await Promise.all(Array.from({ length: 100 }, async (_, index) => {
      const params = index % 2 === 0
        ? { name: "search_files", arguments: { root: "r", q: "z" } }
        : { name: "read_file", arguments: { root: "r", path: `f${index}.txt` } };
      const request = mcpRequest(program.url, { method: "tools/call", params });
      try {
        const signal = AbortSignal.timeout(1 + index % 40);
        await (await fetch(request, { signal })).body?.cancel();
      } catch {
        // Meant.
      }
    }));
    await call("search_files", { q: "z" });
    let after = await openDescriptors(program);
    for (let tries = 0; tries < 100 && after > before + 2; tries++) {
      await call("list_files", {});
      after = await openDescriptors(program);
    }
    assert.ok(after <= before + 2, `${after - before} more are open`);
    assert.equal(
      program.log.includes('"incident"'),
      false,
      program.log.split("\n").find((line) => line.includes("incident")),
    );
  });
});
