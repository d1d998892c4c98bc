/** Folders over a temporary tree, in process, with everything allowed. */

import assert from "node:assert/strict";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { silentLogger } from "../../src/core/log.ts";
import { createRights } from "../../src/core/rights.ts";
import { type Folders, type FoldersOptions, openFolders } from "../../src/folders/folders.ts";
import type { FolderCaller } from "../../src/folders/requests.ts";

export interface FolderTree {
  /** The only root, `r`. */
  readonly root: string;
  /** A folder beside it, with `canary.txt`. */
  readonly outside: string;
  readonly folders: Folders;
  readonly caller: FolderCaller;
}

export const canary = "CANARY-7c1f0e";

export const usualLimits = {
  readMaxChars: 128_000,
  searchMaxFileBytes: 1024 ** 2,
  maxMatches: 200,
  listMaxEntries: 1000,
};

function anyCaller(signal: AbortSignal = new AbortController().signal): FolderCaller {
  return { rights: createRights({ layers: [], hidden: [], roots: "all" }), signal };
}

/** What a read needs besides its path. */
export const whole = { maxChars: null, offset: 0, encoding: null, pages: null, sheet: null };

/** The code of a refusal, and its detail where it has one; an answer where there was one. */
export async function refusalOf(work: () => Promise<unknown>): Promise<string> {
  try {
    return `answered ${JSON.stringify(await work())}`;
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    const detail = error.details["detail"];
    return detail === undefined ? error.code : `${error.code} ${detail}`;
  }
}

export async function withFolders<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (tree: FolderTree) => Promise<T>,
  options: Partial<FoldersOptions> = {},
): Promise<T> {
  const place = await Deno.realPath(await Deno.makeTempDir({ prefix: "silverbridge-folders-" }));
  const [root, outside] = [`${place}/root`, `${place}/outside`];
  try {
    await Deno.mkdir(root);
    await Deno.mkdir(outside);
    await Deno.writeTextFile(`${outside}/canary.txt`, canary);
    for (const [path, content] of Object.entries(files)) {
      await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      await Deno.writeFile(`${root}/${path}`, bytes);
    }
    const folders = openFolders({
      roots: [{ alias: "r", path: root, exclude: [] }],
      exclude: [],
      allowGeneratedNames: false,
      refuseHardLinks: false,
      limits: usualLimits,
      documents: null,
      clock: systemClock,
      logger: silentLogger,
      ...options,
    });
    assert.ok(folders !== null);
    return await work({ root, outside, folders, caller: anyCaller() });
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}
