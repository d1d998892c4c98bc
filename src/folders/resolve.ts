/**
 * The file system as folders see it: the only place under `folders/` that touches it, and always for reading.
 *
 * Files are opened without blocking, since opening a pipe that nobody writes to would keep a thread for ever. That a path
 * stays below its root is `contain.ts`'s to check: neither Deno's permission nor `O_NOFOLLOW` does (a link inside an allowed
 * folder is followed wherever it leads).
 */

import fs from "node:fs";
import { type Disk, type DiskEntry, type DiskFacts, DiskFault, type DiskFile } from "./disk.ts";

const { O_RDONLY } = fs.constants;
/** Windows has neither. */
const flags = O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0);

export const systemDisk: Disk = {
  realPath: (path) => asked((done) => fs.realpath(path, done)),
  async look(path) {
    return factsOf(await asked<fs.BigIntStats>((done) => fs.lstat(path, { bigint: true }, done)));
  },
  async open(path) {
    return openFile(await asked<number>((done) => fs.open(path, flags, done)));
  },
  async list(path, see) {
    try {
      for await (const entry of Deno.readDir(path)) {
        if (!see({ name: entry.name, kind: kindOfEntry(entry) })) return;
      }
    } catch (error) {
      throw faultOf(error);
    }
  },
};

function openFile(descriptor: number): DiskFile {
  return {
    async facts() {
      return factsOf(await asked<fs.BigIntStats>((done) => fs.fstat(descriptor, { bigint: true }, done)));
    },
    async read(into, position) {
      let filled = 0;
      while (filled < into.length) {
        const wanted = into.length - filled;
        const got = await asked<number>((done) =>
          fs.read(descriptor, into, filled, wanted, position + filled, done)
        );
        if (got === 0) break;
        filled += got;
      }
      return filled;
    },
    close: () => asked<void>((done) => fs.close(descriptor, (error) => done(error, undefined))),
  };
}

type Done<T> = (error: Error | null, value: T) => void;

async function asked<T>(ask: (done: Done<T>) => void): Promise<T> {
  try {
    return await new Promise<T>((resolve, reject) =>
      ask((error, value) => error === null || error === undefined ? resolve(value) : reject(error))
    );
  } catch (error) {
    throw faultOf(error);
  }
}

/** The only errors that mean something else than that it cannot be read. */
const kinds: Readonly<Record<string, DiskFault["kind"]>> = {
  ENOENT: "absent",
  ELOOP: "absent",
  ENAMETOOLONG: "absent",
  ENXIO: "absent",
  ESTALE: "absent",
  EINVAL: "absent",
  ENOTDIR: "not-a-directory",
};

/** What this process lacks: no fault of the disk, and no reason to call a file unreadable. */
const ownShortage: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM"]);

/**
 * What a disk answers has an outcome: "denied" where no other is known, since file systems have errors that no list holds.
 * Everything else is unexpected, and its own message never leaves the log's reach.
 */
export function faultOf(error: unknown): unknown {
  if (error instanceof Deno.errors.NotCapable) return new DiskFault("denied");
  // A link whose real path is not UTF-8. Such names are opened nowhere.
  if (error instanceof Deno.errors.InvalidData) return new DiskFault("absent");
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^E[A-Z0-9]+$/.test(code) && !ownShortage.has(code) ? new DiskFault(kinds[code] ?? "denied") : error;
}

function factsOf(stats: fs.BigIntStats): DiskFacts {
  return {
    kind: stats.isFile()
      ? "file"
      : stats.isDirectory()
      ? "directory"
      : stats.isSymbolicLink()
      ? "symlink"
      : "other",
    identity: `${stats.dev}:${stats.ino}`,
    size: Number(stats.size),
    modified: Number(stats.mtimeMs),
    changed: Number(stats.ctimeMs),
    links: Number(stats.nlink),
  };
}

function kindOfEntry(entry: Deno.DirEntry): DiskEntry["kind"] {
  if (entry.isSymlink) return "symlink";
  return entry.isFile ? "file" : entry.isDirectory ? "directory" : "other";
}
