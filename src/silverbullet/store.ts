/**
 * The `PageStore` over SilverBullet's API: reads settle, changes go by the dialect that the server was proved to speak.
 */

import type { PagePath } from "../core/page_name.ts";
import type {
  CallOptions,
  ChangeOptions,
  DeleteResult,
  PageContent,
  PageEntry,
  PageStore,
  WriteResult,
} from "../core/page_store.ts";
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
  const store = new SilverBulletStore(options);
  return {
    list: (call) => store.list(call),
    meta: (path, call) => store.meta(path, call),
    read: (path, call) => store.read(path, call),
    write: (path, bytes, change) => store.write(path, bytes, change),
    delete: (path, change) => store.delete(path, change),
  };
}

interface KnownList {
  readonly digest: string;
  readonly rules: EntryRules;
  readonly entries: readonly PageEntry[];
}

class SilverBulletStore implements PageStore {
  readonly #options: StoreOptions;
  readonly #context: ChangeContext;
  readonly #believed = new Believed();
  /** A list of ten thousand takes long to read, and mostly it is the one from before. */
  #last: KnownList | null = null;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#context = options.context;
  }

  async list(call: CallOptions = {}): Promise<readonly PageEntry[]> {
    const { wire, knowledge, logger } = this.#context;
    const { rules } = await knowledge.get(call.signal);
    const list = await wire.list(call.signal);
    const last = this.#last;
    if (last?.digest === list.digest && last.rules === rules) return last.entries;
    const { entries, dropped } = parseList(list.rows(), rules);
    if (dropped > 0) logger.log("debug", "silverbullet_list_dropped", { dropped });
    this.#last = { digest: list.digest, rules, entries };
    return entries;
  }

  async meta(path: PagePath, call: CallOptions = {}): Promise<PageEntry | null> {
    const { wire } = this.#context;
    const { rules } = await this.#readable(path, call.signal);
    const meta = await wire.meta(path, rules, call);
    if (meta !== null) return meta.entry;
    if (await isGone(wire, path, { rules, ...call })) return null;
    // The file came into being between the two looks at it.
    const known = await this.#readable(path, call.signal);
    return (await wire.meta(path, known.rules, call))?.entry ?? null;
  }

  async read(path: PagePath, call: CallOptions = {}): Promise<PageContent | null> {
    const { wire, knowledge } = this.#context;
    const known = await this.#readable(path, call.signal);
    const { rules } = known;
    if (known.claimsHashes) {
      const file = await wire.get(path, rules, call.signal);
      if (file !== null && isCertified(file)) {
        knowledge.confirm();
        return content(file);
      }
      if (file !== null && file.claimed === null && !file.entry.readOnly) knowledge.forget("contradiction");
    }
    const believed = this.#believed.of(path);
    const settled = await readSettled(this.#context, path, { rules, ...call, believed });
    this.#believed.note(path, settled?.hash ?? null);
    return settled;
  }

  async write(path: PagePath, bytes: Uint8Array<ArrayBuffer>, change: ChangeOptions): Promise<WriteResult> {
    const { maxFileBytes } = this.#options;
    const what = doing("write", path);
    const sent = bytes.slice();
    if (bytes.length > maxFileBytes) throw tooLarge(what, maxFileBytes);
    change.signal?.throwIfAborted();
    const known = await this.#writable(what, path);
    if (known.facts.dialect === "conditional") {
      return await writeConditional(this.#context, { path, bytes: sent, change, known });
    }
    const result = await writeGuarded(this.#context, { path, bytes: sent, change, known });
    if (result.kind === "written" && result.guarantee === "verified") {
      this.#believed.note(path, sha256Hex(sent));
    }
    return result;
  }

  async delete(path: PagePath, change: ChangeOptions): Promise<DeleteResult> {
    change.signal?.throwIfAborted();
    const known = await this.#writable(doing("delete", path), path);
    return known.facts.dialect === "conditional"
      ? await deleteConditional(this.#context, { path, change, known })
      : await deleteGuarded(this.#context, { path, change, known });
  }

  /** What is known of a server that a change may go to. Throws where none may. */
  async #writable(what: string, path: PagePath): Promise<ServerKnowledge> {
    const { knowledge } = this.#context;
    if (this.#options.readOnly) throw operatorReadOnly(what);
    let known = await knowledge.forChange();
    if (known.facts.readOnly) known = await knowledge.fresh(readOnlyMemory);
    if (known.facts.readOnly) {
      throw upstream("read_only", { doing: what, reason: "SilverBullet takes no changes" });
    }
    assertNameReaches(path, known);
    return known;
  }

  async #readable(path: PagePath, signal: AbortSignal | undefined): Promise<ServerKnowledge> {
    const known = await this.#context.knowledge.get(signal);
    assertNameReaches(path, known);
    return known;
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
