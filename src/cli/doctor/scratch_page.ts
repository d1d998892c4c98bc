/** A page that is made, changed, changed back and removed: proof that changes work, and that stale ones are refused. */

import { AppError } from "../../core/errors.ts";
import { randomId } from "../../core/ids.ts";
import { pageNameOf, type PagePath, parseListedPath } from "../../core/page_name.ts";
import type { PageStore } from "../../core/page_store.ts";
import type { Report } from "./finding.ts";

type RoundTrip =
  | { readonly kind: "passed"; readonly seenIn: boolean | null }
  /** `left`: the page that could not be removed, by name. */
  | { readonly kind: "failed"; readonly text: string; readonly left: string | null };

const one = "silverbridge tries whether it can write here. This page is removed at once.\n";
const two = `${one}And whether it can change what it wrote.\n`;

/** `folder`: where the space should be on this disk, or `null`. */
async function roundTrip(store: PageStore, folder: string | null): Promise<RoundTrip> {
  const path = parseListedPath(`silverbridge-check-${randomId(12)}.md`);
  if (path === null) throw new TypeError("The name of the scratch page is a good one");
  let failure: string | null = null;
  let seenIn: boolean | null = null;
  try {
    failure = await steps(store, path);
    if (folder !== null && failure === null) seenIn = isThere(`${folder}/${path}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    failure = error.message;
  }
  const left = await remove(store, path) ? null : pageNameOf(path);
  if (failure === null && left !== null) failure = "The scratch page could not be removed";
  return failure === null ? { kind: "passed", seenIn } : { kind: "failed", text: failure, left };
}

/** What went wrong, or `null`. The page is left as it was made first. */
async function steps(store: PageStore, path: PagePath): Promise<string | null> {
  const encoder = new TextEncoder();
  const made = await store.write(path, encoder.encode(one), { expect: { kind: "absent" } });
  if (made.kind !== "written") return "A page was there that nobody made";
  const first = await store.read(path);
  if (first === null || new TextDecoder().decode(first.bytes) !== one) {
    return "What was written is not what is read";
  }
  const changed = await store.write(path, encoder.encode(two), {
    expect: { kind: "hash", hash: first.hash },
  });
  if (changed.kind !== "written") return "A page that nobody else changed could not be changed";
  const stale = await store.write(path, encoder.encode("lost\n"), {
    expect: { kind: "hash", hash: first.hash },
  });
  if (stale.kind !== "changed") return "A change of a version that is gone was not refused";
  const second = await store.read(path);
  if (second === null) return "The page vanished";
  const undone = await store.write(path, encoder.encode(one), {
    expect: { kind: "hash", hash: second.hash },
  });
  return undone.kind === "written" ? null : "A change could not be taken back";
}

/** True once it is gone. */
async function remove(store: PageStore, path: PagePath): Promise<boolean> {
  try {
    const gone = await store.delete(path, { expect: { kind: "any" } });
    return gone.kind === "deleted" || gone.current === null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return await store.meta(path).then((entry) => entry === null, () => false);
  }
}

function isThere(file: string): boolean {
  try {
    return Deno.lstatSync(file).isFile;
  } catch {
    return false;
  }
}

export async function checkWrite(store: PageStore, folder: string | null, report: Report): Promise<void> {
  const outcome = await roundTrip(store, folder);
  if (outcome.kind === "failed") {
    const rest = outcome.left === null ? "" : `; delete the page ${outcome.left} by hand`;
    const mend = `Look at SilverBullet's log and the rights of the token's account${rest}`;
    return report({ check: "write", status: "fail", text: outcome.text, mend });
  }
  report({ check: "write", status: "ok", text: "A page was made, changed, changed back and removed" });
  if (outcome.seenIn === false) {
    report({
      ...{
        check: "space-path",
        status: "fail",
        text: "SILVERBRIDGE_SPACE_PATH is not the folder of this space",
      },
      mend: "Correct it, or leave it out: it is never necessary",
    });
  } else if (outcome.seenIn) {
    report({ check: "space-path", status: "ok", text: "SPACE_PATH is the folder of this space" });
  }
}
