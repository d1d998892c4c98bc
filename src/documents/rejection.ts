/** How parsers in this room end before their end: each is caught by `read_document.ts` and becomes an outcome. */

import type { CutReason, RejectReason } from "./outcome.ts";

/** The document is not read. */
export class Rejection extends Error {
  readonly reason: RejectReason;

  constructor(reason: RejectReason) {
    super(reason);
    this.name = "Rejection";
    this.reason = reason;
  }
}

/** A budget is spent: what was read so far is the answer. */
export class Cut extends Error {
  readonly reason: CutReason;

  constructor(reason: CutReason) {
    super(reason);
    this.name = "Cut";
    this.reason = reason;
  }
}

/** The selection does not fit this document. The message is for the caller. */
export class Unselectable extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Unselectable";
  }
}
