/** Looks at a page several times after a change whose effect is in doubt: the server may be slow, or starting again. */

import { AppError } from "../core/errors.ts";
import type { PagePath } from "../core/page_name.ts";
import type { PageContent } from "../core/page_store.ts";
import { type ChangeContext, look } from "./change_context.ts";
import type { EntryRules } from "./entries.ts";

/** Pauses before each look, in milliseconds: about three seconds in all. */
const pauses = [0, 100, 300, 900, 1_700];

/** A request that is still on its way has landed by then, unless something holds it up. */
export const longEnough = 400;

export interface Looking {
  readonly rules: EntryRules;
  /** True ends it; `waited` is in milliseconds. */
  readonly enough: (now: PageContent | null, waited: number) => boolean;
}

/** The last reading; `undefined` when none succeeded. */
export async function lookAgain(
  context: ChangeContext,
  path: PagePath,
  looking: Looking,
): Promise<PageContent | null | undefined> {
  let seen: PageContent | null | undefined;
  let waited = 0;
  for (const pause of pauses) {
    await context.clock.sleep(pause);
    waited += pause;
    try {
      seen = await look(context, path, looking.rules);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      continue;
    }
    if (looking.enough(seen, waited)) break;
  }
  return seen;
}
