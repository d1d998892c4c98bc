/**
 * An embedded SilverBullet as a process of its own, over so many pages that read like text. Prints its address and serves
 * until its standard input ends.
 *
 *     deno run -A tests/bench/search/space.ts PAGES [GENERATION]
 */

import { type Generation, generations } from "../../../src/silverbullet/embedded/generations.ts";
import { startEmbedded } from "../../../src/silverbullet/embedded/server.ts";
import { spaceToken } from "../../support/app.ts";
import { pageText, pathOf } from "./words.ts";

if (import.meta.main) {
  const pages = Number(Deno.args[0] ?? "10000");
  const generation: Generation = generations.find((name) => name === Deno.args[1]) ?? "2.12";
  const files: Record<string, string> = {};
  for (let number = 0; number < pages; number++) files[pathOf(number)] = pageText(number);
  const space = await startEmbedded({
    files,
    generation,
    user: "owner:secret-password",
    token: spaceToken,
  });
  console.log(space.url);
  for await (const _ of Deno.stdin.readable) continue;
  await space.close();
}
