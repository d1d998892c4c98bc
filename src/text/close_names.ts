/** Names close to one that was not found, for "did you mean". Suggests; never decides. */

/** Longer names are compared by this many characters only, so that the work stays bounded. */
const comparedLength = 128;

interface Candidate {
  readonly name: string;
  readonly score: number;
}

/**
 * Up to `limit` of `names` that look like `wanted`, best first, each once, `wanted` itself left out.
 *
 * First the same name in another case or Unicode form, then small misspellings, then the same last part in another
 * folder, then names that begin with or contain it.
 */
export function closeNames(wanted: string, names: Iterable<string>, limit: number): string[] {
  const target = fold(wanted);
  const targetLast = lastPart(target);
  const found: Candidate[] = [];
  if (target === "") return [];
  for (const name of new Set(names)) {
    if (name === wanted) continue;
    const score = distance(fold(name), target, targetLast);
    if (score < Infinity) found.push({ name, score });
  }
  found.sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
  return found.slice(0, limit).map((candidate) => candidate.name);
}

/** Case, compatibility forms, accents and the `.md` ending do not matter for closeness. */
function fold(name: string): string {
  return name.slice(0, comparedLength).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(
    /\.md$/,
    "",
  );
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function distance(name: string, target: string, targetLast: string): number {
  if (name === target) return 0;
  const allowed = Math.min(3, Math.floor(target.length / 4));
  const whole = editDistance(name, target, allowed);
  if (whole <= allowed) return whole / 4;
  const last = lastPart(name);
  if (last === targetLast && last !== "") return 1;
  const allowedLast = Math.min(2, Math.floor(targetLast.length / 4));
  const part = editDistance(last, targetLast, allowedLast);
  if (part <= allowedLast) return 2 + part;
  if (targetLast.length < 3) return Infinity;
  if (last.startsWith(targetLast)) return 6;
  if (name.includes(target) || last.includes(targetLast)) return 7;
  return last.length >= 3 && targetLast.includes(last) ? 8 : Infinity;
}

/** Levenshtein distance, or a number above `limit` as soon as it must be. */
function editDistance(a: string, b: string, limit: number): number {
  if (limit === 0 || Math.abs(a.length - b.length) > limit) return limit + 1;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
      const value = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + cost,
      );
      current.push(value);
      if (value < best) best = value;
    }
    if (best > limit) return limit + 1;
    previous = current;
  }
  return previous[b.length] ?? limit + 1;
}
