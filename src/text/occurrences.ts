/**
 * Where a text occurs in another, in linear time whatever both are.
 *
 * `indexOf` alone can take seconds for a long periodic text, which is all a caller needs to stall the program.
 */

/** Longer texts are sought by Knuth, Morris and Pratt's method. */
const longest = 64;

/** The offset of every occurrence of `sought`, those that overlap an earlier one included; none of an empty one. */
export function occurrences(text: string, sought: string): number[] {
  if (sought === "" || sought.length > text.length) return [];
  return sought.length <= longest ? shortOccurrences(text, sought) : longOccurrences(text, sought);
}

function shortOccurrences(text: string, sought: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) found.push(at);
  return found;
}

function longOccurrences(text: string, sought: string): number[] {
  const found: number[] = [];
  const borders = bordersOf(sought);
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && sought.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (sought.charCodeAt(matched) === unit) matched++;
    if (matched === sought.length) {
      found.push(index + 1 - matched);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return found;
}

/** For each beginning of `sought` the length of the longest shorter one that it also ends in. */
function bordersOf(sought: string): Int32Array {
  const borders = new Int32Array(sought.length);
  let length = 0;
  for (let index = 1; index < sought.length; index++) {
    const unit = sought.charCodeAt(index);
    while (length > 0 && sought.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (sought.charCodeAt(length) === unit) length++;
    borders[index] = length;
  }
  return borders;
}
