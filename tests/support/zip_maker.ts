/** Makes ZIP archives for tests, honest ones and ones that lie: every field can be set apart from what is true. */

import { crc32, deflateRawSync } from "node:zlib";

export interface MadeMember {
  readonly name: string | Uint8Array;
  readonly content: string | Uint8Array;
  /** 0 stored, 8 deflated, any other only claimed. */
  readonly method?: number;
  readonly flags?: number;
  /** What the headers say instead of the truth. */
  readonly says?: { readonly size?: number; readonly packedSize?: number; readonly crc32?: number };
  /** What the local header says instead of the directory. */
  readonly local?: {
    readonly name?: string;
    readonly size?: number;
    readonly method?: number;
    readonly flags?: number;
  };
  /** Only the directory knows it: its local header is said to begin there, inside of another member. */
  readonly at?: number;
}

export interface MadeArchive {
  readonly comment?: Uint8Array;
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
  /** The number of members that the end record claims. */
  readonly count?: number;
}

export function makeZip(members: readonly MadeMember[], archive: MadeArchive = {}): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [archive.before ?? new Uint8Array()];
  const directory: Uint8Array[] = [];
  let offset = parts[0]?.byteLength ?? 0;
  for (const member of members) {
    const facts = factsOf(member);
    const start = member.at ?? offset;
    if (member.at === undefined) {
      const local = join([localHeader(member, facts), facts.packed]);
      parts.push(local);
      offset += local.byteLength;
    }
    directory.push(centralHeader(member, { ...facts, start }));
  }
  const central = join(directory);
  const comment = archive.comment ?? new Uint8Array();
  const count = archive.count ?? members.length;
  const end = fields([[4, 0x06054b50], [2, 0], [2, 0], [2, count], [2, count], [4, central.byteLength], [
    4,
    offset,
  ], [
    2,
    comment.byteLength,
  ]]);
  return join([...parts, central, end, comment, archive.after ?? new Uint8Array()]);
}

interface Facts {
  readonly name: Uint8Array;
  readonly packed: Uint8Array;
  readonly method: number;
  readonly size: number;
  readonly packedSize: number;
  readonly crc: number;
}

function factsOf(member: MadeMember): Facts {
  const content = bytesOf(member.content);
  const method = member.method ?? 8;
  const packed = method === 8 ? deflateRawSync(content, { level: 9 }) : content;
  return {
    name: bytesOf(member.name),
    ...{ packed, method },
    size: member.says?.size ?? content.byteLength,
    packedSize: member.says?.packedSize ?? packed.byteLength,
    crc: member.says?.crc32 ?? crc32(content),
  };
}

function localHeader({ flags = 0x800, local }: MadeMember, facts: Facts): Uint8Array {
  const name = local?.name === undefined ? facts.name : bytesOf(local.name);
  const head = fields([
    ...[[4, 0x04034b50], [2, 20], [2, local?.flags ?? flags], [2, local?.method ?? facts.method], [
      4,
      0,
    ]] as const,
    ...[[4, facts.crc], [4, facts.packedSize], [4, local?.size ?? facts.size]] as const,
    ...[[2, name.byteLength], [2, 0]] as const,
  ]);
  return join([head, name]);
}

function centralHeader({ flags = 0x800 }: MadeMember, facts: Facts & { readonly start: number }): Uint8Array {
  const head = fields([
    ...[[4, 0x02014b50], [2, 20], [2, 20], [2, flags], [2, facts.method], [4, 0]] as const,
    ...[[4, facts.crc], [4, facts.packedSize], [4, facts.size]] as const,
    ...[[2, facts.name.byteLength], [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, facts.start]] as const,
  ]);
  return join([head, facts.name]);
}

function fields(values: ReadonlyArray<readonly [width: number, value: number]>): Uint8Array {
  return join(values.map(([width, value]) => {
    const bytes = new Uint8Array(width);
    for (let index = 0; index < width; index += 1) bytes[index] = Math.floor(value / 256 ** index) % 256;
    return bytes;
  }));
}

export function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
