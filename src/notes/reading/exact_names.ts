/**
 * A store in which a page answers to its own name only.
 *
 * On disks that do not tell cases or Unicode forms apart, SilverBullet serves `secret.md` for `Secret.md`. A page
 * would then be opened under a name that nobody gave it, past every rule about its real one. Whether the disk does
 * so is found out on the first page that is read; where it does, the list of files decides which names are real.
 */

import { type PagePath, parseListedPath } from "../../core/page_name.ts";
import type { CallOptions, PageStore } from "../../core/page_store.ts";
import { foldPath } from "../places.ts";

/** A property of the disk: still unknown, or found. */
type Answer = "unknown" | "yes" | "no";

export function exactNames(store: PageStore): PageStore {
  let ignoresCase: Answer = "unknown";
  let ignoresForm: Answer = "unknown";

  /** True unless the disk gave us another file's content under this name. `path` is known to answer. */
  async function isOwnName(path: PagePath, options?: CallOptions): Promise<boolean> {
    if (ignoresCase === "unknown") ignoresCase = await mixesUp(path, swapCase(path), options);
    if (ignoresForm === "unknown") ignoresForm = await mixesUp(path, otherForm(path), options);
    if (ignoresCase !== "yes" && ignoresForm !== "yes") return true;
    const listed = await store.list(options);
    if (listed.some((entry) => entry.path === path)) return true;
    // Files without a listed twin are only hidden from the list; their name is still their own.
    return !listed.some((entry) => foldPath(entry.path) === foldPath(path));
  }

  /** Whether `other` answers too although only `path` exists; unknown where the name has no other spelling. */
  async function mixesUp(path: PagePath, other: string, options?: CallOptions): Promise<Answer> {
    const twin = other === path ? null : parseListedPath(other);
    if (twin === null) return "unknown";
    if (await store.meta(twin, options) === null) return "no";
    const listed = new Set((await store.list(options)).map((entry) => entry.path));
    return listed.has(path) && listed.has(twin) ? "unknown" : "yes";
  }

  return {
    list: (options) => store.list(options),
    async meta(path, options) {
      const entry = await store.meta(path, options);
      return entry === null || await isOwnName(path, options) ? entry : null;
    },
    async read(path, options) {
      const content = await store.read(path, options);
      return content === null || await isOwnName(path, options) ? content : null;
    },
    write: (path, bytes, options) => store.write(path, bytes, options),
    delete: (path, options) => store.delete(path, options),
  };
}

/** ASCII letters of the name only: those are what every such disk mixes up, one for one. */
function swapCase(path: string): string {
  const stem = path.lastIndexOf(".");
  const swapped = path.slice(0, stem).replace(
    /[a-zA-Z]/g,
    (letter) => letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
  );
  return swapped + path.slice(stem);
}

function otherForm(path: string): string {
  const composed = path.normalize("NFC");
  return composed === path ? path.normalize("NFD") : composed;
}
