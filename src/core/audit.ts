/** One event for every change and every refusal that an owner may ask about later (product §11). */

import type { ContentHash } from "./page_store.ts";

export interface AuditEvent {
  readonly action: string;
  readonly tool: string;
  readonly page?: string;
  readonly principal: string;
  readonly client?: string;
  readonly requestId: string;
  /** `ok`, or the error code. */
  readonly outcome: string;
  readonly before?: ContentHash | null;
  readonly after?: ContentHash | null;
  readonly change?: string;
}

export type Audit = (event: AuditEvent) => void;
