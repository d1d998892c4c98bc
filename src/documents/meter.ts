/** Time as a budget: parsers tick with every small step, and the one after the end of the time throws. */

import { Cut } from "./rejection.ts";

export interface Meter {
  /** Throws `Cut` once the time is over; looks at the clock only now and then. */
  tick(): void;
  /** The same, and always looks: before a step that may take long. */
  check(): void;
}

const ticksPerLook = 1024;

export function createMeter(
  { softMs, now }: { readonly softMs: number; readonly now: () => number },
): Meter {
  const end = now() + softMs;
  let ticks = 0;
  function check(): void {
    if (now() >= end) throw new Cut("time");
  }
  return {
    check,
    tick() {
      ticks += 1;
      if (ticks % ticksPerLook === 0) check();
    },
  };
}
