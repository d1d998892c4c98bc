/** What `server_status` tells a caller about itself and about this server. */

import type { Principal } from "../core/principal.ts";
import type { Notes } from "../notes/notes.ts";

export interface StatusOptions {
  readonly version: string;
  readonly readOnly: boolean;
  readonly notes: Notes | null;
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
        index: notes?.finding.stateFor(principal) ?? null,
        limits: {
          max_page_bytes: options.maxPageBytes,
          max_body_bytes: options.maxBodyBytes,
          rate_limit_per_minute: options.rateLimitPerMinute,
        },
      };
    },
  };
}
