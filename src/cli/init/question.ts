/** Questions of `init`, on standard error, answered by a line of standard input. */

import type { CommandIo } from "../command.ts";
import { readVisible } from "../hidden_line.ts";

/** The input ended, or was broken off, while an answer was wanted. */
export class NoAnswer extends Error {
  constructor() {
    super("No answer came");
    this.name = "NoAnswer";
  }
}

/** The answer, trimmed; `fallback` for an empty one. Throws `NoAnswer`. */
export async function ask(question: string, io: CommandIo, fallback = ""): Promise<string> {
  io.stderr(fallback === "" ? `${question}: ` : `${question} [${fallback}]: `);
  const line = await readVisible();
  if (line === null) throw new NoAnswer();
  const answer = line.trim();
  return answer === "" ? fallback : answer;
}

/** Only a plain yes is one. Throws `NoAnswer`. */
export async function askYes(
  question: string,
  io: CommandIo,
  { usual }: { readonly usual: boolean },
): Promise<boolean> {
  const answer = await ask(`${question} (${usual ? "Y/n" : "y/N"})`, io);
  return answer === "" ? usual : /^y(?:es)?$/i.test(answer);
}
