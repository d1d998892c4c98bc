/** Completions of roots and paths for the resource template of folders, through the same listing as the tools. */

import { AppError } from "../core/errors.ts";
import type { Folders } from "../folders/folders.ts";
import type { FolderCaller } from "../folders/requests.ts";
import { type Completion, type CompletionRequest, maxValues, noCompletion } from "./completions.ts";
import { folderTemplate } from "./folder_uri.ts";

export async function completeFolder(
  folders: Folders,
  caller: FolderCaller,
  { uri, argument, typed, given }: CompletionRequest,
): Promise<Completion> {
  if (uri !== folderTemplate) return noCompletion;
  const aliases = folders.roots(caller).roots.map(({ alias }) => alias);
  if (argument === "root") return first(aliases.filter((alias) => alias.startsWith(typed)), false);
  const root = given["root"] ?? (aliases.length === 1 ? aliases[0] : undefined);
  if (argument !== "path" || root === undefined) return noCompletion;
  try {
    return await completePath(folders, caller, { root, typed });
  } catch (thrown) {
    if (thrown instanceof AppError) return noCompletion;
    throw thrown;
  }
}

/** Names of the folder that was typed so far; a folder ends with its slash, so that one can go on from it. */
async function completePath(
  folders: Folders,
  caller: FolderCaller,
  { root, typed }: { readonly root: string; readonly typed: string },
): Promise<Completion> {
  const folder = typed.slice(0, typed.lastIndexOf("/") + 1);
  const startsWith = typed.slice(folder.length);
  const { entries, truncated } = await folders.list(caller, { root, path: folder, startsWith, cursor: null });
  const names = entries.map(({ name, type }) => `${folder}${name}${type === "directory" ? "/" : ""}`);
  return first(names, truncated);
}

function first(values: readonly string[], hasMore: boolean): Completion {
  const shown = values.slice(0, maxValues);
  return { values: shown, total: values.length, hasMore: hasMore || shown.length < values.length };
}
