/**
 * What folders need of a file system: look, open for reading, list. There is no way to write in it.
 *
 * Errors are told by their class alone (`DiskFault`): the words of the system name absolute paths.
 */

/** What is known of a path or of an open file. */
export interface DiskFacts {
  readonly kind: "file" | "directory" | "symlink" | "other";
  /** Which thing it is, whatever its name: equal only for the same device and inode. */
  readonly identity: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
  /** When the inode changed last, as finely as the platform tells. */
  readonly changed: number;
  /** Names that lead to it. */
  readonly links: number;
}

export interface DiskEntry {
  readonly name: string;
  readonly kind: DiskFacts["kind"];
}

export interface DiskFile {
  facts(): Promise<DiskFacts>;
  /** Fills `into` from byte `position` on as far as the file goes; answers how many bytes that were. */
  read(into: Uint8Array, position: number): Promise<number>;
  close(): Promise<void>;
}

export interface Disk {
  /** The same path without links. */
  realPath(path: string): Promise<string>;
  /** Of the path itself: a link is not followed. */
  look(path: string): Promise<DiskFacts>;
  /** Never waits for a writer, as opening a pipe would. */
  open(path: string): Promise<DiskFile>;
  /** Calls `see` for each entry, in no order, until it answers `false`. */
  list(path: string, see: (entry: DiskEntry) => boolean): Promise<void>;
}

export type DiskFaultKind = "absent" | "not-a-directory" | "denied" | "not-answering";

export class DiskFault extends Error {
  readonly kind: DiskFaultKind;

  constructor(kind: DiskFaultKind) {
    super(kind);
    this.name = "DiskFault";
    this.kind = kind;
  }
}
