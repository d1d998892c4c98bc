/** The only place that compares or hashes secrets. Comparison takes the same time wherever the difference is. */

import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256 as lower-case hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** True when both hashes (hex of equal length) are the same. */
export function equalHashes(left: string, right: string): boolean {
  const a = new TextEncoder().encode(left);
  const b = new TextEncoder().encode(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
