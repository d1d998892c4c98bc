/** personal-mcp-bridge's README, claim by claim, on a server that was started with its own variables. */

import assert from "node:assert/strict";
import { token } from "../support/app.ts";
import { makeDocx, makePptx, makeXlsx, paragraph, shape, textRow } from "../support/office_maker.ts";
import { makeTextPdf } from "../support/pdf_maker.ts";
import { answerOf, welcome, withFilesApp, withFilesProgram } from "../support/files_api.ts";
import { cites } from "../requirements.ts";
import { claims, type World } from "./predecessor_claims.ts";

const files = {
  "welcome.md": welcome,
  "sub/a.txt": "alpha\n",
  "app.log": "started\n",
  ".env": "CANARY=1\n",
  ".git/config": "CANARY\n",
  "runtime/settings.json": '{"x":"CANARY"}\n',
  "node_modules/a.js": "CANARY\n",
  "token.txt": "CANARY\n",
};

const worlds: Readonly<Record<World, Readonly<Record<string, string>>>> = {
  open: {},
  token: { BRIDGE_TOKEN: token },
  public: { BRIDGE_TOKEN: token, BRIDGE_PUBLIC_MODE: "1", BRIDGE_ALLOWED_HOSTS: "bridge.example.com" },
  small: { BRIDGE_HTTP_MAX_BODY_BYTES: "1024", BRIDGE_RATE_LIMIT_PER_MINUTE: "60" },
};

for (const [world, env] of Object.entries(worlds)) {
  Deno.test(`personal-mcp-bridge's README holds on a server that is ${world}`, async (test) => {
    cites("files-api.predecessor");
    await withFilesApp({ files, env }, async (app) => {
      for (const { section, claim, check } of claims.filter((each) => each.world === world)) {
        await test.step(`${section}: ${claim}`, () => check(app));
      }
    });
  });
}

Deno.test("no claim is in the table twice", () => {
  const said = claims.map(({ section, claim, world }) => `${world} ${section}: ${claim}`);
  assert.deepEqual(said.filter((each, index) => said.indexOf(each) !== index), []);
});

const documents = {
  "a.pdf": makeTextPdf(["First page", "The budget is here"]),
  "a.docx": makeDocx(paragraph("The budget is in a paragraph")),
  "a.pptx": makePptx([{ shapes: shape(["The budget is on a slide"]) }]),
  "a.xlsx": makeXlsx([{
    name: "Sheet1",
    rows: textRow(2, ["The budget is in a row"]) + textRow(3, ["Another"]),
  }]),
  "broken.pdf": new TextEncoder().encode("%PDF-1.7\nnothing"),
};

Deno.test("personal-mcp-bridge's documents are read with their citations, by reading, by reading several, and by search", async () => {
  cites("files-api.predecessor");
  await withFilesProgram({ files: documents }, async ({ url }, root) => {
    // A name that is no text, as Linux allows it.
    if (Deno.build.os === "linux") {
      const { success } = await new Deno.Command("sh", {
        args: ["-c", `printf x > "$1/$(printf 'bad-\\377.txt')"`, "sh", root],
      }).output();
      assert.ok(success);
    }
    const get = async (target: string) => await answerOf(await fetch(url + target));
    const expected: Readonly<Record<string, RegExp>> = {
      "a.pdf": /^\[p\.1\] First page\n\[p\.2\] The budget is here/m,
      "a.docx": /^\[¶1\] The budget is in a paragraph/m,
      "a.pptx": /^\[slide 1\] The budget is on a slide/m,
      "a.xlsx": /^\[Sheet1!2-3\] The budget is in a row\nAnother/m,
    };
    for (const [path, pattern] of Object.entries(expected)) {
      const { json, text } = await get(`/read?root=notes&path=${path}`);
      assert.match(String(json?.["content"]), pattern, text);
      const range = await get(`/read-range?root=notes&path=${path}&start_line=1&line_count=1`);
      assert.deepEqual([range.status, range.code], [400, "invalid-argument"], "lines are of text files");
    }
    const paths = [...Object.keys(expected), "broken.pdf", "none.pdf"];
    const response = await fetch(`${url}/call`, {
      method: "POST",
      body: JSON.stringify({ tool: "read_multiple_files", args: { root: "notes", paths } }),
      headers: { "content-type": "application/json" },
    });
    const several = (await answerOf(response)).json?.["files"] as { content?: string; error?: string }[];
    assert.deepEqual(several.map(({ content, error }) => error ?? /budget/.test(content ?? "")), [
      ...[true, true, true, true],
      ...["archive-rejected", "file-not-found"],
    ]);
    const broken = await get("/read?root=notes&path=broken.pdf");
    assert.deepEqual([broken.status, broken.code], [422, "archive-rejected"]);

    const found = (await get("/search?root=notes&q=budget")).json;
    const matches = found?.["matches"] as { ref: string; location?: string }[];
    assert.deepEqual(matches.map(({ ref, location }) => `${ref} ${location}`), [
      "notes/a.docx ¶1",
      "notes/a.pdf p.2",
      "notes/a.pptx slide 1",
      "notes/a.xlsx Sheet1!2-3",
    ]);
    const listed = (await get("/files?root=notes")).json;
    const names = (listed?.["entries"] as { name: string }[]).map(({ name }) => name);
    assert.deepEqual(
      names,
      Object.keys(documents).toSorted(),
      "a name that is no text is left out and breaks nothing",
    );
  });
});
