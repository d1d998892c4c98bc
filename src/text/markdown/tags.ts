/**
 * Tags by SilverBullet's scoping (plugs/index/{tags,frontmatter}.ts): which of a page's hashtags tag the page itself,
 * which a task, an item or a paragraph.
 */

import { type Blocks, type Leaf, scanBlocks } from "./blocks.ts";
import { readFrontmatter } from "../frontmatter/frontmatter_values.ts";
import { type Inline, scanInline, type TagRules } from "./inline.ts";
import { growingLineNumbers } from "../lines.ts";
import type { PlainValue } from "../frontmatter/yaml_values.ts";

/** `other`: in a heading, a table and the like. A tag of the page may stand in one of its paragraphs as well. */
export type TagScope = "task" | "item" | "paragraph" | "other";

export interface TagUse {
  readonly name: string;
  readonly scope: TagScope;
  readonly start: number;
  readonly end: number;
  /** 1-based. */
  readonly line: number;
  readonly inComment: boolean;
}

export interface PageTags {
  /** Tags of the page: from its frontmatter, and from top-level paragraphs that are nothing but hashtags. */
  readonly page: readonly string[];
  /** Every hashtag in the text, in order. */
  readonly uses: readonly TagUse[];
}

export function findTags(text: string | Blocks, tagRules: TagRules = "2.10"): PageTags {
  const blocks = typeof text === "string" ? scanBlocks(text) : text;
  const { clean, source, begins, frontmatter } = blocks;
  const lineOf = growingLineNumbers(source, begins);
  const page = new Set(frontmatter === null ? [] : frontmatterTags(source));
  const uses: TagUse[] = [];
  for (const leaf of blocks.leaves) {
    if (!leaf.content.includes("#")) continue;
    const inline = scanInline(leaf.content, tagRules);
    for (const name of ownParagraphTags(leaf, inline)) page.add(name);
    for (const found of inline) {
      if (found.kind !== "tag") continue;
      const start = clean.toSource(leaf.from + found.from);
      const end = clean.toSourceEnd(leaf.from + found.to);
      const { name } = found;
      uses.push({ name, scope: scopeOf(leaf), start, end, line: lineOf(start), inComment: leaf.inComment });
    }
  }
  return { page: [...page], uses };
}

/** True for pages whose links SilverBullet leaves out of its index. */
export function isTemplatePage(tags: Pick<PageTags, "page">): boolean {
  return tags.page.some((tag) => tag.startsWith("meta/template"));
}

/** The tags that `tags:` in the frontmatter gives a page; none where the YAML is malformed. */
export function frontmatterTags(text: string): string[] {
  const frontmatter = readFrontmatter(text);
  const tags = frontmatter.kind === "read" ? frontmatter.values["tags"] ?? null : null;
  return tagNames(tags).map((tag) => tag.replace(/^#/, "")).filter((tag) => tag !== "");
}

/** A text is cut at commas and white space, a list is not; anything else is no tags. */
function tagNames(tags: PlainValue): string[] {
  if (typeof tags === "string") return tags.split(/[,\s]+/);
  if (!Array.isArray(tags)) return [];
  return tags.flatMap((tag) => tag === null || typeof tag === "object" ? [] : [String(tag)]);
}

function scopeOf(leaf: Leaf): TagScope {
  if (leaf.kind === "task") return "task";
  if (leaf.item >= 0) return "item";
  return leaf.kind === "paragraph" ? "paragraph" : "other";
}

/** The hashtags of a top-level paragraph that has nothing else, or has it on later lines only. */
function ownParagraphTags(leaf: Leaf, inline: readonly Inline[]): string[] {
  if (leaf.kind !== "paragraph" || !leaf.top || leaf.inComment) return [];
  const names: string[] = [];
  let done = 0;
  for (const found of [...inline, null]) {
    const between = leaf.content.slice(done, found?.from);
    if (/^\n[^*_~=^&[!\\]/.test(between)) return names;
    if (between.trim() !== "" || found !== null && found.kind !== "tag") return [];
    if (found === null) break;
    names.push(found.name);
    done = found.to;
  }
  return names;
}
