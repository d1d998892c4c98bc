/** What a server's generation makes of links: by path or by name, and whether comments hold any. */

import type { StoreFacts } from "../core/page_store.ts";
import type { BlockOptions } from "../text/markdown/blocks.ts";
import { grammarOf } from "../text/markdown/grammar.ts";
import type { LinkRules } from "../text/links/resolve_link.ts";

export interface LinkGeneration {
  readonly rules: LinkRules;
  readonly comments: NonNullable<BlockOptions["comments"]>;
}

/**
 * By name from 2.11 on: told by the version, or by the conditional dialect where a proxy eats the version. Neither
 * alone is sure, and both arrived with the same release.
 */
export function linkGeneration(
  { version, dialect }: Pick<StoreFacts, "version" | "dialect">,
): LinkGeneration {
  const { comments } = grammarOf(version);
  return comments === "markdown" || dialect === "conditional"
    ? { rules: "by-name", comments: "markdown" }
    : { rules: "exact", comments: "opaque" };
}
