/** What `server_status` tells a caller about itself and about this server. */

import type { Principal } from "../core/principal.ts";
import type { Notes } from "../notes/notes.ts";
import { faultTexts, type StateFault } from "../state/fault.ts";

export interface StatusOptions {
  readonly version: string;
  readonly readOnly: boolean;
  readonly notes: Notes | null;
  /** Why changes cannot be recorded now, or `null`. */
  readonly fault: () => StateFault | null;
  readonly maxPageBytes: number;
  readonly maxBodyBytes: number;
  readonly rateLimitPerMinute: number;
}

export interface Status {
  describe(principal: Principal): Promise<Readonly<Record<string, unknown>>>;
}

export function createStatus(options: StatusOptions): Status {
  const { version, readOnly, notes } = options;
  return {
    async describe(principal) {
      const { name, kind, profile, rights } = principal;
      return {
        version,
        caller: { name, kind, profile },
        rights: rights.describe(),
        read_only: readOnly,
        notes: notes === null ? null : await notes.facts(),
        index: indexState(notes, principal),
        ...problem(options.fault()),
        limits: {
          max_page_bytes: options.maxPageBytes,
          max_body_bytes: options.maxBodyBytes,
          rate_limit_per_minute: options.rateLimitPerMinute,
        },
      };
    },
  };
}

/** Left out where all is well. */
function problem(fault: StateFault | null): Readonly<Record<string, unknown>> {
  if (fault === null) return {};
  const { matter, mend } = faultTexts[fault];
  return { problem: `${matter}, so pages can be read but not changed. The owner should ${mend}.` };
}

/** How much of the space this caller may search, and whether that is all of it. */
function indexState(notes: Notes | null, principal: Principal): Readonly<Record<string, unknown>> | null {
  const state = notes?.finding.stateFor(principal) ?? null;
  return state === null
    ? null
    : { ...state.searched, ...(state.note === undefined ? {} : { note: state.note }) };
}
