/** Keeps the blocks that people copy from a page well-formed: JSON parses, and an address in it is the default one. */

import assert from "node:assert/strict";
import { cites } from "../requirements.ts";
import { readAll } from "./tree.ts";

interface Block {
  readonly language: string;
  readonly text: string;
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
    .map((match) => ({ language: match[1] ?? "", text: match[2] ?? "" }));
}

/** What is wrong with a block, or `null`. */
function blockProblem({ language, text }: Block): string | null {
  if (language === "json") {
    try {
      JSON.parse(text);
    } catch {
      return "is no JSON";
    }
  }
  const addresses = text.match(/https?:\/\/127\.0\.0\.1[^\s"'`]*/g) ?? [];
  const wrong = addresses.find((address) => !/^http:\/\/127\.0\.0\.1:(8787|3000)(\/|$)/.test(address));
  return wrong === undefined ? null : `has the address ${wrong}`;
}

Deno.test("every block to copy from a page is well-formed", () => {
  cites("repo.docs");
  const pages = readAll((path) => path === "README.md" || (path.startsWith("docs/") && path.endsWith(".md")));
  const problems = pages.flatMap(([path, text]) =>
    blocksOf(text).flatMap((block) => {
      const problem = blockProblem(block);
      return problem === null ? [] : [`${path}: a block ${problem}: ${block.text.slice(0, 60)}`];
    })
  );
  assert.deepEqual(problems, []);
});

Deno.test("blockProblem() sees a missing brace and a foreign address", () => {
  const block = (language: string, text: string) =>
    blockProblem(blocksOf(`\n\`\`\`${language}\n${text}\n\`\`\`\n`)[0] ?? assert.fail());
  assert.equal(block("json", `{"a": "http://127.0.0.1:8787/mcp"}`), null);
  assert.equal(block("json", `{"a": 1`), "is no JSON");
  assert.match(block("", "curl http://127.0.0.1:9999/mcp") ?? "", /9999/);
});
