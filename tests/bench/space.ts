/**
 * The embedded SilverBullet as a process of its own, over so many pages of about 3 KB, so that it shares no thread with
 * the load. Prints its address and serves until its standard input ends.
 *
 *     deno run -A tests/bench/space.ts PAGES [GENERATION]
 */

import { type Generation, generations } from "../../src/silverbullet/embedded/generations.ts";
import { startEmbedded } from "../../src/silverbullet/embedded/server.ts";
import { spaceToken } from "../support/app.ts";
import { pageName } from "./pages.ts";

/** The same on every run: names, links and words follow from the number. */
function page(number: number): string {
  const lines = [
    `# Page ${number}`,
    "",
    `See [[Folder ${number % 50}/Page ${(number * 7) % 1000}]] #tag${number % 20}`,
    "",
  ];
  for (let line = 0; line < 36; line++) {
    lines.push(
      `Line ${line} of page ${number}: ${((number + 1) * (line + 3) * 7919).toString(36).repeat(8)}`,
    );
  }
  return `${lines.join("\n")}\n`;
}

function generationOf(word: string | undefined): Generation {
  return generations.find((generation) => generation === word) ?? "2.12";
}

if (import.meta.main) {
  const pages = Number(Deno.args[0] ?? "1000");
  const files: Record<string, string> = {};
  for (let number = 0; number < pages; number++) files[`${pageName(number)}.md`] = page(number);
  const space = await startEmbedded({
    files,
    generation: generationOf(Deno.args[1]),
    user: "owner:secret-password",
    token: spaceToken,
  });
  console.log(space.url);
  for await (const _ of Deno.stdin.readable) continue;
  await space.close();
}
