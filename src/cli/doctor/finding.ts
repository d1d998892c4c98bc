/** What `doctor` finds: one thing looked at, how it is, and what mends it. */

import { printable } from "../printable.ts";

export type FindingStatus = "ok" | "note" | "warn" | "fail" | "skip";

export interface Finding {
  /** Stable short name for scripts, such as `silverbullet-token`. */
  readonly check: string;
  readonly status: FindingStatus;
  /** What was found, in a sentence without a full stop. Never a secret. */
  readonly text: string;
  /** What to do; only where something is wrong. */
  readonly mend?: string;
}

export type Report = (finding: Finding) => void;

const marks: Readonly<Record<FindingStatus, readonly [word: string, colour: string]>> = {
  ok: ["ok", "32"],
  note: ["note", "36"],
  warn: ["warning", "33"],
  fail: ["FAILED", "31"],
  skip: ["skipped", "2"],
};

const indent = 9;

/** One or two lines for a terminal or a file. */
export function findingText(
  { status, text, mend }: Finding,
  { colour }: { readonly colour: boolean },
): string {
  const [word, code] = marks[status];
  const mark = word.padEnd(indent);
  const shown = colour ? `\u001b[${code}m${mark}\u001b[0m` : mark;
  const lines = [`${shown}${printable(text)}`];
  if (mend !== undefined) lines.push(`${" ".repeat(indent)}→ ${printable(mend)}`);
  return lines.map((line) => `${line}\n`).join("");
}

/** 0 where nothing failed. */
export function failures(findings: readonly Finding[]): number {
  return findings.filter(({ status }) => status === "fail").length;
}
