/** Whatever is sent to the plain addresses, the answer is one of the documented ones, sealed, and tells nothing of the machine. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { type Answer, type FilesApp, welcome, withFilesApp } from "../support/files_api.ts";
import { cites } from "../requirements.ts";

const codes: Readonly<Record<number, readonly string[]>> = {
  200: [""],
  400: ["invalid-argument", "not-a-directory", "invalid-json", "json-object-required", "unknown-tool"],
  403: ["path-excluded", "unknown-root"],
  404: ["file-not-found"],
  422: ["archive-rejected"],
};

function assertDocumented(answer: Answer, app: FilesApp, sent: string): void {
  assert.ok(codes[answer.status]?.includes(answer.code), `${sent}: ${answer.status} ${answer.text}`);
  assert.equal(answer.headers.get("cache-control"), "no-store", sent);
  assert.equal(answer.text.includes(app.root), false, sent);
  assert.equal(answer.text.includes("HIDDEN TEXT"), false, sent);
}

const files = {
  "welcome.md": welcome,
  "sub/a.txt": "alpha\n",
  ".env": "HIDDEN TEXT\n",
  ".git/x.md": "HIDDEN TEXT\n",
};

const piece = fc.oneof(
  fc.constantFrom(
    "..",
    ".",
    "",
    "sub",
    "a.txt",
    "welcome.md",
    ".env",
    ".ENV",
    ".git",
    "x.md",
    "~",
    "C:",
    "\\",
    "\0",
    "é",
  ),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const path = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join("/"));
const value = fc.oneof(
  path,
  fc.constantFrom("notes", "1", "9", "0", "-1", "true", "HIDDEN", "budget", "*.md", "utf-16le"),
);
const name = fc.constantFrom(
  ...["root", "path", "q", "max_chars", "offset", "start_line", "line_count", "last_lines", "cursor", "glob"],
  ...["encoding", "case_sensitive", "pages", "sheet", "other", "__proto__"],
);

Deno.test("any query gets a documented answer", async () => {
  cites("files-api.exact", "folders.contained");
  await withFilesApp({ files }, async (app) => {
    const address = fc.constantFrom(
      "/roots",
      "/files",
      "/read",
      "/read-range",
      "/tail",
      "/file-info",
      "/search",
    );
    const pairs = fc.array(fc.tuple(name, value), { maxLength: 5 });
    const raw = fc.string({ unit: fc.constantFrom(..."&=%+;?/.\\aroot0f"), maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(address, pairs, fc.boolean(), raw, async (target, given, isComplete, tail) => {
        const usual = isComplete ? ["root=notes"] : [];
        const query = [
          ...usual,
          ...given.map(([key, text]) => `${key}=${encodeURIComponent(text.toWellFormed())}`),
        ];
        const sent = `${target}?${query.join("&")}${isComplete ? "" : tail}`.replaceAll(/token/gi, "tokem");
        assertDocumented(await app.get(sent), app, sent);
      }),
      { numRuns: 400 },
    );
  });
});

Deno.test("any body gets a documented answer", async () => {
  cites("files-api.exact", "folders.contained");
  await withFilesApp({ files }, async (app) => {
    const tool = fc.constantFrom(
      "read_file",
      "list_files",
      "search",
      "tail_file",
      "read_multiple_files",
      "get_file_info",
      "x",
    );
    const any = fc.oneof(value, fc.jsonValue({ maxDepth: 2 }), fc.array(path, { maxLength: 4 }));
    const args = fc.dictionary(name, any, { maxKeys: 5 }).map((given) => ({ root: "notes", ...given }));
    const body = fc.oneof(
      fc.record({ tool, args }).map((each) => JSON.stringify(each)),
      fc.json({ maxDepth: 3 }),
      fc.string({ maxLength: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(body, async (sent) => assertDocumented(await app.call(sent), app, sent)),
      { numRuns: 400 },
    );
  });
});
