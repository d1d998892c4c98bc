/**
 * `context_pack`: what the space says about a question, put together within a number of bytes: the best passages, the
 * beginnings of pages that are linked with several of them, and where each is from.
 */

import { AppError } from "../../core/errors.ts";
import { pageNameOf, type PagePath } from "../../core/page_name.ts";
import { spaceSource } from "../../index/input.ts";
import type { SearchHit } from "../../index/query/hit.ts";
import { locateFrontmatter } from "../../text/frontmatter/frontmatter.ts";
import { utf8Length } from "../../text/utf8.ts";
import { type Asked, askIndex } from "./asked.ts";
import type { PackAnswer, PackRequest, PackSource } from "./find_requests.ts";
import type { NotesParts } from "../parts.ts";
import type { Caller } from "../requests.ts";
import { standingFor } from "./searched.ts";
import { linkable } from "./visible.ts";

const mostHits = 12;
const mostNeighbours = 4;
/** Pages whose links are looked at. */
const linkedFrom = 6;
/** Shares of the bytes: for a first passage, a later one, the beginning of a neighbour, all neighbours. */
const shares = { first: 0.3, later: 0.15, neighbour: 0.06, neighbours: 0.18 };
const firstHits = 2;
const leastExcerpt = 120;

interface Piece {
  readonly source: PackSource;
  readonly text: string;
}

export async function contextPack(
  parts: NotesParts,
  caller: Caller,
  { question, maxBytes }: PackRequest,
): Promise<PackAnswer> {
  if (question.trim() === "") throw nothingAsked();
  const asked = await askIndex(parts, caller);
  const { index, visible } = asked;
  const { hits, total } = await index.search({
    query: question,
    visible,
    sources: [spaceSource],
    limit: mostHits,
    maxBytes: 1_000_000,
    signal: caller.signal,
  });
  const standing = standingFor(asked, visible);
  const pack = new Pack(maxBytes, { total, ...standing });
  const kept = maxBytes * shares.neighbours;
  for (const [place, { path, line }] of hits.entries()) {
    const share = maxBytes * (place < firstHits ? shares.first : shares.later);
    addExcerpt(pack, asked, { path, line, why: "match", maxBytes: Math.min(share, pack.bytesLeft - kept) });
  }
  for (const path of neighboursOf(asked, hits)) {
    addExcerpt(pack, asked, { path, line: 1, why: "linked", maxBytes: maxBytes * shares.neighbour });
  }
  return pack.answer();
}

function addExcerpt(
  pack: Pack,
  { index, visible }: Asked,
  { path, line, why, maxBytes }: {
    readonly path: string;
    readonly line: number;
    readonly why: PackSource["why"];
    readonly maxBytes: number;
  },
): void {
  const room = Math.floor(Math.min(maxBytes, pack.bytesLeft));
  if (room < leastExcerpt) return;
  const at = (line: number) => index.excerpt({ source: spaceSource, path, line, maxBytes: room, visible });
  const first = at(line);
  // Of a page that is only linked, its beginning is what comes after the frontmatter.
  const excerpt = why === "linked" && first !== null && isFrontmatter(first.text)
    ? at(first.lastLine + 1) ?? first
    : first;
  if (excerpt === null || excerpt.text.trim() === "") return;
  const page = pageNameOf(path as PagePath);
  const heading = excerpt.heading === null || excerpt.heading === "" ? "" : `#${excerpt.heading}`;
  pack.add({
    source: { cite: `silverbullet:${page}${heading}@L${excerpt.firstLine}`, why },
    text: excerpt.text.replace(/\s+$/, ""),
  });
}

function isFrontmatter(text: string): boolean {
  const place = locateFrontmatter(`${text.trimEnd()}\n`);
  return place !== null && place.end >= text.trimEnd().length;
}

/** Pages that the best hits link to, or that link to them: those tied to most of them first. */
function neighboursOf({ index, visible }: Asked, hits: readonly SearchHit[]): string[] {
  const own = new Set(hits.map(({ path }) => path));
  const ties = new Map<string, number>();
  for (const { path } of hits.slice(0, linkedFrom)) {
    const linked = index.linksFrom(path, { visible, linkable }).filter(({ exists }) => exists).map((
      { path },
    ) => path);
    const linking = index.backlinks({ path, visible, linkable, limit: 20 }).rows.map(({ path }) => path);
    for (const other of new Set([...linked, ...linking])) {
      if (!own.has(other) && other.endsWith(".md")) ties.set(other, (ties.get(other) ?? 0) + 1);
    }
  }
  return [...ties].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, mostNeighbours)
    .map(([path]) => path);
}

/** Sources and text, counted as they will be sent. */
class Pack {
  readonly #maxBytes: number;
  readonly #facts: Omit<PackAnswer["info"], "sources">;
  readonly #pieces: Piece[] = [];
  #bytes: number;

  constructor(maxBytes: number, facts: Omit<PackAnswer["info"], "sources">) {
    this.#maxBytes = maxBytes;
    this.#facts = facts;
    this.#bytes = utf8Length(JSON.stringify({ ...facts, sources: [] }));
  }

  /** For the text of one more piece. */
  get bytesLeft(): number {
    // What a citation takes, twice, is known only once it is there.
    return this.#maxBytes - this.#bytes - 300;
  }

  /** Leaves out what does not fit after all. */
  add(piece: Piece): void {
    const bytes = utf8Length(JSON.stringify(piece.source)) +
      utf8Length(shown(piece, this.#pieces.length + 1)) + 3;
    if (this.#bytes + bytes > this.#maxBytes) return;
    this.#bytes += bytes;
    this.#pieces.push(piece);
  }

  answer(): PackAnswer {
    return {
      info: { ...this.#facts, sources: this.#pieces.map(({ source }) => source) },
      text: this.#pieces.map((piece, place) => shown(piece, place + 1)).join("\n\n"),
    };
  }
}

function shown({ source, text }: Piece, number: number): string {
  return `[${number}] ${source.cite}\n${text}`;
}

function nothingAsked(): AppError {
  return new AppError({
    code: "invalid_argument",
    message: "Cannot pack anything: question must not be empty",
    remedy: "Pass in `question` what you want to know, in your own words.",
    details: { argument: "question" },
  });
}
