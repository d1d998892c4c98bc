/**
 * The `PageStore` over SilverBullet's API: reads settle, changes go by the dialect that the server was proved to speak.
 */

import type { PagePath } from "../core/page_name.ts";
import type { PageEntry, PageStore } from "../core/page_store.ts";
import { AppError } from "../core/errors.ts";
import { sha256Hex } from "../core/secrets.ts";
import { Believed } from "./believed.ts";
import type { ChangeContext } from "./change_context.ts";
import { deleteConditional } from "./conditional_delete.ts";
import { writeConditional } from "./conditional_write.ts";
import { type EntryRules, parseList } from "./entries.ts";
import { doing, tooLarge, upstream } from "./failures.ts";
import { deleteGuarded } from "./guarded_delete.ts";
import { writeGuarded } from "./guarded_write.ts";
import type { ServerKnowledge } from "./probe.ts";
import { content, isCertified, isGone, readSettled } from "./settled_read.ts";

export interface StoreOptions {
  readonly context: ChangeContext;
  /** True: changes are refused before any request. */
  readonly readOnly: boolean;
  readonly maxFileBytes: number;
}

/** A server that was read-only a moment ago is asked again before a change is refused. */
const readOnlyMemory = 5_000;

export function createStore(options: StoreOptions): PageStore {
  const { context } = options;
  const { wire, knowledge, logger } = context;
  const believed = new Believed();
  /** A list of ten thousand takes long to read, and mostly it is the one from before. */
  let last:
    | { readonly digest: string; readonly rules: EntryRules; readonly entries: readonly PageEntry[] }
    | null = null;

  /** What is known of a server that a change may go to. Throws where none may. */
  async function writable(what: string, path: PagePath): Promise<ServerKnowledge> {
    if (options.readOnly) throw operatorReadOnly(what);
    let known = await knowledge.forChange();
    if (known.facts.readOnly) known = await knowledge.fresh(readOnlyMemory);
    if (known.facts.readOnly) {
      throw upstream("read_only", { doing: what, reason: "SilverBullet takes no changes" });
    }
    assertNameReaches(path, known);
    return known;
  }

  async function readable(path: PagePath, signal: AbortSignal | undefined): Promise<ServerKnowledge> {
    const known = await knowledge.get(signal);
    assertNameReaches(path, known);
    return known;
  }

  return {
    async list(call = {}) {
      const { rules } = await knowledge.get(call.signal);
      const list = await wire.list(call.signal);
      if (last?.digest === list.digest && last.rules === rules) return last.entries;
      const { entries, dropped } = parseList(list.rows(), rules);
      if (dropped > 0) logger.log("debug", "silverbullet_list_dropped", { dropped });
      last = { digest: list.digest, rules, entries };
      return entries;
    },

    async meta(path, call = {}) {
      const { rules } = await readable(path, call.signal);
      const meta = await wire.meta(path, rules, call);
      if (meta !== null) return meta.entry;
      if (await isGone(wire, path, { rules, ...call })) return null;
      return await lastMeta(path, call.signal);
    },

    async read(path, call = {}) {
      const known = await readable(path, call.signal);
      const { rules } = known;
      if (known.claimsHashes) {
        const file = await wire.get(path, rules, call.signal);
        if (file !== null && isCertified(file)) {
          knowledge.confirm();
          return content(file);
        }
        if (file !== null && file.claimed === null && !file.entry.readOnly) knowledge.forget("contradiction");
      }
      const settled = await readSettled(context, path, { rules, ...call, believed: believed.of(path) });
      believed.note(path, settled?.hash ?? null);
      return settled;
    },

    async write(path, bytes, change) {
      const what = doing("write", path);
      const sent = bytes.slice();
      if (bytes.length > options.maxFileBytes) throw tooLarge(what, options.maxFileBytes);
      change.signal?.throwIfAborted();
      const known = await writable(what, path);
      if (known.facts.dialect === "conditional") {
        return await writeConditional(context, { path, bytes: sent, change, known });
      }
      const result = await writeGuarded(context, { path, bytes: sent, change, known });
      if (result.kind === "written" && result.guarantee === "verified") {
        believed.note(path, sha256Hex(sent));
      }
      return result;
    },

    async delete(path, change) {
      change.signal?.throwIfAborted();
      const known = await writable(doing("delete", path), path);
      return known.facts.dialect === "conditional"
        ? await deleteConditional(context, { path, change, known })
        : await deleteGuarded(context, { path, change, known });
    },
  };

  /** The file came into being between two looks at it. */
  async function lastMeta(path: PagePath, signal: AbortSignal | undefined): Promise<PageEntry | null> {
    const { rules } = await readable(path, signal);
    const meta = await wire.meta(path, rules, signal === undefined ? {} : { signal });
    return meta?.entry ?? null;
  }
}

/** Go servers before 2.4 decode paths twice, so that a name with `%` could reach another file than the one named. */
function assertNameReaches(path: PagePath, known: ServerKnowledge): void {
  if (!path.includes("%") || known.family !== "go" || known.facts.version !== null) return;
  throw new AppError({
    code: "invalid_path",
    message: `Cannot ${doing("look at", path)}: this SilverBullet server cannot be asked for names with %`,
    remedy: "Use a page without % in its name, or ask the operator to update SilverBullet to 2.4 or later.",
  });
}

function operatorReadOnly(what: string): AppError {
  return new AppError({
    code: "read_only",
    message: `Cannot ${what}: this server is set to read-only`,
    remedy: "Only reading is possible; the operator may lift SILVERBRIDGE_READ_ONLY.",
  });
}
