import assert from "node:assert/strict";
import { cites } from "../../tests/requirements.ts";
import { systemClock } from "../core/clock.ts";
import type { Disk } from "./disk.ts";
import { systemDisk } from "./resolve.ts";
import { type FolderRead, openSpaceFolder, type SpaceFolder } from "./space_folder.ts";

const { signal } = new AbortController();

async function withSpace(work: (dir: string, folder: SpaceFolder) => Promise<void>): Promise<void> {
  const dir = await Deno.realPath(await Deno.makeTempDir({ prefix: "space-" }));
  try {
    await Deno.mkdir(`${dir}/space/Sub`, { recursive: true });
    await work(`${dir}/space`, openSpaceFolder({ path: `${dir}/space`, clock: systemClock }));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

function textOf(found: FolderRead): string | null {
  return found.kind === "file" ? new TextDecoder().decode(found.bytes) : null;
}

Deno.test("read() answers a file of that size with its time, in any folder, and an empty one", async () => {
  await withSpace(async (dir, folder) => {
    await Deno.writeTextFile(`${dir}/Sub/Ünï 系.md`, "text");
    await Deno.writeTextFile(`${dir}/empty.md`, "");
    await Deno.utime(`${dir}/Sub/Ünï 系.md`, 1_700_000_000.25, 1_700_000_000.25);
    const found = await folder.read("Sub/Ünï 系.md", { size: 4, signal });
    assert.equal(textOf(found), "text");
    assert.equal(found.kind === "file" && found.modified, 1_700_000_000_250);
    assert.equal(textOf(await folder.read("empty.md", { size: 0, signal })), "");
  });
});

Deno.test({
  name: "read() answers nothing that is not a plain file of the folder",
  ignore: Deno.build.os === "windows",
  async fn() {
    cites("find.folder");
    await withSpace(async (dir, folder) => {
      await Deno.writeTextFile(`${dir}/../secret.md`, "secret");
      await Deno.mkdir(`${dir}/../outside`);
      await Deno.writeTextFile(`${dir}/../outside/a.md`, "secret");
      await Deno.symlink("../secret.md", `${dir}/link.md`);
      await Deno.symlink("../outside", `${dir}/out`);
      await Deno.writeTextFile(`${dir}/real.md`, "inside");
      await Deno.symlink("real.md", `${dir}/within.md`);
      await Deno.symlink("nowhere", `${dir}/dangling.md`);
      await Deno.symlink("loop.md", `${dir}/loop.md`);
      await Deno.mkdir(`${dir}/.git`);
      await Deno.writeTextFile(`${dir}/.git/a.md`, "secret");
      await Deno.writeTextFile(`${dir}/.hidden.md`, "secret");
      const { success } = await new Deno.Command("mkfifo", { args: [`${dir}/pipe.md`] }).output();
      assert.ok(success);
      const names = [
        ...["link.md", "out/a.md", "within.md", "dangling.md", "loop.md", "pipe.md", "Sub", "missing.md"],
        ...[
          ".git/a.md",
          ".hidden.md",
          "../secret.md",
          "Sub/../../secret.md",
          `${dir}/real.md`,
          "",
          ".",
          "a\0.md",
        ],
        ...["real.md/x.md", "x".repeat(5000), "Sub\\..\\..\\secret.md", "\ud800.md"],
      ];
      for (const name of names) {
        const found = await folder.read(name, { size: 6, signal });
        assert.deepEqual(found, { kind: "none" }, JSON.stringify(name));
      }
      assert.equal(textOf(await folder.read("real.md", { size: 6, signal })), "inside");
    });
  },
});

Deno.test("read() answers no file of another size, and none that changes while it is read", async () => {
  await withSpace(async (dir, _) => {
    await Deno.writeTextFile(`${dir}/a.md`, "twelve bytes");
    await Deno.utime(`${dir}/a.md`, 1_700_000_000, 1_700_000_000);
    let meanwhile = () => Promise.resolve();
    const disk: Disk = {
      ...systemDisk,
      async open(path) {
        const file = await systemDisk.open(path);
        return {
          ...file,
          async read(into, position) {
            const got = await file.read(into, position);
            await meanwhile();
            return got;
          },
        };
      },
    };
    const folder = openSpaceFolder({ path: dir, clock: systemClock, disk });
    const read = (size: number) => folder.read("a.md", { size, signal });
    assert.equal(textOf(await read(12)), "twelve bytes");
    assert.deepEqual([await read(11), await read(13)], [{ kind: "none" }, { kind: "none" }]);
    meanwhile = () => Deno.writeTextFile(`${dir}/a.md`, "TWELVE bytes");
    assert.deepEqual(await read(12), { kind: "none" });
    meanwhile = () => Deno.writeTextFile(`${dir}/a.md`, " more", { append: true });
    assert.deepEqual(await read(12), { kind: "none" });
  });
});

Deno.test("read() gives up on a disk that does not answer, and says so", async () => {
  await withSpace(async (dir) => {
    await Deno.writeTextFile(`${dir}/a.md`, "text");
    const disk: Disk = { ...systemDisk, realPath: () => new Promise(() => {}) };
    const sleeps: Array<() => void> = [];
    const clock = { ...systemClock, sleep: () => new Promise<void>((resolve) => sleeps.push(resolve)) };
    const folder = openSpaceFolder({ path: dir, clock, disk });
    const reading = folder.read("a.md", { size: 4, signal });
    for (const wake of sleeps) wake();
    assert.deepEqual(await reading, { kind: "stalled" });
    const stop = new AbortController();
    const aborted = folder.read("a.md", { size: 4, signal: stop.signal });
    stop.abort(new Error("enough"));
    await assert.rejects(aborted, /enough/);
  });
});

Deno.test("watch() tells what changes below the folder until it is stopped", async () => {
  await withSpace(async (dir, folder) => {
    const seen = new Set<string>();
    const { promise, resolve } = Promise.withResolvers<void>();
    let hasEnded = false;
    const stop = folder.watch({
      told(paths) {
        for (const path of paths ?? []) seen.add(path);
        if (seen.has("Sub/new.md")) resolve();
      },
      ended: () => hasEnded = true,
    });
    await Deno.writeTextFile(`${dir}/Sub/new.md`, "text");
    await promise;
    assert.ok([...seen].every((path) => path === "Sub" || path === "Sub/new.md"), [...seen].join());
    stop();
    stop();
    assert.equal(hasEnded, false);
  });
});

Deno.test("watch() says at once where nothing can be watched", () => {
  const folder = openSpaceFolder({ path: "/nowhere/at/all", clock: systemClock });
  let hasEnded = false;
  folder.watch({ told: () => {}, ended: () => hasEnded = true })();
  assert.ok(hasEnded);
});
