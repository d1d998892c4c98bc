/** Names close to one that was not found, for "did you mean". Suggests; never decides. */

import { NearWord } from "./edit_distance.ts";

/** Longer names are compared by this many characters only, so that the work stays bounded. */
const comparedLength = 128;

/** Past so many names that may be misspellings, no more are looked into; they can still be close otherwise. */
const maxLookedInto = 2_000;

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
  const target = new Target(fold(wanted));
  const best: Candidate[] = [];
  if (target.name === "") return [];
  for (const name of names) {
    if (name === wanted) continue;
    const score = target.score(fold(name));
    if (score < Infinity) keep(best, { name, score }, limit);
  }
  return best.map((candidate) => candidate.name);
}

/** Puts a candidate where it belongs among the best, unless it is there already or they are better. */
function keep(best: Candidate[], candidate: Candidate, limit: number): void {
  let at = best.length;
  while (at > 0 && comesBefore(candidate, best[at - 1])) at--;
  if (at === limit || best[at - 1]?.name === candidate.name) return;
  best.splice(at, 0, candidate);
  if (best.length > limit) best.pop();
}

function comesBefore(one: Candidate, other: Candidate | undefined): boolean {
  return other === undefined || one.score < other.score ||
    one.score === other.score && one.name < other.name;
}

/** Case, compatibility forms, accents and the `.md` ending do not matter for closeness. */
function fold(name: string): string {
  const start = name.length > comparedLength ? name.slice(0, comparedLength) : name;
  const folded = plain.test(start)
    ? start.toLowerCase()
    : start.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return folded.endsWith(".md") ? folded.slice(0, -3) : folded;
}

/** Has one form only. */
const plain = /^[ -~]*$/;

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

class Target {
  readonly name: string;
  readonly last: string;
  readonly #near: NearWord;
  readonly #nearLast: NearWord;
  readonly #allowed: number;
  readonly #allowedLast: number;
  #lookedInto = 0;

  constructor(name: string) {
    this.name = name;
    this.last = lastPart(name);
    this.#near = new NearWord(name);
    this.#nearLast = new NearWord(this.last);
    this.#allowed = Math.min(3, Math.floor(name.length / 4));
    this.#allowedLast = Math.min(2, Math.floor(this.last.length / 4));
  }

  /** Small for close names; Infinity for all others. */
  score(name: string): number {
    if (name === this.name) return 0;
    const whole = this.#distance(name, this.#near, this.#allowed);
    if (whole <= this.#allowed) return whole / 4;
    const last = lastPart(name);
    if (last === this.last && last !== "") return 1;
    const part = this.#distance(last, this.#nearLast, this.#allowedLast);
    if (part <= this.#allowedLast) return 2 + part;
    if (this.last.length < 3) return Infinity;
    if (last.startsWith(this.last)) return 6;
    if (name.includes(this.name) || last.includes(this.last)) return 7;
    return last.length >= 3 && this.last.includes(last) ? 8 : Infinity;
  }

  #distance(name: string, near: NearWord, allowed: number): number {
    if (this.#lookedInto >= maxLookedInto || !near.mayBeWithin(name, allowed)) return Infinity;
    this.#lookedInto += 1;
    return near.distance(name, allowed);
  }
}
