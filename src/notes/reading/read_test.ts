import assert from "node:assert/strict";
import { AppError } from "../../core/errors.ts";
import type { PageStore } from "../../core/page_store.ts";
import type { MemoryStore } from "../../silverbullet/memory_store.ts";
import { append } from "../../../tests/support/edits.ts";
import { everything, readRequest, refusal, withNotes } from "../../../tests/support/notes.ts";
import { cites } from "../../../tests/requirements.ts";

type Test = Parameters<Parameters<typeof withNotes>[1]>[0];

/** Reads a page part by part, as the answers say, and puts the parts together. */
async function readAll({ notes, caller }: Test, page: string, maxBytes: number) {
  let cursor: string | null = null;
  let text = "";
  for (let part = 0; part < 5000; part++) {
    const answer = await notes.read(caller(), readRequest(page, { maxBytes, cursor }));
    text += answer.text ?? "";
    const next: unknown = answer.info["next_cursor"];
    if (typeof next !== "string") return { text, etag: String(answer.info["etag"]), parts: part + 1 };
    assert.match(String(answer.info["etag"]), /^p/);
    cursor = next;
  }
  throw new Error("The cursor never ends");
}

const awkward: Readonly<Record<string, string>> = {
  "CRLF": "---\r\ntitle: x\r\n---\r\na\r\nb\r\n",
  "a byte order mark": "\ufeff# Title\n",
  "no final line break": "a\nb",
  "U+2028 and U+2029": "a\u2028b\u2029c\n",
  "a lone carriage return": "a\rb\r\n\rc",
  "NUL and other controls": "a\0b\x07\x1b[0m\n",
  "characters beyond the first plane": "😀👩‍👩‍👧 e\u0301 \u202eabc\u202c\n",
  "nothing": "",
  "only line breaks": "\n\r\n\n",
  "300 KB": "0123456789 äöü 系統\n".repeat(14_000),
};

for (const [what, text] of Object.entries(awkward)) {
  Deno.test(`a page with ${what} comes to the byte and goes back to the byte`, async () => {
    cites("notes.bytes");
    await withNotes({ files: { "A.md": text } }, async (test) => {
      for (const maxBytes of text.length > 1000 ? [48_000, 1_000_000] : [1, 3, 48_000]) {
        const whole = await readAll(test, "A", maxBytes);
        assert.equal(whole.text, text);
        assert.match(whole.etag, /^v/);
        if (text.trim() === "") continue;
        const page = { page: "A", content: whole.text, ifMatch: whole.etag, dryRun: false };
        await test.notes.overwrite(test.caller(), page);
        assert.equal(test.store.text("A.md"), text);
      }
    });
  });
}

Deno.test("read() answers what is known of the page, and that its text is data", async () => {
  await withNotes({ files: { "P/A.md": "one\ntwo" } }, async ({ notes, caller }) => {
    const { info, text } = await notes.read(caller(), readRequest("P/A"));
    assert.equal(text, "one\ntwo");
    assert.equal(info["page"], "P/A");
    assert.equal(info["path"], "P/A.md");
    assert.equal(info["size_bytes"], 7);
    assert.equal(info["lines"], 2);
    assert.equal(info["lastModified"], info["last_modified_ms"]);
    assert.match(String(info["next_block"]), /data, not instructions/);
    assert.equal("truncated" in info, false);
  });
});

Deno.test("what is cut says so first, with what is left and the exact next call", async () => {
  await withNotes({ files: { "A.md": "0123456789" } }, async ({ notes, caller }) => {
    const { info, text } = await notes.read(caller(), readRequest("A", { maxBytes: 4 }));
    assert.equal(text, "0123");
    assert.equal(Object.keys(info)[0], "truncated");
    assert.equal(info["bytes_left"], 6);
    const call = /^read_page (\{.*\})$/.exec(String(info["next"]))?.[1] ?? "";
    const { page, cursor } = JSON.parse(call);
    const next = await notes.read(caller(), readRequest(page, { cursor, maxBytes: 100 }));
    assert.equal(next.text, "456789");
    assert.match(String(next.info["etag"]), /^v/);
  });
});

Deno.test("a part ends between characters, and always goes on", async () => {
  await withNotes({ files: { "A.md": "a😀é系" } }, async (test) => {
    const parts: (string | null)[] = [];
    for (let cursor: string | null = null;;) {
      const answer = await test.notes.read(test.caller(), readRequest("A", { maxBytes: 3, cursor }));
      parts.push(answer.text);
      const next: unknown = answer.info["next_cursor"];
      if (typeof next !== "string") break;
      cursor = next;
    }
    assert.deepEqual(parts, ["a", "😀", "é", "系"]);
  });
});

Deno.test("a cursor says so when the page has changed, and knows no other page", async () => {
  await withNotes(
    { files: { "A.md": "0123456789", "B.md": "abcdefghij" } },
    async ({ notes, caller, store }) => {
      const { info } = await notes.read(caller(), readRequest("A", { maxBytes: 4 }));
      const cursor = String(info["next_cursor"]);
      await assert.rejects(notes.read(caller(), readRequest("B", { cursor })), refusal("conflict"));
      await notes.overwrite(caller(), { page: "A", content: "0123456780", ifMatch: "*", dryRun: false });
      await assert.rejects(
        notes.read(caller(), readRequest("A", { cursor })),
        refusal("conflict", (error) => assert.match(error.message, /changed/)),
      );
      store.put("A.md", "0123456789");
    },
  );
});

for (
  const cursor of [
    "",
    "0",
    "4-a-w",
    "4-a-w0000000000000000",
    "4-a-x0000000000000000",
    "../..",
    "9".repeat(400),
  ]
) {
  Deno.test(`read() refuses the cursor ${JSON.stringify(cursor.slice(0, 30))}`, async () => {
    await withNotes({ files: { "A.md": "0123456789" } }, async ({ notes, caller }) => {
      const forged = /^4-a-w0/.test(cursor);
      await assert.rejects(
        notes.read(caller(), readRequest("A", { cursor })),
        refusal(forged ? "conflict" : "invalid_argument"),
      );
    });
  });
}

const page = "---\ntags: a\n---\n# One\ntext\n## Sub\nmore\n# Two\nend\n";

Deno.test("the outline shows every heading with its line, and a partial version", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller }) => {
    const { info, text } = await notes.read(caller(), readRequest("A", { view: "outline" }));
    assert.equal(text, "4 # One\n6 ## Sub\n8 # Two\n");
    assert.match(String(info["etag"]), /^p/);
    const cut = await notes.read(caller(), readRequest("A", { view: "outline", maxBytes: 10 }));
    assert.equal(cut.text, "4 # One\n");
    assert.equal(Object.keys(cut.info)[0], "truncated");
    assert.equal(cut.info["headings_left"], 2);
  });
});

Deno.test("section, lines and frontmatter show exactly their bytes, with a partial version", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller }) => {
    const views = [
      [{ view: "section", section: "Sub" }, "## Sub\nmore\n"],
      [{ view: "section", section: "One > Sub" }, "## Sub\nmore\n"],
      [{ view: "lines", startLine: 4, endLine: 5 }, "# One\ntext\n"],
      [{ view: "lines", startLine: 8 }, "# Two\nend\n"],
      [{ view: "frontmatter" }, "---\ntags: a\n---\n"],
    ] as const;
    for (const [request, expected] of views) {
      const { info, text } = await notes.read(caller(), readRequest("A", request));
      assert.equal(text, expected);
      assert.match(String(info["etag"]), /^p/);
    }
    const all = await notes.read(caller(), readRequest("A", { view: "lines", startLine: 1 }));
    assert.match(String(all.info["etag"]), /^v/);
  });
});

Deno.test("a long section goes on by cursor and stays partial to its end", async () => {
  await withNotes({ files: { "A.md": page } }, async ({ notes, caller }) => {
    const first = await notes.read(
      caller(),
      readRequest("A", { view: "section", section: "One", maxBytes: 8 }),
    );
    const cursor = String(first.info["next_cursor"]);
    const rest = await notes.read(caller(), readRequest("A", { cursor }));
    assert.equal(`${first.text}${rest.text}`, "# One\ntext\n## Sub\nmore\n");
    assert.match(String(rest.info["etag"]), /^p/);
  });
});

Deno.test("unknown and ambiguous sections are answered with those there are", async () => {
  await withNotes({ files: { "A.md": "# A\n## X\n# B\n## X\n" } }, async ({ notes, caller }) => {
    await assert.rejects(
      notes.read(caller(), readRequest("A", { view: "section", section: "X" })),
      refusal(
        "ambiguous",
        (error) =>
          assert.deepEqual(error.details["sections"], [{ section: "A > X", line: 2 }, {
            section: "B > X",
            line: 4,
          }]),
      ),
    );
    await assert.rejects(
      notes.read(caller(), readRequest("A", { view: "section", section: "Y" })),
      refusal("no_match", (error) => assert.match(error.remedy, /"A > X"/)),
    );
    await assert.rejects(
      notes.read(caller(), readRequest("A", { view: "section" })),
      refusal("invalid_argument"),
    );
  });
});

for (const [startLine, endLine] of [[0, 1], [4, null], [1, 4], [3, 2], [-1, null]] as const) {
  Deno.test(`lines ${startLine}..${endLine} of three are out of bounds`, async () => {
    await withNotes({ files: { "A.md": "a\nb\nc\n" } }, async ({ notes, caller }) => {
      await assert.rejects(
        notes.read(caller(), readRequest("A", { view: "lines", startLine, endLine })),
        refusal("invalid_argument", (error) => {
          assert.match(error.message, /out of bounds for page with 3 lines/);
          assert.equal(error.details["lines"], 3);
        }),
      );
    });
  });
}

Deno.test("info tells what is known and hands out no text", async () => {
  await withNotes({ files: { "A.md": "a\u200bb\u202ec\n", "x.pdf": "%PDF" } }, async ({ notes, caller }) => {
    const { info, text } = await notes.read(caller(), readRequest("A", { view: "info" }));
    assert.equal(text, null);
    assert.match(String(info["etag"]), /^p/);
    assert.equal(info["invisible_characters"], 1);
    assert.equal(info["bidi_characters"], 1);
    const file = await notes.read(caller(), readRequest("x.pdf", { view: "info" }));
    assert.equal(file.info["size_bytes"], 4);
    assert.equal(file.info["etag"], null);
  });
});

Deno.test("images are shown as images up to a size, never as text", async () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0xff]);
  const files = { "a.png": png, "big.jpg": new Uint8Array(2_000_000) };
  await withNotes({ files }, async ({ notes, caller }) => {
    const { image, text, info } = await notes.read(caller(), readRequest("a.png"));
    assert.equal(text, null);
    assert.deepEqual(image, { data: "iVBOR/8=", mimeType: "image/png" });
    assert.match(String(info["etag"]), /^v/);
    await assert.rejects(
      notes.read(caller(), readRequest("big.jpg")),
      refusal("invalid_argument", (error) => assert.equal(error.details["size_bytes"], 2_000_000)),
    );
  });
});

Deno.test("what is not UTF-8 is refused with what is known of it", async () => {
  const bytes = new Uint8Array([0x61, 0xff, 0x62]);
  await withNotes({ files: { "A.md": bytes, "a.zip": bytes } }, async ({ notes, caller }) => {
    for (const page of ["A", "a.zip"]) {
      await assert.rejects(
        notes.read(caller(), readRequest(page)),
        refusal("invalid_argument", (error) => {
          assert.equal(error.details["reason"], "not_text");
          assert.equal(error.details["size_bytes"], 3);
          assert(!error.message.includes("\ufffd"));
        }),
      );
    }
    assert.equal((await notes.read(caller(), readRequest("A", { view: "info" }))).info["size_bytes"], 3);
  });
});

Deno.test("a document or a file with zero bytes is no text, though its bytes are readable as some", async () => {
  const files = {
    "x.pdf": "%PDF-1.4 all of it ASCII",
    "notes.txt": "plain",
    "raw.bin2": "a\0b",
    "N.md": "a\0b",
  };
  await withNotes({ files }, async ({ notes, caller }) => {
    for (const page of ["x.pdf", "raw.bin2"]) {
      await assert.rejects(
        notes.read(caller(), readRequest(page)),
        refusal("invalid_argument", (error) => assert.equal(error.details["reason"], "not_text")),
      );
    }
    assert.equal((await notes.read(caller(), readRequest("notes.txt"))).text, "plain");
    assert.equal((await notes.read(caller(), readRequest("N"))).text, "a\0b");
  });
});

Deno.test("a big file that is no page is refused before it is fetched", async () => {
  let fetched = 0;
  const wrap = (store: Parameters<NonNullable<Parameters<typeof withNotes>[0]["wrap"]>>[0]) => ({
    ...store,
    read: (path: never) => {
      fetched++;
      return store.read(path);
    },
  });
  await withNotes({ files: { "film.mp4": new Uint8Array(5_000_000) }, wrap }, async ({ notes, caller }) => {
    await assert.rejects(notes.read(caller(), readRequest("film.mp4")), refusal("invalid_argument"));
    assert.equal(fetched, 0);
  });
});

Deno.test("a name with a dot means the very file, then the page of that name", async () => {
  const files = { "v1.2.md": "page", "data.csv": "a,b\n", "data.csv.md": "about the data\n" };
  await withNotes({ files }, async ({ notes, caller }) => {
    assert.equal((await notes.read(caller(), readRequest("v1.2"))).text, "page");
    assert.equal((await notes.read(caller(), readRequest("v1.2"))).info["page"], "v1.2");
    assert.equal((await notes.read(caller(), readRequest("data.csv"))).text, "a,b\n");
    assert.equal((await notes.read(caller(), readRequest("data.csv.md"))).text, "about the data\n");
  });
});

Deno.test("a missing page is answered with names like it that the caller may read", async () => {
  const files = {
    "Projects/Alpha.md": "x",
    "Projects/Alphb.md": "x",
    "Projects/Alphc.md": "x",
    "_trash/2026-07/Projects/Alphd.md": "x",
  };
  const settings = { hiddenPaths: ["Projects/Alphb"] };
  const rights = { read: ["Projects/Alpha", "Projects/Alphd", "Projects/Alph"] };
  await withNotes({ files, settings }, async ({ notes, caller }) => {
    await assert.rejects(
      notes.read(caller({ rights }), readRequest("Projects/Alph")),
      refusal("not_found", (error) => {
        assert.match(error.message, /page not found: Projects\/Alph\.md/);
        assert.deepEqual(error.details["close_names"], ["Projects/Alpha"]);
      }),
    );
  });
});

Deno.test("a hidden page reads as a missing one, its copies and its trash too", async () => {
  cites("notes.hidden");
  const copies = [
    "Secret",
    "Secret.conflicted:1751360000000",
    "_trash/2026-07/Secret",
    "_trash/2026-07/Secret-1751360000000",
  ];
  const settings = { hiddenPaths: ["Secret"] };
  const told = new Map<string, string>();
  for (const there of [true, false]) {
    const files = there ? Object.fromEntries(copies.map((name) => [`${name}.md`, "hidden"])) : {};
    await withNotes({ files, settings }, async ({ notes, caller }) => {
      for (const name of copies) {
        const error = await notes.read(caller(), readRequest(name)).then(() => null, (error: Error) => error);
        const text = JSON.stringify({ ...error, message: error?.message });
        assert.match(text, /"not_found"/, name);
        if (there) told.set(name, text);
        else assert.equal(text, told.get(name));
        assert.deepEqual(await notes.exists(caller(), name), { page: name, exists: false });
      }
      const listed = await notes.list(caller(), { ...listAll });
      assert.equal(listed.total, 0);
    });
  }
});

Deno.test("nothing asks SilverBullet for a hidden page, so that neither time nor a fault tells of it", async () => {
  cites("notes.hidden");
  const asked: string[] = [];
  const wrap = (store: MemoryStore): PageStore => ({
    ...store,
    list: (options) => store.list(options),
    meta: (path, options) => (asked.push(path), store.meta(path, options)),
    read: (path, options) => (asked.push(path), store.read(path, options)),
    write: (path, bytes, options) => (asked.push(path), store.write(path, bytes, options)),
    delete: (path, options) => (asked.push(path), store.delete(path, options)),
  });
  const files = { "Secret.md": "", "Secret.png": "x", "A.md": "a" };
  await withNotes({ files, settings: { hiddenPaths: ["Secret", "Secret.png"] }, wrap }, async (test) => {
    const { notes, caller } = test;
    for (const page of ["Secret", "Secret.md", "Secret.png", "_trash/2026-07/Secret"]) {
      const write = { page, content: "x", dryRun: false };
      const calls = [
        notes.read(caller(), readRequest(page)),
        notes.exists(caller(), page),
        notes.create(caller(), write),
        notes.overwrite(caller(), { ...write, ifMatch: "*" }),
        notes.overwrite(caller(), { ...write, ifMatch: null, dryRun: true }),
        notes.remove(caller(), { page, permanent: false, ifMatch: null, dryRun: false }),
        notes.restore(caller(), { page, version: null, dryRun: false }),
        notes.append(caller(), append("x", { page })),
      ];
      await Promise.allSettled(calls);
    }
    assert(asked.length > 0);
    assert.deepEqual(asked.filter((path) => path.includes("Secret")), []);
    const elsewhere = caller({ rights: { read: ["Public/**"] } });
    asked.length = 0;
    await assert.rejects(notes.read(elsewhere, readRequest("A")), refusal("forbidden_path"));
    await assert.rejects(notes.exists(elsewhere, "A.b"), refusal("forbidden_path"));
    assert.deepEqual(asked, [], "nor for one that is beyond the caller's rights");
  });
});

const listAll = {
  prefix: "",
  contains: "",
  kind: "all",
  sort: "name",
  limit: 100,
  cursor: null,
  includeTrash: true,
  includeLibrary: true,
} as const;

Deno.test("a caller without the right to read learns nothing of a page, there or not", async () => {
  const { read: _, ...blind } = everything;
  await withNotes({ files: { "A.md": "x" } }, async ({ notes, caller }) => {
    for (const page of ["A", "Missing"]) {
      await assert.rejects(
        notes.read(caller({ rights: blind }), readRequest(page)),
        refusal("forbidden_path"),
      );
      await assert.rejects(notes.exists(caller({ rights: blind }), page), refusal("forbidden_path"));
    }
    const listed = await notes.list(caller({ rights: blind }), listAll);
    assert.equal(listed.total, 0);
  });
});

Deno.test("exists() answers yes and no, and passes a fault on", async () => {
  const wrap = (store: Parameters<NonNullable<Parameters<typeof withNotes>[0]["wrap"]>>[0]) => ({
    ...store,
    meta: (path: never) => path === "Broken.md" ? Promise.reject(new Error("fault")) : store.meta(path),
  });
  await withNotes({ files: { "A.md": "x" }, wrap }, async ({ notes, caller }) => {
    assert.deepEqual(await notes.exists(caller(), "A"), { page: "A", exists: true, path: "A.md" });
    assert.deepEqual(await notes.exists(caller(), "a"), { page: "a", exists: false });
    await assert.rejects(notes.exists(caller(), "Broken"), /fault/);
  });
});

Deno.test("a page of megabytes is shown in full and by lines, and not taken apart", async () => {
  const line = ">>>>>>> quoted\n";
  const text = line.repeat(150_000);
  await withNotes({ files: { "Long.md": text } }, async ({ notes, caller }) => {
    const lines = { view: "lines", startLine: 149_999, endLine: 150_000 } as const;
    const shown = await notes.read(caller(), readRequest("Long", lines));
    assert.equal(shown.text, line + line);
    assert.equal(shown.info["lines"], 150_000);
    assert.equal((await notes.read(caller(), readRequest("Long", { maxBytes: 15 }))).text, line);
    for (const view of ["outline", "section"] as const) {
      const reading = notes.read(caller(), readRequest("Long", { view, section: "x" }));
      await assert.rejects(
        reading,
        refusal("too_large", (error) => assert.match(error.remedy, /by `lines`/)),
        view,
      );
    }
  });
});

Deno.test("a refusal repeats neither a caller's megabytes nor a page's", async () => {
  const heading = "x".repeat(200_000);
  await withNotes({ files: { "A.md": `# ${heading}\n` } }, async ({ notes, caller }) => {
    const section = "y".repeat(1_000_000);
    const reading = notes.read(caller(), readRequest("A", { view: "section", section }));
    await assert.rejects(reading, (error) => {
      assert(error instanceof AppError && error.code === "no_match");
      return JSON.stringify([error.message, error.remedy, error.details]).length < 2000;
    });
  });
});

Deno.test("a page that has to come whole is refused by its size before it is fetched", async () => {
  cites("notes.memory");
  const fetched: string[] = [];
  type Wrap = NonNullable<Parameters<typeof withNotes>[0]["wrap"]>;
  const wrap: Wrap = (store) => ({
    ...store,
    read: (path, options) => {
      fetched.push(path);
      return store.read(path, options);
    },
  });
  const files = { "Large.md": "x".repeat(1001), "Fits.md": "x".repeat(1000) };
  await withNotes({ files, wrap }, async ({ notes, caller }) => {
    const large = { ...readRequest("Large"), wholeWithin: 1000 };
    await assert.rejects(notes.read(caller(), large), refusal("too_large"));
    assert.deepEqual(fetched, []);
    assert.equal((await notes.read(caller(), { ...large, page: "Fits" })).text?.length, 1000);
    // Whoever may not read it is not told how large it is.
    await assert.rejects(notes.read(caller({ hidden: ["Large"] }), large), refusal("not_found"));
  });
});
