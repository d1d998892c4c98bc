/** What every change works with, and the questions that all of them ask. */

import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/log.ts";
import type { PagePath } from "../core/page_name.ts";
import type { Expectation, PageContent, PathLock } from "../core/page_store.ts";
import { saysReadOnly } from "./answers.ts";
import type { EntryRules } from "./entries.ts";
import { bundledFile, upstream } from "./failures.ts";
import type { KnowledgeKeeper } from "./knowledge.ts";
import { readSettled } from "./settled_read.ts";
import type { Answer } from "./transport.ts";
import type { Wire } from "./wire.ts";

export interface ChangeContext {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly lock: PathLock;
  readonly logger: Logger;
  readonly knowledge: KnowledgeKeeper;
}

export function holds(expect: Expectation, current: PageContent | null): boolean {
  switch (expect.kind) {
    case "any":
      return true;
    case "absent":
      return current === null;
    case "hash":
      return current?.hash === expect.hash;
  }
}

/** A reading that nothing interrupts: it decides about a change that is under way. */
export function look(context: ChangeContext, path: PagePath, rules: EntryRules): Promise<PageContent | null> {
  return readSettled(context, path, { rules });
}

/**
 * A failure told by what is behind it: 403, 405 and 500 all can mean a read-only server or a bundled file, by
 * generation. `what` follows "Cannot".
 */
export async function explain(
  context: ChangeContext,
  what: string,
  refused: { readonly answer: Answer; readonly failure: AppError },
): Promise<AppError> {
  const { answer, failure } = refused;
  if (![403, 405, 500].includes(answer.status)) return failure;
  if (await isReadOnlyServer(context)) {
    context.knowledge.forget("old");
    return upstream("read_only", { doing: what, reason: "SilverBullet is read-only" });
  }
  return saysReadOnly(answer) ? bundledFile(what) : failure;
}

async function isReadOnlyServer(context: ChangeContext): Promise<boolean> {
  try {
    const { config } = await context.wire.config({ credentials: true });
    return config?.["readOnly"] === true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
