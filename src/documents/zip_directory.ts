/**
 * The directory of a ZIP archive (APPNOTE.TXT 6.3.10, §4.3), read without unpacking anything, and checked for everything
 * that an office document never has: encryption, other methods than stored and deflated, zip64, members that overlap, names
 * that are paths out of the archive or the same twice, local headers that say something else.
 *
 * The archive has to begin at the first byte and end at the last: what is both an archive and something else is refused.
 */

import type { DocumentLimits } from "./outcome.ts";
import { Rejection } from "./rejection.ts";

export interface ZipMember {
  readonly name: string;
  readonly method: "stored" | "deflated";
  readonly crc32: number;
  readonly packedSize: number;
  /** As the directory says; `zip_member.ts` holds it to that. */
  readonly size: number;
  /** Where its packed bytes begin. */
  readonly dataOffset: number;
}

export type ZipLimits = Pick<
  DocumentLimits,
  "maxMembers" | "maxUnpackedBytes" | "maxMemberBytes" | "maxRatio"
>;

const signature = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 } as const;
const size = { local: 30, central: 46, end: 22, comment: 0xffff } as const;
const saturated = { short: 0xffff, long: 0xffffffff } as const;
/** Encrypted, strongly encrypted, local header masked. */
const encryptedFlags = 0x1 | 0x40 | 0x2000;
const sizesFollow = 0x8;

export function readZipDirectory(bytes: Uint8Array, limits: ZipLimits): ZipMember[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  const directorySize = view.getUint32(end + 12, true);
  const directoryOffset = view.getUint32(end + 16, true);
  if (count === saturated.short || directorySize === saturated.long || directoryOffset === saturated.long) {
    throw new Rejection("zip64");
  }
  if (view.getUint32(end + 4, true) !== 0 || view.getUint16(end + 8, true) !== count) {
    throw new Rejection("damaged");
  }
  if (directoryOffset + directorySize !== end) throw new Rejection("damaged");
  if (count > limits.maxMembers) throw new Rejection("too-many-members");
  const members: PlacedMember[] = [];
  let offset = directoryOffset;
  for (let index = 0; index < count; index += 1) {
    const { member, next } = readCentral(view, { offset, end, bytes });
    members.push(member);
    offset = next;
  }
  if (offset !== end) throw new Rejection("damaged");
  checkNames(members);
  checkSizes(members, limits);
  checkPlaces(members, directoryOffset);
  return members;
}

interface PlacedMember extends ZipMember {
  readonly headerOffset: number;
}

/** The end record is the last thing of the file, with its comment: nothing is searched for. */
function findEnd(view: DataView): number {
  const last = view.byteLength - size.end;
  for (let offset = last; offset >= 0 && offset >= last - size.comment; offset -= 1) {
    if (view.getUint32(offset, true) !== signature.end) continue;
    if (view.getUint16(offset + 20, true) === last - offset) return offset;
  }
  throw new Rejection("damaged");
}

function readCentral(
  view: DataView,
  { offset, end, bytes }: { readonly offset: number; readonly end: number; readonly bytes: Uint8Array },
): { member: PlacedMember; next: number } {
  if (offset + size.central > end || view.getUint32(offset, true) !== signature.central) {
    throw new Rejection("damaged");
  }
  const flags = view.getUint16(offset + 8, true);
  const packedSize = view.getUint32(offset + 20, true);
  const unpackedSize = view.getUint32(offset + 24, true);
  const nameLength = view.getUint16(offset + 28, true);
  const headerOffset = view.getUint32(offset + 42, true);
  const next = offset + size.central + nameLength + view.getUint16(offset + 30, true) +
    view.getUint16(offset + 32, true);
  if (next > end) throw new Rejection("damaged");
  if ((flags & encryptedFlags) !== 0) throw new Rejection("encrypted");
  if ([packedSize, unpackedSize, headerOffset].includes(saturated.long)) throw new Rejection("zip64");
  if (view.getUint16(offset + 34, true) !== 0) throw new Rejection("damaged");
  const nameBytes = bytes.subarray(offset + size.central, offset + size.central + nameLength);
  const about = {
    flags,
    method: view.getUint16(offset + 10, true),
    crc32: view.getUint32(offset + 16, true),
    ...{ packedSize, size: unpackedSize },
  };
  const dataOffset = checkLocal(view, { headerOffset, nameBytes, bytes, about });
  const member = {
    name: decodeName(nameBytes),
    method: methodOf(about.method),
    crc32: about.crc32,
    ...{ packedSize, size: unpackedSize, dataOffset, headerOffset },
  };
  return { member, next };
}

interface Said {
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly packedSize: number;
  readonly size: number;
}

/** Where the data begin, after the local header has said the same as the directory. */
function checkLocal(
  view: DataView,
  { headerOffset, nameBytes, bytes, about }: {
    readonly headerOffset: number;
    readonly nameBytes: Uint8Array;
    readonly bytes: Uint8Array;
    readonly about: Said;
  },
): number {
  if (headerOffset + size.local > view.byteLength) throw new Rejection("damaged");
  if (view.getUint32(headerOffset, true) !== signature.local) throw new Rejection("damaged");
  const flags = view.getUint16(headerOffset + 6, true);
  const nameOffset = headerOffset + size.local;
  const nameLength = view.getUint16(headerOffset + 26, true);
  const sameName = nameLength === nameBytes.byteLength &&
    nameBytes.every((byte, index) => bytes[nameOffset + index] === byte);
  const sameFlags = ((flags ^ about.flags) & (encryptedFlags | sizesFollow)) === 0;
  if (!sameName || !sameFlags) throw new Rejection("damaged");
  if (view.getUint16(headerOffset + 8, true) !== about.method) throw new Rejection("damaged");
  const [packed, unpacked] = [
    view.getUint32(headerOffset + 18, true),
    view.getUint32(headerOffset + 22, true),
  ];
  if (packed === saturated.long || unpacked === saturated.long) throw new Rejection("zip64");
  const isSame = packed === about.packedSize && unpacked === about.size &&
    view.getUint32(headerOffset + 14, true) === about.crc32;
  if (!isSame && (flags & sizesFollow) === 0) throw new Rejection("size-mismatch");
  return nameOffset + nameLength + view.getUint16(headerOffset + 28, true);
}

function methodOf(number: number): ZipMember["method"] {
  if (number === 0) return "stored";
  if (number === 8) return "deflated";
  throw new Rejection("unknown-method");
}

/** Part names of office documents are ASCII; others may name what nobody reads, so any one-to-one decoding will do. */
function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function checkNames(members: readonly ZipMember[]): void {
  const seen = new Set<string>();
  for (const { name } of members) {
    // deno-lint-ignore no-control-regex
    if (name === "" || /[\\\u0000-\u001f]|^\/|^[A-Za-z]:/.test(name)) throw new Rejection("unsafe-name");
    if (name.split("/").some((segment) => segment === "..")) throw new Rejection("unsafe-name");
    const folded = name.toLowerCase();
    if (seen.has(folded)) throw new Rejection("duplicate-names");
    seen.add(folded);
  }
}

function checkSizes(members: readonly ZipMember[], limits: ZipLimits): void {
  let total = 0;
  for (const { method, packedSize, size } of members) {
    total += size;
    if (size > limits.maxMemberBytes || total > limits.maxUnpackedBytes) {
      throw new Rejection("unpacks-too-far");
    }
    if (size > packedSize * limits.maxRatio) throw new Rejection("unpacks-too-far");
    if (method === "stored" && size !== packedSize) throw new Rejection("size-mismatch");
  }
}

/** Every member has bytes of its own, before the directory. */
function checkPlaces(members: readonly PlacedMember[], directoryOffset: number): void {
  let free = 0;
  for (const member of [...members].sort((one, other) => one.headerOffset - other.headerOffset)) {
    if (member.headerOffset < free) throw new Rejection("overlapping-members");
    free = member.dataOffset + member.packedSize;
    if (free > directoryOffset) throw new Rejection("overlapping-members");
  }
}
