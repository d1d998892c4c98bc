/** Content that looks like a pattern, a path or a command, or is as long as a page may be: stored as it is, over the wire. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { withServerTools } from "../support/note_tools.ts";

const before = "---\nk: v\n---\n# H\n\nhere\n\n# End\n";

const contents: Readonly<Record<string, string>> = {
  "replacement patterns": "$& $1 $$ $` $' $<name> \\1 \\g<0> %s {{x}}",
  "regex characters": "^.*+?(a|b)[c]{2}\\d$ (?<x>y) /x/g",
  "a NUL and controls": "a\0b\x01\x1b[31m\x7f",
  "emoji and combining marks": "😀👩‍💻🏳️‍🌈 e\u0301 日本語 𝒳",
  "right-to-left marks": "\u200f\u202eabc\u202c\u2067x\u2069",
  "separators that are no line breaks": "a\u2028b\u2029c\u0085d\fe\vf\rg",
  "line breaks of the other kind": "a\r\nb\r\nc",
  "a quarter of a megabyte": "0123456789abcde\n".repeat(16_200).trimEnd(),
};

/** Each edit that takes content, with what the page then is. */
function edits(content: string) {
  const text = content.replaceAll("\r\n", "\n");
  return [
    ["append_to_page", { content }, `${before}\n${text}\n`],
    ["prepend_to_page", { content }, before.replace("---\n# H", () => `---\n${text}\n\n# H`)],
    ["patch_page_replace", { find: "here", replace: content }, before.replace("here", () => text)],
    ["patch_page_lines", { start_line: 6, end_line: 6, content }, before.replace("here", () => text)],
    ["patch_section", { section: "H", action: "replace", content }, before.replace("here", () => text)],
    ["write_page", { content: before.replace("here", () => content) }, before.replace("here", () => content)],
  ] as const;
}

for (const generation of ["go-2.9", "2.12"] as const) {
  Deno.test(`content is taken literally by every edit, whatever it looks like (${generation})`, async () => {
    cites("edits.bytes");
    await withServerTools({ generation, files: { "A.md": before } }, async ({ call, server }) => {
      for (const [name, content] of Object.entries(contents)) {
        for (const [tool, input, after] of edits(content)) {
          const page = `${tool} with ${name}`;
          server.files.put(`${page}.md`, before);
          const { json } = await call("read_page", { page });
          const answer = await call(tool, { page, ...input, if_match: json["etag"] });
          assert.equal(answer.outcome.kind, "done", `${tool} ${name} ${answer.texts[0]?.slice(0, 300)}`);
          const there = server.files.text(`${page}.md`);
          assert.ok(there === after, `${page}: ${JSON.stringify(there?.slice(0, 200))}`);
          const read = await call("read_page", { page, max_bytes: 1_000_000 });
          assert.ok(read.texts[1] === after, `${page}, read back`);
        }
      }
    });
  });

  Deno.test(`text that is sought is taken literally, too (${generation})`, async () => {
    cites("edits.bytes");
    await withServerTools({ generation, files: {} }, async ({ call, server }) => {
      for (const [name, content] of Object.entries(contents)) {
        server.files.put("A.md", `<${content}>\n`);
        const answer = await call("patch_page_replace", { page: "A", find: content, replace: "x" });
        assert.equal(answer.outcome.kind, "done", `${name} ${answer.texts[0]?.slice(0, 300)}`);
        assert.equal(server.files.text("A.md"), "<x>\n", name);
      }
    });
  });
}

Deno.test("half of a surrogate pair is refused by every edit, since it cannot be stored", async () => {
  cites("edits.bytes");
  await withServerTools({ files: { "A.md": before } }, async ({ call, server }) => {
    for (const [tool, input] of edits("a\ud83d")) {
      const { json } = await call("read_page", { page: "A" });
      const answer = await call(tool, { page: "A", ...input, if_match: json["etag"] });
      assert.equal(answer.json["error"], "invalid_argument", tool);
    }
    assert.equal(server.files.text("A.md"), before);
  });
});
