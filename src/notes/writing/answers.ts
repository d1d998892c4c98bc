/** Builds the common answer of everything that changes a page (product §4.1). */

import type { PagePath } from "../../core/page_name.ts";
import { pageNameOf } from "../../core/page_name.ts";
import type { PageEntry } from "../../core/page_store.ts";
import { decodeUtf8 } from "../../text/utf8.ts";
import { type Diff, unifiedDiff } from "../../text/diff/diff.ts";
import type { Caller, ChangeAnswer } from "../requests.ts";
import { may } from "../rights.ts";

/** Most bytes of the diff in an answer: enough to see what happened, too little to matter. */
const diffBytes = 1200;
/** Where the caller sent the whole text or removed it, the diff tells nothing new. */
const shortDiffBytes = 300;

export interface DescribedChange {
  readonly path: PagePath;
  readonly before: Uint8Array | null;
  readonly after: Uint8Array | null;
}

/** The members that say what is there now; `entry` is `null` after a deletion and on dry runs. */
export function describeChange(
  caller: Caller,
  change: DescribedChange,
  entry: PageEntry | null,
): Omit<ChangeAnswer, "etag"> {
  const { path, before, after } = change;
  const diff = may(caller, "read", path) ? diffOf(change) : null;
  return {
    page: pageNameOf(path),
    path,
    size_bytes: after === null ? null : after.length,
    last_modified_ms: entry?.modified ?? null,
    ...(entry === null || entry.created === null ? {} : { created_ms: entry.created }),
    bytes_before: before === null ? null : before.length,
    ...(diff === null ? {} : { diff: diff.text }),
    ...(diff === null || diff.complete ? {} : { diff_cut: true as const }),
  };
}

function diffOf({ before, after }: DescribedChange): Diff | null {
  const old = before === null ? "" : decodeUtf8(before);
  const now = after === null ? "" : decodeUtf8(after);
  if (old === null || now === null) return null;
  const whole = before === null || after === null;
  return unifiedDiff(old, now, { maxBytes: whole ? shortDiffBytes : diffBytes, context: 1 });
}

/** What to add where the server could not confirm that the page holds what was written. */
export function unverifiedWarning(guarantee: string): readonly string[] {
  return guarantee === "unverified"
    ? ["Written, but what the page holds now could not be confirmed: read it before you rely on it"]
    : [];
}
