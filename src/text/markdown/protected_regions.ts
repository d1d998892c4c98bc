/**
 * The parts of a page that run or style something in SilverBullet, so that a caller can refuse to add or change any.
 *
 * `space-lua` and `space-style` blocks, `${…}` wherever it is evaluated, baked sections with their bodies. Meant to
 * err on the side of finding too much. Whole pages that run (`CONFIG`, `Library/**`) are not this file's business.
 */

import { type Blocks, scanBlocks, type Span } from "./blocks.ts";
import { scanInline } from "./inline.ts";
import { growingLineNumbers } from "../lines.ts";
import { matchPairs } from "../pairs.ts";

export interface ProtectedRegion {
  /** `deep`: the rest of a page that is nested too deeply to be looked into. */
  readonly kind: "space-lua" | "space-style" | "lua" | "baked" | "deep";
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** In an HTML comment, where some generations run it and others do not. */
  readonly inComment: boolean;
}

/** Every such region of `text`, in order. */
export function protectedRegions(text: string): ProtectedRegion[] {
  if (!/\$\{|space-(?:lua|style)|<!--#lua/.test(text)) return [];
  const blocks = scanBlocks(text);
  const found = [
    ...codeRegions(blocks),
    ...luaRegions(blocks),
    ...bakedRegions(blocks),
    ...deepRegion(blocks),
  ];
  const lineOf = growingLineNumbers(blocks.clean.text);
  return found.sort((a, b) => a.span.from - b.span.from)
    .map(({ kind, text, span, inComment }) => ({ kind, text, line: lineOf(span.from), inComment }));
}

/** The regions of `after` that `before` does not have as often: what an edit added or changed. */
export function addedRegions(before: string, after: string): ProtectedRegion[] {
  const left = new Map<string, number>();
  for (const region of protectedRegions(before)) left.set(keyOf(region), (left.get(keyOf(region)) ?? 0) + 1);
  return protectedRegions(after).filter((region) => {
    const count = left.get(keyOf(region)) ?? 0;
    left.set(keyOf(region), count - 1);
    return count <= 0;
  });
}

/** A region that leaves its comment comes alive, so that counts as another one. */
function keyOf({ kind, text, inComment }: ProtectedRegion): string {
  return `${kind} ${inComment ? "comment" : "live"} ${text}`;
}

interface Found {
  readonly kind: ProtectedRegion["kind"];
  readonly text: string;
  readonly span: Span;
  readonly inComment: boolean;
}

function codeRegions(blocks: Blocks): Found[] {
  return blocks.code.flatMap(({ info, text, from, to, inComment }) => {
    const name = /^space-(?:lua|style)(?=\s|$)/.exec(info ?? "")?.[0];
    if (name !== "space-lua" && name !== "space-style") return [];
    const code = text.map((span) => blocks.clean.text.slice(span.from, span.to)).join("");
    return [{ kind: name, text: code, span: { from, to }, inComment }];
  });
}

/**
 * `${…}` in text outside code, in comments, and in frontmatter, which a page template evaluates. What else hides such
 * text (a footnote, an attribute) differs between generations and is not counted on.
 */
function luaRegions({ leaves, comments, frontmatter, clean }: Blocks): Found[] {
  const found: Found[] = [];
  for (const { content, from } of leaves) {
    if (!content.includes("${")) continue;
    const code = scanInline(content).filter(({ kind }) => kind === "code");
    let next = 0;
    for (const span of bracedSpans(content)) {
      while ((code[next]?.to ?? Infinity) <= span.from) next++;
      if ((code[next]?.from ?? Infinity) <= span.from && span.to <= (code[next]?.to ?? 0)) continue;
      found.push(luaRegion(content, span, { offset: from, inComment: false }));
    }
  }
  const others = [...comments.map((span) => ({ ...span, inComment: true }))];
  if (frontmatter !== null) {
    others.push({ from: frontmatter.yamlStart, to: frontmatter.yamlEnd, inComment: false });
  }
  for (const { from, to, inComment } of others) {
    const text = clean.text.slice(from, to);
    for (const span of bracedSpans(text)) found.push(luaRegion(text, span, { offset: from, inComment }));
  }
  return found;
}

function luaRegion(text: string, span: Span, at: { offset: number; inComment: boolean }): Found {
  const place = { from: at.offset + span.from, to: at.offset + span.to };
  return { kind: "lua", text: text.slice(span.from, span.to), span: place, inComment: at.inComment };
}

/** Each `${` that is not escaped, up to the brace that closes it; those inside another are part of that. */
function bracedSpans(text: string): Span[] {
  const spans: Span[] = [];
  if (!text.includes("${")) return spans;
  const partner = matchPairs(text, "{", "}");
  for (let at = text.indexOf("${"); at >= 0;) {
    const close = partner[at + 1] ?? -1;
    const opens = close >= 0 && !isEscaped(text, at);
    if (opens) spans.push({ from: at, to: close + 1 });
    at = text.indexOf("${", opens ? close + 1 : at + 2);
  }
  return spans;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1;
}

/** From the opening to the closing mark, found as SilverBullet does: in the bare text, code included. */
function bakedRegions({ clean: { text } }: Blocks): Found[] {
  const found: Found[] = [];
  for (let at = text.indexOf("<!--#lua"); at >= 0;) {
    const opened = text.indexOf("-->", at + 8);
    const closed = opened < 0 ? -1 : text.indexOf("<!--/lua-->", opened + 3);
    if (closed < 0) break;
    const span = { from: at, to: closed + 11 };
    found.push({ kind: "baked", text: text.slice(span.from, span.to), span, inComment: false });
    at = text.indexOf("<!--#lua", span.to);
  }
  return found;
}

/** Everything from the first text on that is nested too deeply: what it holds nobody looked at. */
function deepRegion({ tooDeep, clean: { text } }: Blocks): Found[] {
  const first = tooDeep[0];
  if (first === undefined) return [];
  const span = { from: first.from, to: text.length };
  return [{ kind: "deep", text: text.slice(span.from), span, inComment: false }];
}
