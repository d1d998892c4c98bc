/**
 * Unpacks one member of an archive, never beyond the size that the directory promised, and holds it to that size and to its
 * checksum: a directory can lie.
 */

import { crc32, inflateRawSync } from "node:zlib";
import { Rejection } from "./rejection.ts";
import type { ZipMember } from "./zip_directory.ts";

export function unpackMember(archive: Uint8Array, member: ZipMember): Uint8Array {
  const packed = archive.subarray(member.dataOffset, member.dataOffset + member.packedSize);
  const bytes = member.method === "stored" ? packed : inflate(packed, member.size);
  if (bytes.byteLength !== member.size) throw new Rejection("size-mismatch");
  if (crc32(bytes) !== member.crc32) throw new Rejection("checksum");
  return bytes;
}

function inflate(packed: Uint8Array, size: number): Uint8Array {
  try {
    // A stream of nothing still has a buffer of one byte.
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    throw new Rejection(code === "ERR_BUFFER_TOO_LARGE" ? "size-mismatch" : "damaged");
  }
}
