/** What a move that is being made remembers of itself, beside the journal on the disk. */

import type { PagePath } from "../../core/page_name.ts";
import type { Guarantee } from "../../core/page_store.ts";
import type { Report } from "../candidates.ts";
import type { LeftPage, MovePlan, PlannedPage } from "./move_plan.ts";

/** A page that was given its new text, and what was there. */
export interface DonePage {
  readonly before: Uint8Array<ArrayBuffer>;
  readonly after: Uint8Array<ArrayBuffer>;
}

export interface MoveWork {
  /** Its id in the journal, `null` without one. */
  readonly move: string | null;
  readonly plan: MovePlan;
  /** True once the file at the new place is this move's own. */
  copied: boolean;
  /** True where the old page is known to be gone. */
  readonly removed: boolean;
  readonly done: Map<PagePath, DonePage>;
  readonly report?: Report | undefined;
}

export interface Moved {
  readonly move: string | null;
  /** The weakest of all steps. */
  readonly guarantee: Guarantee;
  /** Pages whose links did follow. */
  readonly pages: readonly PlannedPage[];
  readonly left: readonly LeftPage[];
  readonly warnings: readonly string[];
}

/** Why a move cannot go on, told by what is there. */
export class Obstacle extends Error {
  /**
   * `taken`: something is at the new place. `copy`: the copy is not what it should be. `edited`: the old page changed.
   * `lost`: another process has taken the move over.
   */
  readonly kind: "taken" | "copy" | "edited" | "lost";

  constructor(kind: Obstacle["kind"]) {
    super(kind);
    this.name = "Obstacle";
    this.kind = kind;
  }
}
