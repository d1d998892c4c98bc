/** What reading a Word document carries along, and what of it is never shown. */

import type { DocxNumbering } from "./docx_numbering.ts";
import type { DocxStyles } from "./docx_styles.ts";
import type { Reading } from "./reading.ts";

export type NoteKind = "footnote" | "endnote" | "comment";

export interface Note {
  readonly mark: string;
  /** The line with its text; `null` where it was shown before. */
  readonly line: string | null;
}

export interface DocxContext {
  readonly reading: Reading;
  readonly numbering: DocxNumbering;
  readonly styles: DocxStyles;
  /** The note of that kind by its id in the file, or `null` where there is none. */
  readonly refer: (kind: NoteKind, id: string) => Note | null;
  /** Where the lines of notes go; below the paragraph itself where left out. */
  readonly notesBelow?: string[];
}

/** Elements whose content is not shown: taken away, properties, or a second form of what was there before. */
export const unshown: ReadonlySet<string> = new Set([
  ...["w:del", "w:moveFrom", "mc:Fallback", "w:rt"],
  ...["w:sectPr", "w:sdtPr", "w:tblPr", "w:tblGrid", "w:trPr", "w:tcPr"],
]);
