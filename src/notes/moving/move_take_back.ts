/**
 * Takes the steps of a move back: the links first, the copy last, and the copy only while the old page is there.
 *
 * A page that another hand has edited since keeps those edits; where both touched the same lines it is left alone.
 */

import type { PagePath } from "../../core/page_name.ts";
import { sha256Hex } from "../../core/secrets.ts";
import { mergeContents } from "../writing/merge_bytes.ts";
import { inParallel } from "./move_parallel.ts";
import { makeStep } from "./move_step.ts";
import type { DonePage, MoveWork } from "./move_work.ts";
import type { NotesParts } from "../parts.ts";
import { lockKey } from "../places.ts";
import type { Caller } from "../requests.ts";

export type TakenBack =
  | {
    readonly kind: "back";
    /** False where something stays that another hand has changed since. */
    readonly complete: boolean;
    /** The copy at the new place was edited, so that it stays too. */
    readonly copyLeft: boolean;
  }
  /** The old page is gone and the copy is all there is: nothing may be taken back. */
  | { readonly kind: "forward" };

/** How often a page may change while its links are put back. */
const maxRounds = 6;

export async function takeBack(parts: NotesParts, caller: Caller, work: MoveWork): Promise<TakenBack> {
  const { plan: { from, to, target } } = work;
  const reader = parts.readerFor(caller);
  const [old, copy] = [await reader.readNow(from, caller.signal), await reader.readNow(to, caller.signal)];
  const isOurs = work.copied || copy?.hash === target.hash;
  if (old === null && copy !== null && isOurs) return { kind: "forward" };
  let complete = true;
  await inParallel([...work.done], async ([path, done]) => {
    if (!await putBack(parts, caller, { work, path, done })) complete = false;
  });
  const copyLeft = old !== null && !await removeCopy(parts, caller, work);
  return { kind: "back", complete: complete && !copyLeft, copyLeft };
}

/** Answers whether the page holds none of the change any more. */
function putBack(
  parts: NotesParts,
  caller: Caller,
  { work, path, done }: { readonly work: MoveWork; readonly path: PagePath; readonly done: DonePage },
): Promise<boolean> {
  const { move } = work;
  return parts.lock.hold(lockKey(path), async () => {
    let now = await parts.readerFor(caller).readNow(path, caller.signal);
    for (let round = 0; now !== null && round < maxRounds; round++) {
      const after = textBefore(done, now.bytes);
      if (after === null) return false;
      if (sha256Hex(after) === now.hash) return true;
      const step = { path, action: "write", before: now, after } as const;
      const result = await makeStep(parts, caller, { step, move });
      if (result.kind === "made") return true;
      now = result.current;
    }
    return now === null;
  });
}

/** The page as it would be without the change, or `null` where nobody can tell. */
function textBefore({ before, after }: DonePage, now: Uint8Array): Uint8Array<ArrayBuffer> | null {
  if (sha256Hex(now) === sha256Hex(after)) return before;
  const merged = mergeContents({ base: after, ours: before, theirs: now });
  return merged.kind === "merged" ? merged.bytes : null;
}

/** Answers false where the copy was edited and stays. */
async function removeCopy(parts: NotesParts, caller: Caller, work: MoveWork): Promise<boolean> {
  const { plan: { to, target }, move, copied } = work;
  const copy = await parts.readerFor(caller).readNow(to, caller.signal);
  if (copy === null) return true;
  if (copy.hash !== target.hash) return !copied;
  const step = { path: to, action: "delete", before: copy, after: null } as const;
  const result = await makeStep(parts, caller, { step, move });
  return result.kind === "made" || result.current === null;
}
