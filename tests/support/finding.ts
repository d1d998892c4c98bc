/** The finding tools over a store in memory, once the index is in step with it. */

import type { TestCallerOptions, TestNotes, TestNotesOptions } from "./notes.ts";
import { type CallTool, type ToolAnswer, withNoteTools } from "./note_tools.ts";
import { until } from "./step_clock.ts";

export interface FindingTools {
  readonly call: CallTool;
  readonly test: TestNotes;
  /** Resolves when everything that is in the store now is in the index. */
  inStep(): Promise<void>;
  /** Every row of a tool's answers, from the first part to the last. */
  all(
    name: string,
    input: Readonly<Record<string, unknown>>,
    who?: TestCallerOptions,
  ): Promise<readonly unknown[]>;
}

export function withFinding(
  options: TestNotesOptions,
  work: (tools: FindingTools) => Promise<void>,
): Promise<void> {
  return withNoteTools({ ...options, index: true }, async (call, test) => {
    async function inStep(): Promise<void> {
      const begun = performance.now();
      test.notes.listener.resync();
      await until(() => {
        const standing = test.notes.finding.standing();
        return standing !== null && standing.waiting === 0 &&
          (standing.comparedAgo ?? Infinity) < performance.now() - begun;
      }, { what: "The index never came into step" });
    }
    await inStep();
    await work({
      call,
      test,
      inStep,
      async all(name, input, who = {}) {
        const rows: unknown[] = [];
        let cursor: unknown;
        for (let part = 0; part < 1000; part++) {
          const answer: ToolAnswer = await call(name, {
            ...input,
            ...(cursor === undefined ? {} : { cursor }),
          }, who);
          if (answer.outcome.kind !== "done") throw new Error(`${name}: ${answer.texts[0]}`);
          rows.push(...rowsOf(answer));
          cursor = answer.json["next_cursor"];
          if (cursor === undefined) return rows;
        }
        throw new Error(`${name} never ends`);
      },
    });
  });
}

const lists = ["hits", "links", "tasks", "pages", "tags", "months", "changes"];

/** The rows of a list tool's answer. */
export function rowsOf({ json }: ToolAnswer): readonly unknown[] {
  for (const name of lists) {
    const rows = json[name];
    if (Array.isArray(rows)) return rows;
  }
  return [];
}
