/**
 * Writes one file into the index, or takes one out, in small steps. The caller owns the transactions around them.
 *
 * A step never takes longer than the work of one part of some 16 KB or a hundred rows.
 */

import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../core/clock.ts";
import type { TagRules } from "../../text/markdown/inline.ts";
import { encodeUtf8 } from "../../text/utf8.ts";
import { analyse, type Analysis } from "../analysis/analysis.ts";
import { cutText, type TextPart } from "../analysis/cut_text.ts";
import type { IndexedFile } from "./directory.ts";
import type { FileInput } from "../input.ts";
import { countBreaks } from "../analysis/line_breaks.ts";
import { nameOfPath } from "../names.ts";
import { prepareWrites, type WriteStatements } from "./write_statements.ts";
import { partsPerDoc } from "./schema.ts";
import { searchableText } from "../analysis/searchable_text.ts";

/** What a finished piece of work changed, for the directory to take over once it is committed. */
export type Change =
  | { readonly kind: "put"; readonly file: IndexedFile }
  | { readonly kind: "removed"; readonly source: string; readonly path: string };

/** Work in steps; the last answers what changed, or `null`. */
export type Steps = Generator<undefined, Change | null>;

const rowsPerStep = 100;
/** Most characters of a page's names, and of its tags, that stand beside each part of its text. */
const maxLabels = 8192;
/** What was begun so long ago and is not finished was begun by a process that ended. */
const abandonedMs = 600_000;

export interface FileWriterOptions {
  readonly db: DatabaseSync;
  readonly rules: TagRules;
  readonly clock: Clock;
  /** Told of a page that could not be taken apart. */
  readonly failed: (error: unknown) => void;
}

export class FileWriter {
  readonly #rules: TagRules;
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #statements: WriteStatements;

  constructor({ db, rules, clock, failed }: FileWriterOptions) {
    this.#rules = rules;
    this.#failed = failed;
    this.#clock = clock;
    this.#statements = prepareWrites(db);
  }

  /**
   * Indexes a file, or only notes what the list says of it where its content is known already. `isNews` is false for
   * files that were there before the index was.
   */
  *put(input: FileInput, { isNews }: { readonly isNews: boolean }): Steps {
    const { source, path, hash, content } = input;
    const known = this.#statements.file(source, path);
    if (known?.hash === hash && known.format === content.format) return this.#noted(known, input);
    const analysis = yield* this.#analysed(input);
    yield;
    const doc = this.#statements.newDoc(this.#clock.now());
    const text = content.format === "name" ? "" : content.text;
    const words = {
      name: searchableText([nameOfPath(path), ...analysis.aliases].join("\n").slice(0, maxLabels)),
      tags: searchableText([...new Set(analysis.tags.map(({ tag }) => tag))].join("\n").slice(0, maxLabels)),
    };
    let index = 0;
    for (const part of cutText(text)) {
      this.#part({ analysis, doc, text, words }, part, index);
      if (++index === partsPerDoc) break;
      yield;
    }
    yield* this.#rows(doc, analysis);
    return this.#point({ input, analysis, doc, isNews });
  }

  /** A page that cannot be taken apart, which is a fault of this program, is still found by its words. */
  *#analysed({ path, content }: FileInput): Generator<undefined, Analysis> {
    try {
      return yield* analyse(path, content, this.#rules);
    } catch (error) {
      if (content.format !== "page") throw error;
      this.#failed(error);
      return yield* analyse(path, { format: "plain", text: content.text }, this.#rules);
    }
  }

  *remove(source: string, path: string): Steps {
    yield;
    const known = this.#statements.file(source, path);
    if (known === null) return null;
    this.#statements.forget(source, path);
    this.#statements.loosen(known.doc);
    this.#statements.gone(this.#statements.nextSeq(), source, path);
    return { kind: "removed", source, path };
  }

  /** Clears away the rows of contents that nothing points to; ends when there are none. */
  *clear(): Steps {
    for (;;) {
      const doc = this.#statements.nextLoose(this.#clock.now() - abandonedMs);
      if (doc === null) return null;
      for (let part = 0; this.#statements.dropPart(doc * partsPerDoc + part); part++) yield;
      while (this.#statements.dropRows(doc, rowsPerStep)) yield;
      this.#statements.tighten(doc);
      yield;
    }
  }

  #noted(known: IndexedFile, { size, modified, created }: FileInput): Change | null {
    if (known.size === size && known.modified === modified && known.created === created) return null;
    const file = { ...known, size, modified, created };
    this.#statements.note(file);
    return { kind: "put", file };
  }

  #part(
    { analysis, doc, text, words }: {
      readonly analysis: Analysis;
      readonly doc: number;
      readonly text: string;
      readonly words: { readonly name: string; readonly tags: string };
    },
    part: TextPart,
    index: number,
  ): void {
    const id = doc * partsPerDoc + index;
    const lastLine = part.line + countBreaks(text.slice(part.from, part.to));
    const titles = analysis.headings.filter(({ line, level }) =>
      level > 0 && line >= part.line && line <= lastLine
    );
    this.#statements.words({
      id,
      ...words,
      headings: searchableText(titles.map(({ title }) => title).join("\n")),
      body: searchableText(text.slice(part.from, part.searchedTo)),
    });
    if (text !== "") this.#statements.text(id, part.line, encodeUtf8(text.slice(part.from, part.to)));
  }

  *#rows(doc: number, { headings, tags, properties, tasks, links }: Analysis): Generator<undefined> {
    const { heading, tag, property, task, link } = this.#statements;
    yield* batched(headings, (row) => heading(doc, row));
    yield* batched(tags, (row) => tag(doc, row));
    yield* batched(properties, (row, place) => property(doc, place, row));
    yield* batched(tasks, (row, place) => task(doc, place, row));
    yield* batched(links, (row, place) => link(doc, place, row));
  }

  /** Makes the new content the file's own. */
  #point({ input, analysis, doc, isNews }: {
    readonly input: FileInput;
    readonly analysis: Analysis;
    readonly doc: number;
    readonly isNews: boolean;
  }): Change {
    if (!this.#statements.tighten(doc)) throw new Error("an index row was cleared away while it was written");
    const { source, path, hash, size, modified, created, content } = input;
    const before = this.#statements.file(source, path);
    const seq = !isNews && before === null ? 0 : this.#statements.nextSeq();
    const file: IndexedFile = {
      doc,
      source,
      path,
      hash,
      size,
      modified,
      created,
      format: content.format,
      lines: analysis.lines,
      day: analysis.day,
      firstSeq: before?.firstSeq ?? seq,
      lastSeq: seq,
    };
    this.#statements.point(file);
    if (before !== null) this.#statements.loosen(before.doc);
    return { kind: "put", file };
  }
}

function* batched<T>(rows: readonly T[], write: (row: T, place: number) => void): Generator<undefined> {
  for (const [place, row] of rows.entries()) {
    write(row, place);
    if (place % rowsPerStep === rowsPerStep - 1) yield;
  }
}
