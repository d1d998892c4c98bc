/** What a file is by its first bytes, whatever its name says. */

export type SniffedKind = "pdf" | "zip" | "ole" | "other";

/** PDF readers look for the header in the first KiB (ISO 32000-1, annex H.3.4.1). */
const pdfHeaderWithin = 1024;
const oleSignature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** `ole`: the container of old office formats, and of new ones that are encrypted. */
export function sniffKind(bytes: Uint8Array): SniffedKind {
  if (oleSignature.every((byte, index) => bytes[index] === byte)) return "ole";
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4) return "zip";
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, pdfHeaderWithin + 5));
  return head.includes("%PDF-") ? "pdf" : "other";
}
