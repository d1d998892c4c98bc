/**
 * The contents that the history holds: each once, by its hash, compressed.
 *
 * Knows nothing of pages. A content lives as long as a change refers to it.
 */

import { promisify } from "node:util";
import { deflateRaw, deflateRawSync, inflateRawSync } from "node:zlib";
import type { ContentHash } from "../../core/page_store.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { bytesColumn, numberColumn, textColumn } from "../../state/rows.ts";
import type { State } from "../../state/state.ts";

export interface PackedText {
  readonly hash: ContentHash;
  readonly size: number;
  readonly packing: "raw" | "deflate";
  readonly packed: Uint8Array;
}

const deflate = promisify<Uint8Array, { level: number }, Uint8Array>(deflateRaw);
const level = 3;
/** Smaller contents are compressed at once, in well under a millisecond. */
const syncBytes = 32 * 1024;

export class Texts {
  readonly #statements;

  constructor(state: State) {
    this.#statements = prepare(state);
  }

  has(hash: ContentHash): boolean {
    return this.#statements.has.get(hash) !== undefined;
  }

  /** Bytes of that content, or `null` when it is not kept. */
  size(hash: ContentHash): number | null {
    const row = this.#statements.size.get(hash);
    return row === undefined ? null : numberColumn(row, "size");
  }

  /** Bytes that all contents take, compressed. */
  bytes(): number {
    const row = this.#statements.bytes.get();
    return row === undefined ? 0 : numberColumn(row, "bytes");
  }

  /** The content ready to be kept, or `null` when it is kept already. */
  async pack(hash: ContentHash, bytes: Uint8Array): Promise<PackedText | null> {
    return this.has(hash) ? null : await packText(hash, bytes);
  }

  /** Inside a transaction. */
  keep(text: PackedText): void {
    this.#statements.keep.run(text.hash, text.size, text.packing, text.packed);
  }

  /** The content to the byte, or `null` when it is not kept or no longer what it was. */
  read(hash: ContentHash): Uint8Array<ArrayBuffer> | null {
    const row = this.#statements.read.get(hash);
    if (row === undefined) return null;
    const packed = bytesColumn(row, "packed");
    const size = numberColumn(row, "size");
    try {
      const raw = textColumn(row, "packing") === "raw";
      const bytes = new Uint8Array(
        raw ? packed : inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) }),
      );
      return sha256Hex(bytes) === hash ? bytes : null;
    } catch {
      return null;
    }
  }

  /** Removes these contents where no change needs them. Inside a transaction. */
  drop(hashes: readonly (ContentHash | null)[]): void {
    for (const hash of hashes) if (hash !== null) this.#statements.drop.run(hash);
  }

  /** Removes up to `limit` contents that no change needs; answers how many. Inside a transaction. */
  sweep(limit: number): number {
    return Number(this.#statements.sweep.run(limit).changes);
  }
}

export async function packText(hash: ContentHash, bytes: Uint8Array): Promise<PackedText> {
  const packed = bytes.length <= syncBytes
    ? deflateRawSync(bytes, { level })
    : await deflate(bytes, { level });
  const worthIt = packed.length < bytes.length * 0.9;
  return {
    hash,
    size: bytes.length,
    packing: worthIt ? "deflate" : "raw",
    packed: worthIt ? packed : bytes,
  };
}

/**
 * A purge leaves the hash of what was destroyed in its row; that keeps no content alive. The steps of a move do, until
 * it has come to its end.
 */
const unneeded = `
  NOT EXISTS (SELECT 1 FROM changes WHERE before_hash = texts.hash AND action <> 'purge')
  AND NOT EXISTS (SELECT 1 FROM changes WHERE after_hash = texts.hash)
  AND NOT EXISTS (SELECT 1 FROM move_steps WHERE before_hash = texts.hash)
  AND NOT EXISTS (SELECT 1 FROM move_steps WHERE after_hash = texts.hash)`;

function prepare({ db }: State) {
  return {
    has: db.prepare("SELECT 1 AS found FROM texts WHERE hash = ?"),
    size: db.prepare("SELECT size FROM texts WHERE hash = ?"),
    bytes: db.prepare("SELECT bytes FROM sizes WHERE name = 'texts'"),
    keep: db.prepare("INSERT OR IGNORE INTO texts (hash, size, packing, packed) VALUES (?, ?, ?, ?)"),
    read: db.prepare("SELECT size, packing, packed FROM texts WHERE hash = ?"),
    drop: db.prepare(`DELETE FROM texts WHERE hash = ? AND ${unneeded}`),
    sweep: db.prepare(`DELETE FROM texts WHERE hash IN (SELECT hash FROM texts WHERE ${unneeded} LIMIT ?)`),
  };
}
