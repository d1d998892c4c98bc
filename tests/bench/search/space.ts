/**
 * An embedded SilverBullet as a process of its own, over so many pages that read like text, or over the pages of a folder.
 * Prints its address and serves until its standard input ends.
 *
 *     deno run -A tests/bench/search/space.ts PAGES|FOLDER [GENERATION]
 */

import { type Generation, generations } from "../../../src/silverbullet/embedded/generations.ts";
import { startEmbedded } from "../../../src/silverbullet/embedded/server.ts";
import { spaceToken } from "../../support/app.ts";
import { pagesBelow, readPage } from "./vault.ts";
import { pageText, pathOf } from "./words.ts";

function madePages(count: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let number = 0; number < count; number++) files[pathOf(number)] = pageText(number);
  return files;
}

if (import.meta.main) {
  const [what = "10000", wanted] = Deno.args;
  const generation: Generation = generations.find((name) => name === wanted) ?? "2.12";
  const isCount = /^\d+$/.test(what);
  const space = await startEmbedded({
    files: isCount ? madePages(Number(what)) : {},
    generation,
    user: "owner:secret-password",
    token: spaceToken,
  });
  for (const path of isCount ? [] : await pagesBelow(what)) {
    const { text, modified } = await readPage(what, path);
    space.files.put(path, text, { modified: Math.floor(modified) });
  }
  console.log(space.url);
  for await (const _ of Deno.stdin.readable) continue;
  await space.close();
}
