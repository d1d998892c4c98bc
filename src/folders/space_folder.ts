/**
 * The folder of a SilverBullet space, read beside its HTTP API: one file at a time, and hints of what changes.
 *
 * Never follows a link out of the folder, never waits for a pipe, never answers a file that changed while it was read.
 * What is not read here is no error: the caller has another way. Whether it is the same space is not judged here.
 */

import { sep } from "node:path";
import type { Clock } from "../core/clock.ts";
import { listedRelPath } from "../core/rel_path.ts";
import { Containment, type OpenFile } from "./contain.ts";
import type { Disk } from "./disk.ts";
import { systemDisk } from "./resolve.ts";
import { Pace } from "./pace.ts";
import { DiskSlots, Turn } from "./turn.ts";
import { readBytes } from "./windows.ts";

export interface SpaceFolderOptions {
  /** Canonical absolute path. */
  readonly path: string;
  readonly clock: Clock;
  readonly disk?: Disk;
}

/** What is there under a name. `stalled`: the disk does not answer in time. */
export type FolderRead =
  | {
    readonly kind: "file";
    readonly bytes: Uint8Array<ArrayBuffer>;
    /** Milliseconds since the epoch, rounded down. */
    readonly modified: number;
  }
  | { readonly kind: "none" }
  | { readonly kind: "stalled" };

export interface FolderReadOptions {
  /** Bytes that it has to have. */
  readonly size: number;
  readonly signal: AbortSignal;
}

export interface WatchOptions {
  /** Paths that may have changed, relative, with slashes; `null` where it is not known which. */
  readonly told: (paths: readonly string[] | null) => void;
  /** Nothing is told any more: the system does not watch this folder, or has stopped to. */
  readonly ended: () => void;
}

export interface SpaceFolder {
  /** A file as a whole. Rejects only when the signal aborts. */
  read(path: string, options: FolderReadOptions): Promise<FolderRead>;
  /** Answers how to stop. */
  watch(options: WatchOptions): () => void;
}

/** Fewer than the threads that the file system has, so that a disk that hangs leaves some. */
const maxSteps = 3;
const limitMs = 3_000;

export function openSpaceFolder({ path, clock, disk = systemDisk }: SpaceFolderOptions): SpaceFolder {
  const slots = new DiskSlots(maxSteps);
  const folder = new Containment({
    alias: "space",
    path,
    hides: (segments) => segments.some((segment) => segment.startsWith(".")),
    refuseHardLinks: false,
    slots,
    pace: new Pace(clock),
    now: () => clock.now(),
  });
  return {
    async read(name, { size, signal }) {
      const parsed = listedRelPath(name.split("/"));
      if (parsed === null) return { kind: "none" };
      const turn = new Turn({ disk, slots, clock, signal, limitMs });
      try {
        const file = await folder.open(await folder.locate(parsed, turn), turn);
        try {
          return await wholeFile(file, { name, size });
        } finally {
          await file.close();
        }
      } catch {
        signal.throwIfAborted();
        return { kind: turn.ended ? "stalled" : "none" };
      } finally {
        turn.close();
      }
    },
    watch: (options) => watchFolder(path, options),
  };
}

/** The file, where it has that name without any link, that size, and is the same before and after. */
async function wholeFile(
  file: OpenFile,
  { name, size }: { readonly name: string; readonly size: number },
): Promise<FolderRead> {
  const { opened } = file;
  if (file.segments.join("/") !== name || opened.size !== size) return { kind: "none" };
  const bytes = await readBytes(file, 0, size + 1);
  const after = await file.facts();
  const isSteady = after.size === size && after.modified === opened.modified &&
    after.changed === opened.changed;
  if (!isSteady || bytes.length !== size) return { kind: "none" };
  return { kind: "file", bytes, modified: opened.modified };
}

function watchFolder(path: string, { told, ended }: WatchOptions): () => void {
  let isStopped = false;
  let watcher: Deno.FsWatcher;
  try {
    watcher = Deno.watchFs(path, { recursive: true });
  } catch {
    // More folders than the system watches, or a file system that tells nothing.
    ended();
    return () => {};
  }
  void (async () => {
    try {
      for await (const { kind, paths, flag } of watcher) {
        if (kind === "access") continue;
        const known = flag === "rescan" || kind === "any" || kind === "other" ? [] : paths.flatMap(below);
        told(known.length === 0 ? null : known);
      }
    } catch {
      // Told by what follows.
    }
    if (!isStopped) ended();
  })();
  return () => {
    if (isStopped) return;
    isStopped = true;
    watcher.close();
  };

  function below(changed: string): string[] {
    return changed.startsWith(path + sep) ? [changed.slice(path.length + 1).replaceAll(sep, "/")] : [];
  }
}
