import assert from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { cites } from "../../tests/requirements.ts";
import { canary, type FolderTree, refusalOf, whole, withFolders } from "../../tests/support/folders.ts";
import { systemClock } from "../core/clock.ts";
import type { Disk } from "./disk.ts";
import { systemDisk } from "./resolve.ts";

interface Attack {
  /** What a link takes the place of, to the folder or the file of that name outside. */
  readonly swapped: "sub" | "canary.txt";
  /** Before which step of the disk, each time. */
  readonly at: "open" | "list";
  /** When everything is as it was again: right after that step, or before the next one of that name. */
  readonly until: "at once" | "real path" | "look at the root";
}

/** A disk on which somebody swaps and swaps back at the very moments that hide it best. */
function attackedDisk({ swapped, at, until }: Attack): Disk {
  let back: (() => void) | null = null;
  const restore = () => {
    back?.();
    back = null;
  };
  async function around<T>(path: string, step: () => Promise<T>): Promise<T> {
    swap(path);
    const answer = await step();
    if (until === "at once") restore();
    return answer;
  }
  function swap(path: string): void {
    const sub = basename(path) === "sub" ? path : dirname(path);
    const root = dirname(sub);
    const victim = swapped === "sub" ? sub : join(sub, swapped);
    const held = join(dirname(root), "held");
    Deno.renameSync(victim, held);
    Deno.symlinkSync(join(dirname(root), "outside", swapped === "sub" ? "" : swapped), victim);
    back = () => {
      Deno.removeSync(victim);
      Deno.renameSync(held, victim);
    };
  }
  return {
    realPath(path) {
      if (until === "real path") restore();
      return systemDisk.realPath(path);
    },
    look(path) {
      if (until === "look at the root" && basename(path) === "root") restore();
      return systemDisk.look(path);
    },
    open: (path) => at === "open" ? around(path, () => systemDisk.open(path)) : systemDisk.open(path),
    list: (path, see) =>
      at === "list" && basename(path) === "sub"
        ? around(path, () => systemDisk.list(path, see))
        : systemDisk.list(path, see),
  };
}

const search = {
  ...{ root: "r", path: "sub", q: "CANARY", glob: null, caseSensitive: false, maxChars: null },
  ...{ encoding: null, cursor: null },
};

const read = ({ folders, caller }: FolderTree) =>
  refusalOf(() => folders.read(caller, { ...whole, root: "r", path: "sub/canary.txt" }));
const list = ({ folders, caller }: FolderTree) =>
  refusalOf(() => folders.list(caller, { root: "r", path: "sub", cursor: null }));
const find = async ({ folders, caller }: FolderTree) => {
  const { matches, skipped } = await folders.search(caller, search);
  return JSON.stringify({ matches, skipped });
};

const changing = "permission-denied changing";
/** A link where a file was listed is none of the files. */
const nothing = '{"matches":[],"skipped":{}}';
const notLookedInto = '{"matches":[],"skipped":{"unreadable":1}}';

const attacks: readonly (readonly [Attack, (tree: FolderTree) => Promise<string>, expected: string])[] = [
  [{ swapped: "canary.txt", at: "open", until: "at once" }, read, changing],
  [{ swapped: "canary.txt", at: "open", until: "real path" }, read, changing],
  [{ swapped: "sub", at: "open", until: "at once" }, read, changing],
  [{ swapped: "sub", at: "open", until: "real path" }, read, changing],
  [{ swapped: "sub", at: "open", until: "look at the root" }, read, changing],
  [{ swapped: "sub", at: "list", until: "at once" }, list, changing],
  [{ swapped: "sub", at: "list", until: "look at the root" }, list, changing],
  [{ swapped: "canary.txt", at: "open", until: "at once" }, find, nothing],
  [{ swapped: "sub", at: "open", until: "at once" }, find, notLookedInto],
  [{ swapped: "sub", at: "open", until: "look at the root" }, find, notLookedInto],
];

/** Every change lies a second back when the folders are looked at again, so that only its traces tell of it. */
const slowClock = { ...systemClock, now: () => Date.now() + 1000 };

for (const [attack, ask, expected] of attacks) {
  const { swapped, at, until } = attack;
  Deno.test(`${ask.name}: ${swapped} that is a link from ${at} until ${until} shows nothing of outside`, async () => {
    cites("folders.races");
    await withFolders({ "sub/canary.txt": "mine" }, async (tree) => {
      await Deno.utime(tree.root, 0, 0);
      const answer = await ask(tree);
      assert.equal(answer.includes(canary), false);
      assert.equal(answer, expected);
    }, { disk: attackedDisk(attack), clock: slowClock });
  });
}

Deno.test("a folder on the way that changed within the last tick of a clock is waited for", async () => {
  cites("folders.races");
  let now = 0;
  const clock = { ...systemClock, now: () => now };
  await withFolders({ "sub/canary.txt": "mine" }, async (tree) => {
    const { modified } = await systemDisk.look(tree.root);
    now = modified + 11;
    assert.equal(await read(tree), changing);
    now = modified + 12;
    assert.match(await read(tree), /"content":"mine"/);
  }, { clock });
});
