/** One line on a terminal that says how far long work has come; nothing at all anywhere else. */

import type { CommandIo } from "./command.ts";

export interface ProgressLine {
  /** Replaces what the line said. */
  show(text: string): void;
  /** Clears the line. */
  end(): void;
}

const clearLine = "\r\u001b[2K";

/** Written to standard error, so that standard output holds results alone. */
export function progressLine(io: CommandIo, { isTerminal = Deno.stderr.isTerminal() } = {}): ProgressLine {
  if (!isTerminal) return { show: () => {}, end: () => {} };
  let shown = false;
  return {
    show(text) {
      shown = true;
      io.stderr(`${clearLine}${text}`);
    },
    end() {
      if (shown) io.stderr(clearLine);
      shown = false;
    },
  };
}
