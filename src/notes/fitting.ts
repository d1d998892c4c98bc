/** Long answers cut to a number of bytes, by whole rows, so that the next part follows where this one ends. */

import { utf8Length } from "../text/utf8.ts";

/** What an answer is at most where nobody said how many rows: some 750 tokens. */
export const shortAnswerBytes = 3000;
/** The same where somebody did. */
const longAnswerBytes = 48_000;
/** Rows that are asked for at first where nobody said how many. */
const mostRows = 100;
/** What a cursor takes that the whole answer did not have. */
const cursorBytes = 120;

export interface Fitting<Answer> {
  /** How many rows the caller asked for; `null`: as many as fit a short answer. */
  readonly limit: number | null;
  readonly ask: (limit: number) => Answer;
  readonly rowsOf: (answer: Answer) => readonly unknown[];
}

/** The answer with as many rows as fit, one at least where there is any. */
export function fitted<Answer>({ limit, ask, rowsOf }: Fitting<Answer>): Answer {
  const maxBytes = limit === null ? shortAnswerBytes : longAnswerBytes;
  let answer = ask(limit ?? mostRows);
  for (let attempt = 0; attempt < 4; attempt++) {
    const rows = rowsOf(answer);
    const tooMuch = utf8Length(JSON.stringify(answer)) - maxBytes;
    if (tooMuch <= 0 || rows.length <= 1) return answer;
    answer = ask(rowsThatFit(rows, tooMuch + cursorBytes));
  }
  return answer;
}

/** How many rows are left when so many bytes have to go. */
function rowsThatFit(rows: readonly unknown[], bytes: number): number {
  let left = bytes;
  let count = rows.length;
  while (left > 0 && count > 1) left -= utf8Length(JSON.stringify(rows[--count])) + 1;
  return count;
}
