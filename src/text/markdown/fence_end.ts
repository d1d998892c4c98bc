/** Where a fenced code block ends that is too long to be parsed in one go (CommonMark §4.5). */

export interface OpenFence {
  /** Offset of the opening fence. */
  readonly open: number;
  /** The closing one is looked for from here. */
  readonly from: number;
  readonly to: number;
}

const hitsPerStep = 2000;

/** Offset after the line that closes the fence, or `to` where none does. */
export function* findFenceEnd(source: string, { open, from, to }: OpenFence): Generator<null, number> {
  const fence = /^(?:`{3,}|~{3,})/.exec(source.slice(open, open + 1024))?.[0];
  if (fence === undefined) return to;
  const restOfLine = new RegExp(`${fence.charAt(0)}*[ \\t\\r]*(?:\\n|$)`, "y");
  let hits = 0;
  for (
    let at = source.indexOf(fence, from);
    at >= 0 && at < to;
    at = source.indexOf(fence, at + fence.length)
  ) {
    if (/(?:^|\n) {0,3}$/.test(source.slice(Math.max(from - 1, at - 4), at))) {
      restOfLine.lastIndex = at;
      if (restOfLine.test(source)) return Math.min(to, restOfLine.lastIndex);
    }
    if (++hits % hitsPerStep === 0) yield null;
  }
  return to;
}
