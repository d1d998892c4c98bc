/**
 * Footnotes, endnotes and comments: a mark where they are referred to, numbered in the order of the text (`[^1]`, `[^e1]`,
 * `[^c1]`), and the note itself on a line of the same block, the first time.
 */

import { type DocxContext, type Note, type NoteKind, unshown } from "./docx_context.ts";
import { readParagraphs } from "./docx_paragraph.ts";
import { inOneLine } from "./one_line.ts";
import type { OfficePackage } from "./office_package.ts";

const letters: Readonly<Record<NoteKind, string>> = { footnote: "", endnote: "e", comment: "c" };
const parts: Readonly<Record<NoteKind, string>> = {
  footnote: "footnotes",
  endnote: "endnotes",
  comment: "comments",
};

export interface NotesOptions {
  /** For the paragraphs of the notes. */
  readonly context: DocxContext;
  /** The part that the document has for that type of relationship. */
  readonly partOf: (type: string) => string | null;
}

export class DocxNotes {
  readonly #source: OfficePackage;
  readonly #options: NotesOptions;
  readonly #texts = new Map<NoteKind, ReadonlyMap<string, string>>();
  readonly #marks = new Map<string, string>();
  readonly #counts: Record<NoteKind, number> = { footnote: 0, endnote: 0, comment: 0 };

  constructor(source: OfficePackage, options: NotesOptions) {
    this.#source = source;
    this.#options = options;
  }

  refer(kind: NoteKind, id: string): Note | null {
    const texts = this.#texts.get(kind) ?? this.#readTexts(kind);
    this.#texts.set(kind, texts);
    const text = texts.get(id);
    if (text === undefined) return null;
    const known = this.#marks.get(`${kind} ${id}`);
    if (known !== undefined) return { mark: known, line: null };
    this.#counts[kind] += 1;
    const mark = `[^${letters[kind]}${this.#counts[kind]}]`;
    this.#marks.set(`${kind} ${id}`, mark);
    return { mark, line: `${mark}: ${text}` };
  }

  #readTexts(kind: NoteKind): ReadonlyMap<string, string> {
    const { context, partOf } = this.#options;
    const part = partOf(parts[kind]);
    const reader = part === null ? null : this.#source.read(part);
    const texts = new Map<string, string>();
    for (const name of reader?.elements(unshown) ?? []) {
      if (reader === null || name !== `w:${kind}`) continue;
      const id = reader.attribute("w:id") ?? "";
      const author = kind === "comment" ? `${reader.attribute("w:author") ?? ""}: ` : "";
      texts.set(id, author + inOneLine(...readParagraphs(reader, context)));
    }
    return texts;
  }
}
