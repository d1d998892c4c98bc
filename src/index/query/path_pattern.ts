/**
 * Patterns with `*`, `**` and `?` against paths, as questions bring them.
 *
 * No regular expression: a question with five stars in a row of them would keep one busy for minutes. Here the time
 * grows with the length of the path times as much of the pattern as the path can reach.
 */

type Token =
  | { readonly kind: "letter"; readonly letter: string }
  /** `?`: one character within a part of the path. */
  | { readonly kind: "one" }
  /** `*`: any number of them. */
  | { readonly kind: "within" }
  /** `**`: any number of any characters. */
  | { readonly kind: "across" };

/** Tells the texts that the whole of `pattern` fits, letter by letter and so with cases told apart. */
export function patternFits(pattern: string): (text: string) => boolean {
  const tokens = tokensOf(pattern);
  return (text) => fits(tokens, [...text]);
}

function tokensOf(pattern: string): Token[] {
  const pieces = pattern.match(/\*+|\?|[^*?]/gsu) ?? [];
  return pieces.map((piece) => {
    if (piece === "?") return { kind: "one" };
    if (piece.startsWith("*")) return { kind: piece.length > 1 ? "across" : "within" };
    return { kind: "letter", letter: piece };
  });
}

/** Follows every way of fitting at once: `now` holds the tokens that may take the next letter. */
function fits(tokens: readonly Token[], letters: readonly string[]): boolean {
  let now = reached(tokens, [0]);
  for (const letter of letters) {
    const next: number[] = [];
    for (const at of now) {
      const token = tokens[at];
      if (token === undefined || !takes(token, letter)) continue;
      next.push(token.kind === "letter" || token.kind === "one" ? at + 1 : at);
    }
    if (next.length === 0) return false;
    now = reached(tokens, next);
  }
  return now.at(-1) === tokens.length;
}

function takes(token: Token, letter: string): boolean {
  if (token.kind === "letter") return token.letter === letter;
  return token.kind === "across" || letter !== "/";
}

/** These places and those behind stars that take nothing; `places` is in order, and so is the answer, each once. */
function reached(tokens: readonly Token[], places: readonly number[]): number[] {
  const all: number[] = [];
  for (const place of places) {
    let at = place;
    if (at > (all.at(-1) ?? -1)) all.push(at);
    for (let kind = tokens[at]?.kind; kind === "within" || kind === "across"; kind = tokens[at]?.kind) {
      at++;
      if (at > (all.at(-1) ?? -1)) all.push(at);
    }
  }
  return all;
}
