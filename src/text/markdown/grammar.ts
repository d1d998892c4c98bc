/** What differs between SilverBullet's releases in how a page is read, by the version that a server tells. */

import type { BlockOptions } from "./blocks.ts";
import type { TagRules } from "./inline.ts";

export interface Grammar {
  readonly comments: NonNullable<BlockOptions["comments"]>;
  readonly tags: TagRules;
}

/** The grammar of a server of that version (`2.11.0`); of 2.10 where it tells none. */
export function grammarOf(version: string | null): Grammar {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number);
  const since211 = major > 2 || major === 2 && minor >= 11;
  return since211 ? { comments: "markdown", tags: "2.11" } : { comments: "opaque", tags: "2.10" };
}
