/**
 * Swaps what stands at a path, as fast as it can, a fixed number of times: `flipper.ts file|folder PATH TARGET FLIPS`. The file or
 * folder at PATH is there half of the time, a link to TARGET the other half.
 */

const [kind = "", path = "", target = "", flips = "0"] = Deno.args;
const [real, link] = [`${path}.real`, `${path}.link`];

Deno.symlinkSync(target, link);
if (kind === "file") {
  // A hard link of each is renamed over the other, so that the name is never missing.
  Deno.linkSync(path, real);
  for (let flip = 0; flip < Number(flips); flip++) {
    Deno.symlinkSync(target, `${path}.next`);
    Deno.renameSync(`${path}.next`, path);
    Deno.linkSync(real, `${path}.next`);
    Deno.renameSync(`${path}.next`, path);
  }
  Deno.removeSync(real);
} else {
  for (let flip = 0; flip < Number(flips); flip++) {
    Deno.renameSync(path, real);
    Deno.renameSync(link, path);
    Deno.renameSync(path, link);
    Deno.renameSync(real, path);
  }
}
Deno.removeSync(link);
