import assert from "node:assert/strict";
import { cites } from "../../tests/requirements.ts";
import { canary, refusalOf, usualLimits, whole, withFolders } from "../../tests/support/folders.ts";
import { silentLogger } from "../core/log.ts";
import type { ReadAnswer } from "./answers.ts";
import { openFolders } from "./folders.ts";
import { systemDisk } from "./resolve.ts";

Deno.test("read() follows next_offset through a whole file, whatever the limit", async () => {
  const text = "a\r\nbé漢😀\n".repeat(40);
  await withFolders({ "t.txt": text, "bom.txt": `\ufeff${text}` }, async ({ folders, caller }) => {
    for (const path of ["t.txt", "bom.txt"]) {
      for (const maxChars of [1, 2, 3, 7, 64, 1000]) {
        let [content, offset] = ["", 0];
        for (;;) {
          const part = await folders.read(caller, {
            ...whole,
            root: "r",
            path,
            maxChars,
            offset,
          }) as ReadAnswer;
          assert.equal(part.limits.returned_chars, [...part.content].length);
          assert.ok(part.limits.returned_chars <= maxChars && part.content.isWellFormed());
          content += part.content;
          if (!part.truncated) break;
          assert.ok((part.next_offset ?? 0) > offset);
          offset = part.next_offset ?? 0;
        }
        assert.equal(content, text);
      }
    }
  });
});

Deno.test("a limit that is met exactly cuts nothing, one below does", async () => {
  await withFolders({ "t.txt": "abcd" }, async ({ folders, caller }) => {
    const read = async (maxChars: number) =>
      await folders.read(caller, { ...whole, root: "r", path: "t.txt", maxChars }) as ReadAnswer;
    assert.equal((await read(4)).truncated, false);
    assert.deepEqual([(await read(3)).content, (await read(3)).next_offset], ["abc", 3]);
    assert.equal((await read(500_000)).limits.max_chars, usualLimits.readMaxChars);
  });
});

Deno.test("range, tail and search number lines alike: only LF ends one", async () => {
  const text = "one\r\ntwo\rstill two\u2028still\nthree\x0b\x0c\x85\nfour";
  await withFolders({ "t.txt": text, "u.txt": `${text}\n`, "e.txt": "" }, async ({ folders, caller }) => {
    const range = (path: string, startLine: number, lineCount: number, maxChars: number | null = null) =>
      folders.readRange(caller, { root: "r", path, startLine, lineCount, maxChars, encoding: null });
    const lines = text.split("\n");
    for (const [index, line] of lines.entries()) {
      const answer = await range("t.txt", index + 1, 1);
      assert.equal(answer.content.replace(/\n$/, ""), line);
      assert.deepEqual([answer.start_line, answer.end_line, answer.lines_returned], [
        index + 1,
        index + 1,
        1,
      ]);
      assert.equal(answer.eof, index === 3);
    }
    assert.deepEqual(
      [(await range("u.txt", 5, 1)).lines_returned, (await range("u.txt", 5, 1)).eof],
      [0, true],
    );
    assert.equal((await range("t.txt", 1_000_000, 1)).eof, true);
    assert.deepEqual(await range("e.txt", 1, 1).then((a) => [a.content, a.eof, a.end_line]), ["", true, 0]);
    const cut = await range("t.txt", 2, 2, 5);
    assert.deepEqual([cut.content, cut.truncated, cut.next_offset], ["two\rs", true, 10]);
    assert.equal((await range("t.txt", 2, 1)).truncated, false);
    const { matches } = await folders.search(caller, {
      ...{ root: "r", path: "t.txt", q: "r", glob: null, caseSensitive: true, maxChars: null },
      ...{ encoding: null, cursor: null },
    });
    assert.deepEqual(matches.map(({ line, column }) => [line, column]), [[3, 3], [4, 4]]);
    for (const [lastLines, content] of [[1, "four"], [2, "three\x0b\x0c\x85\nfour"], [9, text]] as const) {
      const tail = await folders.tail(caller, {
        root: "r",
        path: "t.txt",
        lastLines,
        maxChars: null,
        encoding: null,
      });
      assert.equal(tail.content, content);
      assert.deepEqual([tail.starts_mid_line, tail.truncated], [false, false]);
    }
    const tail = await folders.tail(caller, {
      root: "r",
      path: "u.txt",
      lastLines: 1,
      maxChars: null,
      encoding: null,
    });
    assert.equal(tail.content, "four\n");
  });
});

Deno.test("tail() ends with the last characters of a long line and says that it begins inside", async () => {
  const line = "é😀".repeat(50_000);
  await withFolders({ "t.txt": `first\n${line}` }, async ({ folders, caller }) => {
    for (const maxChars of [1, 2, 3, 1001]) {
      const tail = await folders.tail(caller, {
        root: "r",
        path: "t.txt",
        lastLines: 1,
        maxChars,
        encoding: null,
      });
      assert.equal(tail.content, [...line].slice(-maxChars).join(""));
      assert.deepEqual([tail.starts_mid_line, tail.truncated, tail.lines_returned], [true, true, 1]);
      const rest = await folders.read(caller, {
        ...whole,
        root: "r",
        path: "t.txt",
        offset: tail.offset,
      }) as ReadAnswer;
      assert.equal(rest.content, tail.content);
    }
  });
});

Deno.test("tail() says at which byte its content begins, in older encodings and between bad bytes too", async () => {
  const files = {
    "gbk.txt": new Uint8Array(Array.from({ length: 40 }, () => [0x41, 0xc4, 0xe3]).flat()),
    "bad.txt": new Uint8Array([0x61, 0xff, ...new TextEncoder().encode("é😀".repeat(40))]),
  };
  await withFolders(files, async ({ folders, caller }) => {
    const tables = [["gbk.txt", "gbk", 118, "你"], ["bad.txt", null, 238, "😀"]] as const;
    for (const [path, encoding, offset, content] of tables) {
      const tail = (maxChars: number) =>
        folders.tail(caller, { root: "r", path, lastLines: 1, maxChars, encoding });
      assert.deepEqual(await tail(1).then((a) => [a.offset, a.content]), [offset, content]);
      for (const maxChars of [2, 3, 31, 79]) {
        const { offset, content } = await tail(maxChars);
        const rest = await folders.read(caller, { ...whole, root: "r", path, encoding, offset });
        assert.equal((rest as ReadAnswer).content, content, `${path} ${maxChars}`);
      }
    }
  });
});

Deno.test("tail() begins with a whole character where only the start of the line tells where one begins", async () => {
  // An odd byte at each end: a window from the end begins inside a character.
  const line = (lead: number, trail: number) =>
    new Uint8Array([0x61, ...Array.from({ length: 4000 }, () => [lead, trail]).flat(), 0x62]);
  const files = { "gbk.txt": line(0xc4, 0xe3), "jis.txt": line(0x93, 0xfa), "kr.txt": line(0xb0, 0xa1) };
  await withFolders(files, async ({ folders, caller }) => {
    const tables = [["gbk.txt", "gbk", "你"], ["jis.txt", "shift_jis", "日"], [
      "kr.txt",
      "euc-kr",
      "가",
    ]] as const;
    for (const [path, encoding, char] of tables) {
      const tail = await folders.tail(caller, { root: "r", path, lastLines: 1, maxChars: 10, encoding });
      assert.deepEqual([tail.content, tail.offset], [`${char.repeat(9)}b`, 8002 - 19], encoding);
      assert.deepEqual([tail.starts_mid_line, tail.truncated], [true, true]);
    }
  });
});

Deno.test("characters that straddle every border of a window come out whole", async () => {
  for (
    const [char, border] of ["é", "漢", "😀"].flatMap((char) =>
      [128, 256].map((kb) => [char, kb * 1024] as const)
    )
  ) {
    for (const shift of [-4, -3, -2, -1, 0, 1]) {
      const text = `${"x".repeat(border + shift)}${char}needle\nend`;
      await withFolders({ "t.txt": text }, async ({ folders, caller }) => {
        const { matches } = await folders.search(caller, {
          ...{ root: "r", path: ".", q: `${char}needle`, glob: null, caseSensitive: false, maxChars: null },
          ...{ encoding: null, cursor: null },
        });
        assert.deepEqual(matches.map(({ line, column }) => [line, column]), [[1, border + shift + 1]]);
        const range = await folders.readRange(caller, {
          ...{ root: "r", path: "t.txt", startLine: 2, lineCount: 1, maxChars: null, encoding: null },
        });
        assert.equal(range.content, "end");
      });
    }
  }
});

Deno.test("other encodings are read by their mark or by name, and what is replaced is counted", async () => {
  const utf16 = new Uint8Array([0xff, 0xfe, 0x61, 0, 0x0a, 0, 0x3d, 0xd8, 0, 0xde]);
  const files = {
    "utf16.txt": utf16,
    "gbk.txt": new Uint8Array([0xc4, 0xe3, 0xba, 0xc3, 0x0a]),
    "bad.txt": new Uint8Array([0x61, 0xff, 0xe2, 0x82]),
    "bin.txt": new Uint8Array([0x61, 0, 0x62]),
    "zeros.txt": new Uint8Array(100),
    "ones.txt": new Uint8Array(1_000_000).fill(0xff),
    "only-bom.txt": new Uint8Array([0xef, 0xbb, 0xbf]),
  };
  await withFolders(files, async ({ folders, caller }) => {
    const read = async (path: string, encoding: "gbk" | "utf-16le" | null = null) =>
      await folders.read(caller, { ...whole, root: "r", path, encoding }) as ReadAnswer;
    const marked = await read("utf16.txt");
    assert.deepEqual([marked.content, marked.encoding, marked.had_bom], ["a\n😀", "utf-16le", true]);
    assert.equal((await read("gbk.txt", "gbk")).content, "你好\n");
    assert.ok((await read("gbk.txt")).replacements);
    assert.deepEqual([(await read("bad.txt")).content, (await read("bad.txt")).replacements], [
      "a\ufffd\ufffd",
      2,
    ]);
    assert.deepEqual([(await read("only-bom.txt")).content, (await read("only-bom.txt")).truncated], [
      "",
      false,
    ]);
    for (const path of ["bin.txt", "zeros.txt", "ones.txt"]) {
      assert.equal(await refusalOf(() => read(path)), "invalid-argument binary-file", path);
    }
    const tail = await folders.tail(caller, {
      root: "r",
      path: "utf16.txt",
      lastLines: 1,
      maxChars: null,
      encoding: null,
    });
    assert.equal(tail.content, "😀");
    const range = await folders.readRange(caller, {
      ...{ root: "r", path: "utf16.txt", startLine: 2, lineCount: 1, maxChars: null, encoding: null },
    });
    assert.equal(range.content, "😀");
  });
});

Deno.test("list() gives every entry of a folder once, in order, page by page", async () => {
  const names = Array.from({ length: 250 }, (_, index) => `f${index}.txt`);
  const files = Object.fromEntries(
    [...names, "😀.txt", "\ufb00.txt", "sub/x", ".env", "a:b"].map((name) => [name, "x"]),
  );
  const options = { limits: { ...usualLimits, listMaxEntries: 17 } };
  await withFolders(files, async ({ folders, caller, root, outside }) => {
    await Deno.symlink("f1.txt", `${root}/link`);
    await Deno.symlink(`${outside}/canary.txt`, `${root}/leak`);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await folders.list(caller, { root: "r", path: ".", cursor });
      assert.ok(page.entries.length <= 17);
      assert.equal(page.skipped_unaddressable, 1);
      seen.push(...page.entries.map(({ name }) => name));
      cursor = page.next_cursor ?? null;
    } while (cursor !== null);
    const wanted = [...names, "link", "sub"].toSorted();
    assert.deepEqual(seen, [...wanted, "\ufb00.txt", "😀.txt"]);
  }, options);
});

Deno.test("readMany() spends one budget in order, and a budget met exactly cuts nothing", async () => {
  await withFolders({ "a.txt": "😀".repeat(10), "b.txt": "bb" }, async ({ folders, caller }) => {
    const read = (paths: readonly string[], maxChars: number) =>
      folders.readMany(caller, { root: "r", paths, maxChars });
    // path 5, ref 7, content 10 and 2, allowance 64 each
    const exact = 2 * (5 + 7 + 64) + 12;
    assert.deepEqual(
      await read(["a.txt", "b.txt"], exact).then((a) => [a.truncated, a.limits.used_payload_chars]),
      [
        false,
        exact,
      ],
    );
    const short = await read(["a.txt", "b.txt"], exact - 1);
    assert.deepEqual([short.truncated, short.files[1]?.content, short.files[1]?.truncated], [
      true,
      "b",
      true,
    ]);
    const none = await read(["a.txt", "b.txt"], 90);
    assert.deepEqual([none.files.length, none.omitted, none.truncated], [1, 1, true]);
    const failed = await read(["no.txt", "../x", ".env", "a.txt"], 1000);
    assert.deepEqual(failed.files.map(({ error }) => error), [
      "file-not-found",
      "path-excluded",
      "path-excluded",
      undefined,
    ]);
    assert.equal((await read(Array<string>(50).fill("a.txt"), 120_000)).files.length, 50);
  });
});

Deno.test("what there is no more of, no picture for and no document is told by its own detail", async () => {
  const png = (size: number) => {
    const bytes = new Uint8Array(size);
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    return bytes;
  };
  const files = { "t.txt": "abc", "most.png": png(1_500_000), "more.png": png(1_500_001) };
  await withFolders(files, async ({ folders, caller }) => {
    const read = (path: string, more = {}) => folders.read(caller, { ...whole, root: "r", path, ...more });
    assert.equal((await read("t.txt", { offset: 3 }) as ReadAnswer).content, "");
    assert.equal(await refusalOf(() => read("t.txt", { offset: 4 })), "invalid-argument past-the-end");
    assert.equal("image" in await read("most.png"), true);
    assert.equal(await refusalOf(() => read("more.png")), "invalid-argument image-too-large");
    for (const part of [{ pages: "1" }, { sheet: "A" }]) {
      assert.equal(await refusalOf(() => read("t.txt", part)), "invalid-argument not-a-document");
    }
  });
});

Deno.test("a name in another case or Unicode form is offered and not opened; what is hidden or a link is neither", async () => {
  cites("folders.names", "folders.contained");
  const files = { "Plan.md": "x", "caf\u00e9.txt": "x", "sub/tokens.md": "x", "sub/other.md": "x" };
  await withFolders(files, async ({ folders, caller, root, outside }) => {
    await Deno.symlink(`${outside}/canary.txt`, `${root}/canary.txt`);
    const offered = async (path: string) => {
      const error = await folders.read(caller, { ...whole, root: "r", path }).catch((error) => error);
      return [error.code, error.details.close];
    };
    assert.deepEqual(await offered("plan.md"), ["file-not-found", ["r/Plan.md"]]);
    assert.deepEqual(await offered("cafe\u0301.txt"), ["file-not-found", ["r/caf\u00e9.txt"]]);
    assert.deepEqual(await offered("sub/okens.md"), ["file-not-found", undefined]);
    assert.deepEqual(await offered("canari.txt"), ["file-not-found", undefined]);
    assert.deepEqual(await offered("nowhere/plan.md"), ["file-not-found", undefined]);
  });
});

Deno.test("links are served where they end inside, and never lead out, into another root or to what is hidden", async () => {
  await withFolders(
    { "a/b.txt": "inside", ".env": "secret", "t.txt": "x" },
    async ({ folders, caller, root, outside }) => {
      await Deno.symlink("a/b.txt", `${root}/in`);
      await Deno.symlink("a", `${root}/indir`);
      await Deno.symlink(`${outside}/canary.txt`, `${root}/out`);
      await Deno.symlink("../outside/canary.txt", `${root}/rel`);
      await Deno.symlink("rel", `${root}/chain`);
      await Deno.symlink(outside, `${root}/outdir`);
      await Deno.symlink(".env", `${root}/notes.txt`);
      await Deno.symlink("t.txt", `${root}/token.txt`);
      await Deno.symlink("nowhere", `${root}/dangling`);
      await Deno.symlink("loop", `${root}/loop`);
      const read = (path: string) => folders.read(caller, { ...whole, root: "r", path });
      assert.deepEqual(await read("in").then((a) => [a.ref, (a as ReadAnswer).content]), [
        "r/a/b.txt",
        "inside",
      ]);
      assert.equal((await read("indir/b.txt")).ref, "r/a/b.txt");
      for (const path of ["out", "rel", "chain", "outdir/canary.txt", "notes.txt", "token.txt", "outdir"]) {
        assert.equal(await refusalOf(() => read(path)), "path-excluded", path);
        assert.equal(await refusalOf(() => folders.info(caller, { root: "r", path })), "path-excluded", path);
      }
      assert.equal(
        await refusalOf(() => folders.list(caller, { root: "r", path: "outdir", cursor: null })),
        "path-excluded",
      );
      for (const path of ["dangling", "loop", "loop/x", "nope"]) {
        assert.equal(await refusalOf(() => read(path)), "file-not-found", path);
      }
      const listed = await folders.list(caller, { root: "r", path: "", cursor: null });
      assert.deepEqual(listed.entries.map(({ name }) => name), ["a", "in", "indir", "t.txt"]);
      assert.equal(JSON.stringify(listed).includes(canary), false);
    },
  );
});

Deno.test("pipes, sockets and devices are no files, and nothing waits for them", async () => {
  await withFolders({ "a.txt": "x" }, async ({ folders, caller, root }) => {
    await new Deno.Command("mkfifo", { args: [`${root}/notes.md`] }).output();
    const socket = Deno.listen({ transport: "unix", path: `${root}/sock` });
    try {
      for (const path of ["notes.md", "sock"]) {
        assert.equal(
          await refusalOf(() => folders.read(caller, { ...whole, root: "r", path })),
          "file-not-found",
        );
        assert.equal(await refusalOf(() => folders.info(caller, { root: "r", path })), "file-not-found");
      }
      const { entries } = await folders.list(caller, { root: "r", path: "", cursor: null });
      assert.deepEqual(entries.map(({ name }) => name), ["a.txt"]);
    } finally {
      socket.close();
    }
  });
});

Deno.test("hard links are refused where the operator says so", async () => {
  const work = (refuse: boolean) =>
    withFolders({ "a.txt": "x" }, async ({ folders, caller, root, outside }) => {
      await Deno.link(`${outside}/canary.txt`, `${root}/h.txt`);
      const q = { root: "r", path: "", q: "CANARY", glob: null, caseSensitive: true };
      const found = await folders.search(caller, { ...q, maxChars: null, encoding: null, cursor: null });
      const { entries } = await folders.list(caller, { root: "r", path: "", cursor: null });
      const names = entries.map(({ name }) => name).join();
      return [
        await refusalOf(() => folders.info(caller, { root: "r", path: "h.txt" })),
        found.matches.length,
        names,
      ];
    }, { refuseHardLinks: refuse });
  assert.deepEqual(await work(true), ["path-excluded", 0, "a.txt"]);
  assert.deepEqual((await work(false)).slice(1), [1, "a.txt,h.txt"]);
});

Deno.test("a folder that was replaced by another one is no longer the root", async () => {
  await withFolders({ "canary.txt": "mine" }, async ({ folders, caller, root, outside }) => {
    assert.equal(await folders.readable(caller.signal), true);
    await Deno.rename(root, `${root}-away`);
    await Deno.rename(outside, root);
    assert.equal(await folders.readable(caller.signal), false);
    assert.equal(
      await refusalOf(() => folders.read(caller, { ...whole, root: "r", path: "canary.txt" })),
      "file-not-found",
    );
    await Deno.rename(root, outside);
    await Deno.symlink(outside, root);
    assert.equal(
      await refusalOf(() => folders.read(caller, { ...whole, root: "r", path: "canary.txt" })),
      "path-excluded",
    );
    await Deno.remove(root);
    await Deno.rename(`${root}-away`, root);
    assert.equal(
      (await folders.read(caller, { ...whole, root: "r", path: "canary.txt" }) as ReadAnswer).content,
      "mine",
    );
  });
});

Deno.test("a disk that never answers keeps its own callers waiting and nobody else", async () => {
  let stuck = 0;
  const disk = {
    ...systemDisk,
    realPath(path: string) {
      if (!path.includes("slow")) return systemDisk.realPath(path);
      stuck++;
      return new Promise<string>(() => {});
    },
  };
  const waits: Array<() => void> = [];
  const clock = {
    now: () => Date.now(),
    elapsed: () => performance.now(),
    sleep: (_ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        waits.push(resolve);
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      }),
  };
  const slow = await Deno.makeTempDir({ prefix: "silverbridge-slow-" });
  try {
    await withFolders({ "a.txt": "x" }, async ({ root, caller }) => {
      const folders = openFolders({
        roots: [{ alias: "slow", path: slow, exclude: [] }, { alias: "r", path: root, exclude: [] }],
        ...{ exclude: [], allowGeneratedNames: false, refuseHardLinks: false, limits: usualLimits },
        ...{ documents: null, clock, disk, logger: silentLogger },
      });
      assert.ok(folders !== null);
      const asked = Array.from(
        { length: 40 },
        () => refusalOf(() => folders.read(caller, { ...whole, root: "slow", path: "x" })),
      );
      assert.equal(
        (await folders.read(caller, { ...whole, root: "r", path: "a.txt" }) as ReadAnswer).content,
        "x",
      );
      assert.ok(stuck <= 6, `${stuck} threads are kept`);
      for (const wake of waits) wake();
      assert.deepEqual(new Set(await Promise.all(asked)), new Set(["permission-denied not-answering"]));
    });
  } finally {
    await Deno.remove(slow);
  }
});

Deno.test("a caller who goes away ends what was begun for it", async () => {
  await withFolders({ "a.txt": "x" }, async ({ folders, caller }) => {
    const gone = new AbortController();
    gone.abort(new Error("gone"));
    const search = folders.search({ ...caller, signal: gone.signal }, {
      ...{
        root: "r",
        path: "",
        q: "x",
        glob: null,
        caseSensitive: false,
        maxChars: null,
        encoding: null,
        cursor: null,
      },
    });
    await assert.rejects(search, /gone/);
  });
});
