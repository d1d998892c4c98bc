/** Collects what loading has to say, so that all of it is said at once. Each sentence only once. */

import type { Notice, Problem } from "./outcome.ts";

export class Report {
  readonly #problems = new Map<string, Problem>();
  readonly #notices = new Map<string, Notice>();

  /** `message` begins with what it is about; `mend` says what to do. Neither ends in a full stop. */
  problem(name: string, message: string, mend: string): void {
    this.#problems.set(message, { name, message, mend, kind: "configuration" });
  }

  /** A command line that is not understood. */
  usage(name: string, message: string, mend: string): void {
    this.#problems.set(message, { name, message, mend, kind: "usage" });
  }

  warn(code: string, message: string): void {
    this.#notices.set(message, { level: "warn", code, message });
  }

  inform(code: string, message: string): void {
    this.#notices.set(message, { level: "info", code, message });
  }

  get problems(): readonly Problem[] {
    return [...this.#problems.values()];
  }

  get notices(): readonly Notice[] {
    return [...this.#notices.values()];
  }
}

/** A name that came from outside, made fit for a terminal: short, and without anything that could act on it. */
export function shownName(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, "?");
  return plain.length > 80 ? `${plain.slice(0, 80)}…` : plain;
}
