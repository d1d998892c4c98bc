/**
 * The links of a page to pages and documents of its space, by SilverBullet's grammar, with exact offsets.
 *
 * Links to other sites are left out, and so is what only looks like a link: in code, in Lua, in comments where the
 * server's generation reads none. Which file a path means is not decided here.
 */

import { type Blocks, scanBlocks, type Span } from "../markdown/blocks.ts";
import { quotedTexts } from "../frontmatter/frontmatter_links.ts";
import { type InlineLink, scanInline } from "../markdown/inline.ts";
import { growingLineNumbers, splitLines } from "../lines.ts";
import { type LinkRef, parseRef } from "./link_ref.ts";
import { isLocalUrl, resolveUrl } from "./markdown_url.ts";
import { wikilinksIn } from "./wikilinks.ts";

/** `attribute`: in `[name: …]`; `data`: in a code block that holds data of a tag. */
export type LinkPlace = "text" | "frontmatter" | "attribute" | "data";

export interface PageLink {
  readonly kind: "wikilink" | "markdown";
  /** True for `![[…]]` and `![…](…)`. */
  readonly embed: boolean;
  readonly place: LinkPlace;
  /** The whole link. */
  readonly start: number;
  readonly end: number;
  /** The reference or address as written, without alias, angle brackets and title. */
  readonly target: string;
  readonly targetStart: number;
  readonly targetEnd: number;
  /** The alias of a wikilink, the text of a Markdown link. */
  readonly label: string | null;
  /** What the target refers to; for a Markdown link as seen from the page it is on. */
  readonly ref: LinkRef;
  /** The quotation mark around a link in frontmatter. */
  readonly quote: '"' | "'" | null;
  /** True for an address in angle brackets. */
  readonly angled: boolean;
  /** 1-based. */
  readonly line: number;
  readonly inComment: boolean;
}

/** The links of `text`, which is the page at `page`, in order. */
export function findLinks(text: string | Blocks, page: string): PageLink[] {
  const blocks = typeof text === "string" ? scanBlocks(text) : text;
  const collector = new LinkCollector(blocks, page);
  collector.frontmatter();
  for (const leaf of blocks.leaves) collector.leaf(leaf.content, leaf.from, leaf.inComment);
  for (const code of blocks.code) {
    const first = code.text[0];
    if (code.info?.startsWith("#") && first !== undefined) collector.data(first, code.inComment);
  }
  return collector.links();
}

/** A link in the clean text. */
interface RawLink {
  readonly kind: PageLink["kind"];
  readonly embed: boolean;
  readonly place: LinkPlace;
  readonly whole: Span;
  readonly target: Span;
  readonly label: string | null;
  readonly quote: PageLink["quote"];
  readonly angled: boolean;
  readonly inComment: boolean;
}

interface Surroundings {
  readonly place: LinkPlace;
  readonly inComment: boolean;
  readonly quote?: PageLink["quote"];
}

class LinkCollector {
  readonly #blocks: Blocks;
  readonly #text: string;
  readonly #page: string;
  readonly #raw: RawLink[] = [];

  constructor(blocks: Blocks, page: string) {
    this.#blocks = blocks;
    this.#text = blocks.clean.text;
    this.#page = page;
  }

  frontmatter(): void {
    const { frontmatter } = this.#blocks;
    if (frontmatter === null) return;
    const yaml = this.#text.slice(frontmatter.yamlStart, frontmatter.yamlEnd);
    for (const { from, to, quote } of quotedTexts(yaml)) {
      const text = yaml.slice(from, to);
      const link = text.trim();
      if (!/^!?\[\[/.test(link) || link.indexOf("]]") !== link.length - 2) continue;
      const start = frontmatter.yamlStart + from + text.indexOf(link);
      this.#wikilink({ from: start, to: start + link.length }, {
        place: "frontmatter",
        inComment: false,
        quote,
      });
    }
  }

  leaf(content: string, offset: number, inComment: boolean): void {
    for (const found of scanInline(content)) {
      const span = { from: offset + found.from, to: offset + found.to };
      if (found.kind === "wikilink") this.#wikilink(span, { place: "text", inComment });
      else if (found.kind === "link") this.#markdown(found, { content, offset, inComment });
      else if (found.kind === "attribute") {
        this.#within({ from: offset + found.valueFrom, to: span.to - 1 }, { place: "attribute", inComment });
      }
    }
  }

  /** `key: value` lines of a block of data. */
  data(code: Span, inComment: boolean): void {
    const text = this.#text.slice(code.from, code.to);
    for (const line of splitLines(text)) {
      const colon = text.indexOf(":", line.start);
      if (colon < 0 || colon > line.end) continue;
      if (!/^[\w$][\w$ -]*$/.test(text.slice(line.start, colon).trim())) continue;
      this.#within({ from: code.from + colon + 1, to: code.from + line.end }, { place: "data", inComment });
    }
  }

  links(): PageLink[] {
    const { source, clean, begins } = this.#blocks;
    const lineOf = growingLineNumbers(source, begins);
    const links: PageLink[] = [];
    for (const raw of this.#raw.sort((a, b) => a.whole.from - b.whole.from)) {
      const target = this.#text.slice(raw.target.from, raw.target.to);
      const ref = this.#reference(raw.kind, target);
      if (ref === null) continue;
      const { kind, embed, place, label, quote, angled, inComment } = raw;
      const start = clean.toSource(raw.whole.from);
      links.push({
        kind,
        embed,
        place,
        label,
        quote,
        angled,
        inComment,
        target,
        ref,
        start,
        end: clean.toSourceEnd(raw.whole.to),
        targetStart: clean.toSource(raw.target.from),
        targetEnd: clean.toSourceEnd(raw.target.to),
        line: lineOf(start),
      });
    }
    return links;
  }

  #reference(kind: PageLink["kind"], target: string): LinkRef | null {
    if (kind === "wikilink") return parseRef(target);
    if (!isLocalUrl(target)) return null;
    const resolved = resolveUrl(target, this.#page);
    return resolved === null ? null : parseRef(resolved);
  }

  /** Every wikilink of a stretch that is no Markdown itself. */
  #within({ from, to }: Span, surroundings: Surroundings): void {
    for (const link of wikilinksIn(this.#text.slice(from, to))) {
      this.#wikilink({ from: from + link.from, to: from + link.to }, surroundings);
    }
  }

  /** A link from its opening to its closing brackets. */
  #wikilink(whole: Span, { place, inComment, quote = null }: Surroundings): void {
    const embed = this.#text[whole.from] === "!";
    const from = whole.from + (embed ? 3 : 2);
    const end = whole.to - 2;
    const pipe = this.#text.slice(from, end).indexOf("|");
    const to = pipe < 0 ? end : from + pipe;
    const label = pipe < 0 ? null : this.#text.slice(to + 1, end);
    const target = { from, to };
    this.#raw.push({
      kind: "wikilink",
      embed,
      place,
      whole,
      target,
      label,
      quote,
      angled: false,
      inComment,
    });
  }

  #markdown(found: InlineLink, leaf: { content: string; offset: number; inComment: boolean }): void {
    const { offset, content, inComment } = leaf;
    this.#raw.push({
      kind: "markdown",
      embed: found.embed,
      place: "text",
      whole: { from: offset + found.from, to: offset + found.to },
      target: { from: offset + found.urlFrom, to: offset + found.urlTo },
      label: content.slice(found.from + (found.embed ? 2 : 1), found.textTo),
      quote: null,
      angled: found.angled,
      inComment,
    });
  }
}
