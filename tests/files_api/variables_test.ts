/** Each variable of personal-mcp-bridge does here what it did there: one test a variable, by what a caller sees. */

import assert from "node:assert/strict";
import { freePort, token } from "../support/app.ts";
import { makeXlsx, textRow } from "../support/office_maker.ts";
import { bearer, type FilesApp, welcome, withFilesApp, withFilesProgram } from "../support/files_api.ts";
import { makeTextPdf } from "../support/pdf_maker.ts";
import { cites } from "../requirements.ts";

type Json = Readonly<Record<string, unknown>>;

interface Variable {
  readonly env: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly check: (app: FilesApp) => Promise<void>;
}

const readTen: Variable["check"] = async (app) => {
  const { json } = await app.get("/read?root=notes&path=welcome.md&max_chars=4000");
  assert.deepEqual([json?.["content"], json?.["truncated"]], ["# Welcome\n", true]);
  assert.deepEqual(json?.["limits"], { max_chars: 10, returned_chars: 10 });
  assert.equal(
    (await app.get("/tail?root=notes&path=welcome.md&last_lines=9")).json?.["content"],
    "Last line\n",
  );
};

const skipsLarge: Variable["check"] = async (app) => {
  const { json } = await app.get("/search?root=notes&q=budget");
  assert.deepEqual([json?.["matches"], json?.["skipped"]], [[], { too_large: 1 }]);
};

const isPublic: Variable["check"] = async (app) => {
  assert.equal((await app.get("/roots")).code, "invalid-token");
  assert.equal((await app.get("/roots", bearer)).status, 200);
  assert.equal((await app.call({ tool: "list_roots" }, bearer)).code, "generic /call is localhost-only");
  assert.equal((await app.get("/health")).text, '{"status":"ok"}');
};

/** Variables by name; those for documents, HOST and PORT have tests of their own below. */
const variables: Readonly<Record<string, Variable>> = {
  BRIDGE_ROOTS: {
    env: {},
    check: async (app) => {
      assert.deepEqual((await app.get("/roots")).json, { roots: [{ alias: "notes" }], empty: false });
    },
  },
  BRIDGE_TOKEN: {
    env: { BRIDGE_TOKEN: token },
    check: async (app) => {
      assert.equal((await app.get("/roots")).code, "invalid-token");
      assert.equal((await app.get("/roots", bearer)).status, 200);
    },
  },
  BRIDGE_PUBLIC_MODE: { env: { BRIDGE_PUBLIC_MODE: "1", BRIDGE_TOKEN: token }, check: isPublic },
  BRIDGE_TUNNEL_MODE: { env: { BRIDGE_TUNNEL_MODE: "yes", BRIDGE_TOKEN: token }, check: isPublic },
  ALLOW_QUERY_TOKEN_AUTH: {
    env: { ALLOW_QUERY_TOKEN_AUTH: "1", BRIDGE_TOKEN: token },
    check: async (app) => {
      assert.equal((await app.get(`/roots?token=${token}`)).status, 200);
      assert.equal((await app.get("/roots?token=wrong")).code, "invalid-token");
    },
  },
  INCLUDE_LOCAL_PATHS: {
    env: { INCLUDE_LOCAL_PATHS: "1" },
    check: async (app) => {
      for (const target of ["/roots", "/read?root=notes&path=welcome.md", "/files?root=notes"]) {
        assert.doesNotMatch((await app.get(target)).text, new RegExp(`local_path|${app.root}`));
      }
    },
  },
  BRIDGE_READ_MAX_CHARS: { env: { BRIDGE_READ_MAX_CHARS: "10" }, check: readTen },
  BRIDGE_MAX_READ_CHARS: { env: { BRIDGE_MAX_READ_CHARS: "10" }, check: readTen },
  BRIDGE_MAX_READ_BYTES: { env: { BRIDGE_MAX_READ_BYTES: "10" }, check: readTen },
  BRIDGE_SEARCH_MAX_FILE_BYTES: { env: { BRIDGE_SEARCH_MAX_FILE_BYTES: "38" }, check: skipsLarge },
  BRIDGE_MAX_FILE_BYTES: { env: { BRIDGE_MAX_FILE_BYTES: "38" }, check: skipsLarge },
  BRIDGE_MAX_MATCHES: {
    env: { BRIDGE_MAX_MATCHES: "2" },
    files: { "a.txt": "x\nx\n", "b.txt": "x\nx\nx\n" },
    check: async (app) => {
      const all = await app.get("/search?root=notes&q=x");
      assert.deepEqual([(all.json?.["matches"] as Json[]).length, all.json?.["truncated"]], [2, true]);
      const exact = await app.get("/search?root=notes&q=x&path=a.txt");
      assert.deepEqual([(exact.json?.["matches"] as Json[]).length, exact.json?.["truncated"]], [2, false]);
    },
  },
  BRIDGE_LIST_FILES_MAX_ENTRIES: {
    env: { BRIDGE_LIST_FILES_MAX_ENTRIES: "2" },
    files: { "a.txt": "", "b.txt": "", "c.txt": "" },
    check: async (app) => {
      const { json } = await app.get("/files?root=notes");
      assert.deepEqual([(json?.["entries"] as Json[]).length, json?.["truncated"]], [2, true]);
      assert.deepEqual(json?.["limits"], { max_entries: 2, returned_entries: 2 });
      const rest = await app.get(
        `/files?root=notes&cursor=${encodeURIComponent(String(json?.["next_cursor"]))}`,
      );
      assert.deepEqual((rest.json?.["entries"] as Json[]).map(({ name }) => name), ["c.txt"]);
    },
  },
  BRIDGE_HTTP_MAX_BODY_BYTES: {
    env: { BRIDGE_HTTP_MAX_BODY_BYTES: "2000" },
    check: async (app) => {
      const body = '{"tool":"list_roots"}';
      assert.equal((await app.call(body + " ".repeat(2000 - body.length))).status, 200);
      assert.equal((await app.call(body + " ".repeat(2001 - body.length))).code, "request-body-too-large");
    },
  },
  BRIDGE_RATE_LIMIT_PER_MINUTE: {
    env: { BRIDGE_RATE_LIMIT_PER_MINUTE: "3" },
    check: async (app) => {
      const health = (await app.get("/health")).json;
      assert.deepEqual([
        health?.["configured_rate_limit_per_minute"],
        health?.["effective_rate_limit_per_minute"],
      ], [3, 3]);
      const codes = [];
      for (let count = 0; count < 4; count++) codes.push((await app.get("/roots")).code);
      assert.equal(codes.at(-1), "rate-limited");
    },
  },
  BRIDGE_ALLOWED_ORIGINS: {
    env: { BRIDGE_ALLOWED_ORIGINS: "https://app.example.com,https://b.example" },
    check: async (app) => {
      assert.equal((await app.get("/roots", { origin: "https://b.example" })).status, 200);
      assert.equal((await app.get("/roots", { origin: "https://c.example" })).code, "origin-not-allowed");
    },
  },
  BRIDGE_ALLOWED_HOSTS: {
    env: { BRIDGE_ALLOWED_HOSTS: "bridge.example.com,b.example" },
    check: async (app) => {
      assert.equal((await app.get("/roots", { host: "bridge.example.com" })).status, 200);
      assert.equal((await app.get("/roots", { host: "b.example:8787" })).status, 200);
      assert.equal((await app.get("/roots", { host: "c.example" })).code, "host-not-allowed");
    },
  },
};

for (const [name, { env, files = { "welcome.md": welcome }, check }] of Object.entries(variables)) {
  Deno.test(`${name} does what it did in personal-mcp-bridge`, async () => {
    cites("files-api.variables");
    await withFilesApp({ env, files }, check);
  });
}

Deno.test("BRIDGE_HOST and BRIDGE_PORT say where it listens", async () => {
  cites("files-api.variables");
  const port = freePort();
  const env = { SILVERBRIDGE_PORT: null, BRIDGE_HOST: "127.0.0.2", BRIDGE_PORT: String(port) };
  await withFilesProgram({ env }, async () => {
    const response = await fetch(`http://127.0.0.2:${port}/roots`);
    assert.deepEqual(await response.json(), { roots: [{ alias: "notes" }], empty: false });
  });
});

/** Letters without a pattern, which hardly pack; the same ones in every run. */
function noise(length: number): string {
  let state = 12345;
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return String.fromCharCode(97 + (state >>> 16) % 26);
  }).join("");
}

const rows = (count: number, columns: number) =>
  Array.from(
    { length: count },
    (_, row) => textRow(row + 1, Array.from({ length: columns }, (_, column) => `R${row + 1}C${column + 1}`)),
  ).join("");

interface DocumentVariable {
  readonly value: string;
  readonly file: string;
  readonly content: Uint8Array;
  /** The detail of a refusal, or what must be in the text and what must not. */
  readonly expected: string | { readonly has: RegExp; readonly lacks: RegExp };
}

const sheet = (name: string, rows: string) => ({ name, rows });

/** Each file is over one of the limits alone; all of them hold at once. */
const documentVariables: Readonly<Record<string, DocumentVariable>> = {
  BRIDGE_DOC_MAX_FILE_BYTES: {
    value: "100000",
    file: "large.pdf",
    content: new Uint8Array([...makeTextPdf(["Page"]), ...new Uint8Array(100_000)]),
    expected: "too-large",
  },
  BRIDGE_DOC_MAX_ARCHIVE_MEMBERS: {
    value: "30",
    file: "many.xlsx",
    content: makeXlsx(
      [sheet("S", rows(1, 1))],
      Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`x/${n}.xml`, "<x/>"])),
    ),
    expected: "too-many-members",
  },
  BRIDGE_DOC_MAX_UNCOMPRESSED_BYTES: {
    value: "90000",
    file: "total.xlsx",
    content: makeXlsx([sheet("S", rows(1, 1))], {
      "a.bin": noise(33_000),
      "b.bin": noise(33_000),
      "c.bin": noise(33_000),
    }),
    expected: "unpacks-too-far",
  },
  BRIDGE_DOC_MAX_MEMBER_BYTES: {
    value: "40000",
    file: "member.xlsx",
    content: makeXlsx([sheet("S", rows(1, 1))], { "a.bin": noise(41_000) }),
    expected: "unpacks-too-far",
  },
  BRIDGE_DOC_MAX_COMPRESSION_RATIO: {
    value: "40",
    file: "ratio.xlsx",
    content: makeXlsx([sheet("S", rows(1, 1))], { "a.bin": "a".repeat(30_000) + noise(500) }),
    expected: "unpacks-too-far",
  },
  BRIDGE_XLSX_MAX_SHEETS: {
    value: "2",
    file: "sheets.xlsx",
    content: makeXlsx(["One", "Two", "Three"].map((name) => sheet(name, rows(1, 1)))),
    expected: { has: /\[Two!/, lacks: /\[Three!/ },
  },
  BRIDGE_XLSX_MAX_ROWS: {
    value: "3",
    file: "rows.xlsx",
    content: makeXlsx([sheet("S", rows(5, 1))]),
    expected: { has: /R3C1/, lacks: /R4C1/ },
  },
  BRIDGE_XLSX_MAX_COLS: {
    value: "2",
    file: "columns.xlsx",
    content: makeXlsx([sheet("S", rows(1, 4))]),
    expected: { has: /R1C2/, lacks: /R1C3/ },
  },
};

Deno.test("the limits for documents hold under their old names", async (test) => {
  cites("files-api.variables");
  const env = Object.fromEntries(Object.entries(documentVariables).map(([name, { value }]) => [name, value]));
  const files = Object.fromEntries(
    Object.values(documentVariables).map(({ file, content }) => [file, content]),
  );
  const within = makeXlsx([sheet("S", rows(1, 1))]);
  const read = async (url: string, path: string) => {
    const response = await fetch(`${url}/read?root=notes&path=${path}`);
    return { status: response.status, json: await response.json() };
  };
  await withFilesProgram({ env, files: { ...files, "fine.xlsx": within } }, async ({ url }) => {
    for (const [name, { file, expected }] of Object.entries(documentVariables)) {
      await test.step(`${name} does what it did in personal-mcp-bridge`, async () => {
        const { status, json } = await read(url, file);
        if (typeof expected === "string") {
          return assert.deepEqual([status, json.error, json.detail], [422, "archive-rejected", expected]);
        }
        assert.equal(status, 200, JSON.stringify(json));
        assert.match(json.content, expected.has);
        assert.doesNotMatch(json.content, expected.lacks);
      });
    }
    const { json } = await read(url, "fine.xlsx");
    assert.match(String(json.content), /R1C1/, "what is within all of them is read");
  });
  await withFilesProgram({ files }, async ({ url }) => {
    for (const { file } of Object.values(documentVariables)) {
      const { status, json } = await read(url, file);
      assert.equal(status, 200, `${file} is over nothing but the small limits: ${JSON.stringify(json)}`);
    }
  });
});

Deno.test("no variable that personal-mcp-bridge documents is left out", () => {
  const documented =
    "BRIDGE_ROOTS BRIDGE_HOST BRIDGE_PORT BRIDGE_TOKEN BRIDGE_PUBLIC_MODE BRIDGE_TUNNEL_MODE " +
    "ALLOW_QUERY_TOKEN_AUTH INCLUDE_LOCAL_PATHS BRIDGE_READ_MAX_CHARS BRIDGE_SEARCH_MAX_FILE_BYTES BRIDGE_MAX_MATCHES " +
    "BRIDGE_HTTP_MAX_BODY_BYTES BRIDGE_DOC_MAX_FILE_BYTES BRIDGE_XLSX_MAX_SHEETS BRIDGE_XLSX_MAX_ROWS BRIDGE_XLSX_MAX_COLS " +
    "BRIDGE_LIST_FILES_MAX_ENTRIES BRIDGE_RATE_LIMIT_PER_MINUTE BRIDGE_DOC_MAX_ARCHIVE_MEMBERS " +
    "BRIDGE_DOC_MAX_UNCOMPRESSED_BYTES BRIDGE_DOC_MAX_MEMBER_BYTES BRIDGE_DOC_MAX_COMPRESSION_RATIO BRIDGE_ALLOWED_ORIGINS " +
    "BRIDGE_ALLOWED_HOSTS BRIDGE_MAX_READ_CHARS BRIDGE_MAX_READ_BYTES BRIDGE_MAX_FILE_BYTES";
  const tested = [...Object.keys(variables), ...Object.keys(documentVariables), "BRIDGE_HOST", "BRIDGE_PORT"];
  assert.deepEqual(tested.toSorted(), documented.split(" ").toSorted());
});
