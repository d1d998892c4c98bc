/** The space that one embedded server serves: its files, the bundled layer under or over them, and its settings. */

import type { EmbeddedFiles, StoredFile } from "./files.ts";
import type { GenerationTraits } from "./generations.ts";
import type { EmbeddedRevisions } from "./revisions.ts";

export interface Space {
  readonly traits: GenerationTraits;
  readonly files: EmbeddedFiles;
  /** Read-only files that come with the program, as SilverBullet's standard library does. */
  readonly bundled: ReadonlyMap<string, StoredFile>;
  readonly readOnly: boolean;
  readonly spaceName: string;
  readonly indexPage: string;
  /** `null`: switched off, as they are by default. */
  readonly revisions: EmbeddedRevisions | null;
}

export interface FoundFile {
  readonly file: StoredFile;
  readonly readOnly: boolean;
}

/** What a read of `path` meets: Go and Deno look at the bundled layer first, Rust at the disk. */
export function findFile(space: Space, path: string): FoundFile | null {
  const disk = space.files.get(path);
  const bundled = space.bundled.get(path);
  const onDisk = disk === null ? null : { file: disk, readOnly: false };
  const inBundle = bundled === undefined ? null : { file: bundled, readOnly: true };
  return space.traits.family === "rust" ? onDisk ?? inBundle : inBundle ?? onDisk;
}

/** Metadata headers of one file, in the unit and selection of the generation. */
export function fileHeaders(space: Space, path: string, found: FoundFile): Record<string, string> {
  const { traits } = space;
  const type = contentTypeOf(path, traits.family);
  return {
    "Content-Type": type,
    ...(traits.typeHeaderAlways ? { "X-Content-Type": type } : {}),
    "X-Last-Modified": String(timeOf(space, found.file.modified)),
    "X-Created": String(timeOf(space, createdOf(space, found.file))),
    "X-Content-Length": String(found.readOnly && traits.family === "deno" ? -1 : found.file.bytes.length),
    "X-Permission": found.readOnly ? "ro" : "rw",
    "Cache-Control": "no-cache",
  };
}

/** `ETag` and its like of a file, where the generation has them; empty elsewhere. */
export function revisionHeaders(space: Space, hash: string | null): Record<string, string> {
  if (!space.traits.conditional || hash === null) return {};
  const value = `"sha256:${hash}"`;
  return space.traits.revisionHeader
    ? { "ETag": value, "X-SilverBullet-Revision": value }
    : { "ETag": value };
}

/** Rows of the list; Go lists a shadowed bundled file twice. */
export function listRows(space: Space): Record<string, string | number>[] {
  const { traits } = space;
  const rows: Record<string, string | number>[] = [];
  for (const [path, file] of space.bundled) {
    if (traits.family === "rust" && space.files.get(path) !== null) continue;
    rows.push(row(space, path, { file, readOnly: true }));
  }
  for (const path of space.files.paths()) {
    const file = space.files.get(path);
    if (file === null || !isListed(path, traits)) continue;
    if (traits.family === "deno" && space.bundled.has(path)) continue;
    rows.push(row(space, path, { file, readOnly: false }));
  }
  return rows;
}

export function isListed(path: string, traits: GenerationTraits): boolean {
  const segments = path.split("/");
  if (traits.listsExtensionless) return !path.startsWith(".");
  return !segments.some((segment) => segment.startsWith(".")) && /\.[^./]+$/.test(path);
}

export function timeOf(space: Space, milliseconds: number): number {
  return space.traits.seconds ? Math.floor(milliseconds / 1000) : milliseconds;
}

function row(space: Space, path: string, found: FoundFile): Record<string, string | number> {
  const { family } = space.traits;
  return {
    name: path,
    created: timeOf(space, createdOf(space, found.file)),
    lastModified: timeOf(space, found.file.modified),
    contentType: contentTypeOf(path, family),
    size: found.readOnly && family === "deno" ? -1 : found.file.bytes.length,
    perm: found.readOnly || (family === "deno" && space.readOnly) ? "ro" : "rw",
  };
}

function createdOf(space: Space, file: StoredFile): number {
  return space.traits.family === "go" ? file.changed : file.created;
}

const types: Readonly<Record<string, string>> = {
  md: "text/markdown",
  txt: "text/plain",
  html: "text/html",
  css: "text/css",
  js: "text/javascript",
  json: "application/json",
  pdf: "application/pdf",
  png: "image/png",
  jpg: "image/jpeg",
  svg: "image/svg+xml",
};

export function contentTypeOf(path: string, family: GenerationTraits["family"]): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const type = types[extension] ?? "application/octet-stream";
  const charset = family === "go" && type.startsWith("text/") && type !== "text/markdown";
  return charset ? `${type}; charset=utf-8` : type;
}
