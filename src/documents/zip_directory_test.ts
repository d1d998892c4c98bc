import assert from "node:assert/strict";
import { cites } from "../../tests/requirements.ts";
import { bytesOf, type MadeArchive, type MadeMember, makeZip } from "../../tests/support/zip_maker.ts";
import { defaultLimits, type RejectReason } from "./outcome.ts";
import { Rejection } from "./rejection.ts";
import { readZipDirectory } from "./zip_directory.ts";
import { unpackMember } from "./zip_member.ts";

/** Everything that a document does not survive: reading the directory, then every member. */
function unpackAll(bytes: Uint8Array, limits = defaultLimits): string[] {
  return readZipDirectory(bytes, limits).map((member) =>
    new TextDecoder().decode(unpackMember(bytes, member))
  );
}

function refusal(bytes: Uint8Array, limits = defaultLimits): RejectReason | null {
  try {
    unpackAll(bytes, limits);
    return null;
  } catch (error) {
    assert.ok(error instanceof Rejection, String(error));
    return error.reason;
  }
}

const text = "Line after line after line. ".repeat(20);

Deno.test("an honest archive is read: deflated, stored, empty members, folders and a comment", () => {
  const bytes = makeZip([
    { name: "a.xml", content: text },
    { name: "b.bin", content: text, method: 0 },
    { name: "empty", content: "" },
    { name: "folder/", content: "", method: 0 },
    { name: "größe.xml", content: "x" },
  ], { comment: bytesOf("PK\x05\x06 inside the comment") });
  assert.deepEqual(unpackAll(bytes), [text, text, "", "", "x"]);
});

const one: MadeMember = { name: "a.xml", content: text };
const liars: ReadonlyArray<
  readonly [what: string, members: readonly MadeMember[], archive: MadeArchive, RejectReason]
> = [
  ["less than it is", [{ ...one, says: { size: 10 } }], {}, "size-mismatch"],
  ["more than it is", [{ ...one, says: { size: 600 } }], {}, "size-mismatch"],
  ["less than a stored one is", [{ ...one, method: 0, says: { size: 10 } }], {}, "size-mismatch"],
  ["another size in the local header", [{ ...one, local: { size: 10 } }], {}, "size-mismatch"],
  ["another checksum", [{ ...one, says: { crc32: 1 } }], {}, "checksum"],
  ["fewer packed bytes", [{ ...one, says: { packedSize: 20 } }], {}, "damaged"],
  [
    "packed bytes into the directory",
    [{ ...one, says: { packedSize: 5000, size: 5000 } }],
    {},
    "overlapping-members",
  ],
  ["another name in the local header", [{ ...one, local: { name: "b.xml" } }], {}, "damaged"],
  ["another method in the local header", [{ ...one, local: { method: 0 } }], {}, "damaged"],
  ["encryption in the local header alone", [{ ...one, local: { flags: 0x801 } }], {}, "damaged"],
  ["fewer members than there are", [one, { name: "b.xml", content: "x" }], { count: 1 }, "damaged"],
  ["more members than there are", [one], { count: 2 }, "damaged"],
  ["encryption", [{ ...one, flags: 0x801 }], {}, "encrypted"],
  ["strong encryption", [{ ...one, flags: 0x840 }], {}, "encrypted"],
  ["a method that nobody knows", [{ ...one, method: 99 }], {}, "unknown-method"],
  ["zip64 by its size", [{ ...one, says: { size: 0xffffffff } }], {}, "zip64"],
  ["zip64 by its count", [one], { count: 0xffff }, "zip64"],
  ["the same name twice", [one, one], {}, "duplicate-names"],
  ["the same name in another case", [one, { name: "A.XML", content: "x" }], {}, "duplicate-names"],
  ["two entries for the same bytes", [one, { ...one, at: 0 }], {}, "duplicate-names"],
  ["a path upwards", [{ ...one, name: "../a.xml" }], {}, "unsafe-name"],
  ["a path upwards in the middle", [{ ...one, name: "a/../../b" }], {}, "unsafe-name"],
  ["an absolute path", [{ ...one, name: "/etc/passwd" }], {}, "unsafe-name"],
  ["a drive", [{ ...one, name: "C:/a" }], {}, "unsafe-name"],
  ["a backslash", [{ ...one, name: "a\\b" }], {}, "unsafe-name"],
  ["a NUL", [{ ...one, name: "a.xml\0.png" }], {}, "unsafe-name"],
  ["no name", [{ ...one, name: "" }], {}, "unsafe-name"],
  ["bytes after it", [one], { after: bytesOf("x") }, "damaged"],
];

Deno.test("an archive that says what office documents never say is refused", async (t) => {
  for (const [what, members, archive, reason] of liars) {
    await t.step(what, () => {
      cites("documents.archives");
      assert.equal(refusal(makeZip(members, archive)), reason);
    });
  }
});

Deno.test("a member inside the bytes of another one is refused, with a header of its own too", () => {
  cites("documents.archives");
  const inner: MadeMember = { name: "inner.xml", content: text };
  const quoted = makeZip([inner]);
  const quotedLocal = quoted.slice(0, quoted.length - 22 - 46 - "inner.xml".length);
  const outer: MadeMember = { name: "outer.bin", content: quotedLocal, method: 0 };
  const at = 30 + "outer.bin".length;
  assert.deepEqual(refusal(makeZip([outer])), null);
  assert.equal(refusal(makeZip([outer, { ...inner, at }])), "overlapping-members");
});

Deno.test("an archive behind other bytes is refused when its offsets do not count them", () => {
  const bytes = makeZip([one]);
  assert.equal(refusal(new Uint8Array([...bytesOf("%PDF-1.7 "), ...bytes])), "damaged");
});

Deno.test("limits hold at exactly their figures", () => {
  cites("documents.archives");
  const limits = {
    ...defaultLimits,
    maxMembers: 3,
    maxMemberBytes: 1000,
    maxUnpackedBytes: 2500,
    maxRatio: 100,
  };
  const random = (length: number, seed: number) =>
    Uint8Array.from({ length }, (_, index) => (index * 7919 + seed * 104729 + index * index) % 251);
  const members = (...lengths: number[]) =>
    makeZip(
      lengths.map((length, index) => ({ name: `${index}`, content: random(length, index), method: 0 })),
    );
  assert.equal(refusal(members(1000, 1000, 500), limits), null);
  assert.equal(refusal(members(1001), limits), "unpacks-too-far");
  assert.equal(refusal(members(1000, 1000, 501), limits), "unpacks-too-far");
  assert.equal(refusal(members(1, 1, 1), limits), null);
  assert.equal(refusal(members(1, 1, 1, 1), limits), "too-many-members");
});

Deno.test("a member may grow a hundredfold and no further", () => {
  cites("documents.archives");
  const zeros = (length: number) => makeZip([{ name: "a", content: new Uint8Array(length) }]);
  const packed = readZipDirectory(zeros(1000), { ...defaultLimits, maxRatio: 1e9 })[0]?.packedSize ?? 0;
  assert.ok(packed > 0);
  const ratio = 1000 / packed;
  assert.equal(refusal(zeros(1000), { ...defaultLimits, maxRatio: ratio }), null);
  assert.equal(refusal(zeros(1000), { ...defaultLimits, maxRatio: ratio * 0.999 }), "unpacks-too-far");
  assert.equal(refusal(zeros(1_000_000)), "unpacks-too-far");
});

Deno.test("any single byte of an archive may be wrong: it is read or refused, and never anything else", () => {
  const bytes = makeZip([one, { name: "b.xml", content: "short", method: 0 }]);
  for (let at = 0; at < bytes.length; at += 1) {
    for (const value of [0, 0xff, (bytes[at] ?? 0) ^ 1]) {
      const broken = bytes.slice();
      broken[at] = value;
      refusal(broken);
    }
  }
  for (let length = 0; length < bytes.length; length += 1) {
    assert.notEqual(refusal(bytes.slice(0, length)), null);
  }
});
