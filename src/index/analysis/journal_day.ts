/** The date that a file's name begins with, as journal pages have it: `Journal/2026-11-30`, `2026-11-30 Board.md`. */

/** `YYYY-MM-DD`, or `null` where the last part of `path` begins with no date of the calendar. */
export function dayOfName(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const match = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(name);
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? match[0] : null;
}
