/** Pages that read like text: words as often as in a language, links, tags, tasks, and one fact on some that no other page has. */

/** A few of the words that such a page has most often. */
const common =
  ("the of and to in a is that it was for on are as with his they at be this from have or by one had not " +
    "but what all were when we there can an your which their said if do will each about how up out them then she many some")
    .split(" ");
const syllables =
  "ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru " +
  "sa se si so su ta te ti to tu va ve vi vo vu";

/** The same on every run. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1;
  }

  /** From 0 up to 1 (xorshift). */
  next(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) / 2 ** 32;
  }
}

function makeVocabulary(size: number): string[] {
  const parts = syllables.split(" ");
  const random = new Random(7);
  const words = new Set<string>(common);
  while (words.size < size) {
    const length = 2 + Math.floor(random.next() * 3);
    words.add(Array.from({ length }, () => parts[Math.floor(random.next() * parts.length)]).join(""));
  }
  return [...words];
}

const vocabulary = makeVocabulary(20_000);

/** By Zipf's law: the first words of the list are the most frequent. */
export function word(random: Random): string {
  return vocabulary[Math.floor(vocabulary.length ** random.next()) - 1] ?? "the";
}

/** Every so many pages hold a fact. */
export const factEvery = 200;

export function factOf(number: number): string {
  return `The keeper of lantern ${number} is Zephyrine Quillfeather-${number}.`;
}

export function pathOf(number: number): string {
  return `Folder ${number % 50}/Page ${number}.md`;
}

/** About 3 KB. */
export function pageText(number: number, bytes = 3000): string {
  const random = new Random(number * 2654435761 + 1);
  const lines = ["---", `tags: [kind${number % 7}]`, `rating: ${number % 6}`, "---", `# Page ${number}`, ""];
  for (let length = 0; length < bytes - 200;) {
    const line = Array.from({ length: 12 }, () => word(random)).join(" ");
    lines.push(line);
    length += line.length + 1;
  }
  lines.push(
    "",
    `See [[Folder ${(number * 7) % 50}/Page ${(number * 7) % 1000}]] #tag${number % 20}`,
    `* [ ] task of page ${number}`,
    ...(number % factEvery === 0 ? [factOf(number)] : []),
  );
  return `${lines.join("\n")}\n`;
}
