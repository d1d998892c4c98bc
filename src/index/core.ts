/** One open index file with everything that reads and writes it. Replaced as a whole when the file turns out damaged. */

import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../core/clock.ts";
import { type IndexFile, isDamage, openIndexFile } from "../state/index_file.ts";
import { textColumn } from "../state/rows.ts";
import type { TagRules } from "../text/markdown/inline.ts";
import type { LinkRules } from "../text/links/resolve_link.ts";
import { LinkCandidates } from "./link_candidates.ts";
import { Links } from "./links.ts";
import { ChangeLog } from "./changes.ts";
import { Directory } from "./store/directory.ts";
import { Excerpts } from "./query/excerpts.ts";
import { type Change, FileWriter, type Steps } from "./store/file_writer.ts";
import { Filters } from "./query/filters.ts";
import { Overview } from "./overview.ts";
import { indexSchema, indexVersion } from "./store/schema.ts";
import { Search } from "./query/search.ts";
import { TaskList } from "./task_list.ts";
import { Texts } from "./store/texts.ts";
import { WriteQueue } from "./store/write_queue.ts";

export interface CoreOptions {
  /** Absolute path of the state folder; `null` keeps everything in memory. */
  readonly dir: string | null;
  readonly rules: TagRules;
  readonly linkRules: LinkRules;
  readonly clock: Clock;
  readonly pause: () => Promise<void>;
  readonly changed: (changes: readonly Change[]) => void;
  readonly broken: (error: unknown) => void;
}

export interface Core {
  readonly file: IndexFile;
  readonly directory: Directory;
  readonly writer: FileWriter;
  readonly queue: WriteQueue;
  readonly meta: Meta;
  readonly search: Search;
  readonly links: Links;
  readonly linkCandidates: LinkCandidates;
  readonly tasks: TaskList;
  readonly overview: Overview;
  readonly changes: ChangeLog;
  readonly excerpts: Excerpts;
  readonly filters: Filters;
}

/** Opens the index, anew where what there is turns out damaged at once. Throws `StateError`. */
export function openCore(options: CoreOptions): Core {
  const open = () =>
    openIndexFile({ dir: options.dir, schema: indexSchema, version: indexVersion(options.rules) });
  const file = open();
  try {
    return coreOf(file, options);
  } catch (error) {
    if (!isDamage(error)) {
      file.close();
      throw error;
    }
    file.discard();
    return coreOf(open(), options);
  }
}

function coreOf(file: IndexFile, { rules, linkRules, clock, pause, ...options }: CoreOptions): Core {
  const { db } = file;
  const directory = new Directory(db);
  const filters = new Filters(db, directory);
  const texts = new Texts(db);
  const writer = new FileWriter({ db, rules, clock, failed: options.broken });
  const queue = new WriteQueue({
    db,
    clock,
    pause,
    committed(changes) {
      for (const change of changes) {
        if (change.kind === "put") directory.put(change.file);
        else directory.remove(change.source, change.path);
      }
      if (changes.length > 0) options.changed(changes);
    },
    tidy: () => writer.clear(),
    broken: options.broken,
  });
  return {
    file,
    directory,
    writer,
    queue,
    meta: new Meta(db),
    search: new Search({ db, directory, filters, texts, clock, pause }),
    links: new Links({ db, directory, filters, texts, rules: linkRules }),
    linkCandidates: new LinkCandidates(db, { directory }),
    tasks: new TaskList(db, { directory, filters }),
    overview: new Overview(db, { directory, filters }),
    changes: new ChangeLog(db),
    excerpts: new Excerpts(db, { directory, filters, texts }),
    filters,
  };
}

/** What the index remembers of itself. */
export class Meta {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** Another text for each index that began empty: numbers of changes mean something only together with it. */
  epoch(): string {
    return this.get("epoch") ?? "";
  }

  /** Sources that were complete once: what comes from them since then is news. */
  filled(): Set<string> {
    const rows = this.#db.prepare("SELECT substr(key, 8) AS source FROM meta WHERE key LIKE 'filled %'")
      .all();
    return new Set(rows.map((row) => textColumn(row, "source")));
  }

  /** The number of the last change. */
  lastSeq(): number {
    return Number(this.get("seq") ?? "0");
  }

  get(key: string): string | null {
    const row = this.#db.prepare("SELECT value FROM meta WHERE key = ?").get(key);
    return row === undefined ? null : textColumn(row, "value");
  }

  /** Remembers a value, as work for the queue. */
  *setting(key: string, value: string): Steps {
    yield;
    this.#db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
    return null;
  }
}
