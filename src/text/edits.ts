/** Several changes to one text at once, each by the offsets of the text as it was. */

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `text` with every edit made. Throws a `RangeError` for edits that overlap or lie outside it: a bug of the caller. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = "";
  let done = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (edit.start < done || edit.end < edit.start || edit.end > text.length) {
      throw new RangeError(`Edit ${edit.start}-${edit.end} does not fit after ${done} of ${text.length}`);
    }
    result += text.slice(done, edit.start) + edit.text;
    done = edit.end;
  }
  return result + text.slice(done);
}
