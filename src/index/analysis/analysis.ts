/**
 * Takes a file's text apart into what the index keeps of it, by SilverBullet's rules as src/text knows them.
 *
 * Pure: the same text gives the same rows. Text that is no page has lines and words and nothing else.
 */

import { type Blocks, scanBlocks } from "../../text/markdown/blocks.ts";
import { readFrontmatter } from "../../text/frontmatter/frontmatter_values.ts";
import { findHeadings } from "../../text/markdown/headings.ts";
import type { TagRules } from "../../text/markdown/inline.ts";
import { countLines } from "../../text/lines.ts";
import type { RefDetail } from "../../text/links/link_ref.ts";
import { findLinks, type PageLink } from "../../text/links/links.ts";
import { linkBase } from "../../text/links/resolve_link.ts";
import {
  findTags,
  isTemplatePage,
  type PageTags,
  type TagScope,
  type TagUse,
} from "../../text/markdown/tags.ts";
import { taskRef } from "../../text/markdown/task_ref.ts";
import { findTasks } from "../../text/markdown/tasks.ts";
import type { PlainMap } from "../../text/frontmatter/yaml_values.ts";
import type { FileContent } from "../input.ts";
import { dayOfName } from "./journal_day.ts";
import { leafChunks } from "./leaf_chunks.ts";
import { type PropertyRow, propertyRows, textsOf } from "./properties.ts";

export interface Analysis {
  readonly lines: number;
  /** `YYYY-MM-DD` where the file's name begins with a date. */
  readonly day: string | null;
  /** Other names the page goes by: aliases, display name. */
  readonly aliases: readonly string[];
  readonly headings: readonly HeadingRow[];
  readonly tags: readonly TagRow[];
  readonly properties: readonly PropertyRow[];
  readonly tasks: readonly TaskRow[];
  readonly links: readonly LinkRow[];
}

/** Level 0: a label of a document, such as a page number. */
export interface HeadingRow {
  readonly line: number;
  readonly level: number;
  readonly title: string;
}

export interface TagRow {
  readonly tag: string;
  /** What carries it: the page, or a task, an item, a paragraph or something else on it. */
  readonly scope: "page" | TagScope;
  readonly uses: number;
}

export interface TaskRow {
  readonly line: number;
  readonly state: string;
  readonly done: boolean;
  readonly text: string;
  readonly ref: string | null;
  /** Its own and those of the page. */
  readonly tags: readonly string[];
}

export interface LinkRow {
  readonly line: number;
  /** `wikilink`, `embed`, `markdown`, `image`, `frontmatter`, `attribute`, `data`. */
  readonly kind: string;
  /** With extension, as written; the file's own path for a link within it. */
  readonly target: string;
  /** The target's last part, in lower case. */
  readonly base: string;
  /** What follows the path: `#Heading`, `@12`, `$anchor`, or nothing. */
  readonly suffix: string;
}

/** The rows of a file, in steps of a few milliseconds. */
export function* analyse(
  path: string,
  content: FileContent,
  rules: TagRules,
): Generator<undefined, Analysis> {
  const day = dayOfName(path);
  if (content.format === "page") return { ...yield* pageRows(path, content.text, rules), day };
  const labels = content.format === "plain" ? content.labels ?? [] : [];
  return {
    lines: content.format === "plain" ? countLines(content.text) : 0,
    day,
    aliases: [],
    headings: labels.map(({ line, text }) => ({ line, level: 0, title: text })),
    tags: [],
    properties: [],
    tasks: [],
    links: [],
  };
}

type PageRows = Omit<Analysis, "day">;

function* pageRows(path: string, text: string, rules: TagRules): Generator<undefined, PageRows> {
  const blocks = scanBlocks(text, { comments: rules === "2.11" ? "markdown" : "opaque", anySize: true });
  const frontmatter = readFrontmatter(text);
  const values: PlainMap = frontmatter.kind === "read" ? frontmatter.values : {};
  const headings = findHeadings(blocks).map(({ line, level, title }) => ({ line, level, title }));
  const page = new Set<string>();
  const uses: TagUse[] = [];
  const links: LinkRow[] = [];
  for (const chunk of leafChunks(blocks)) {
    const tags = findTags(chunk, rules);
    for (const tag of tags.page) page.add(tag);
    for (const use of tags.uses) uses.push(use);
    for (const link of findLinks(chunk, path)) links.push(linkRow(link, path));
    if (chunk !== blocks) yield;
  }
  const tags: PageTags = { page: [...page], uses };
  return {
    lines: countLines(text),
    aliases: [...textsOf(values["aliases"]), ...textsOf(values["displayName"])],
    headings,
    tags: tagRows(tags),
    properties: propertyRows(values),
    tasks: taskRows(blocks, { rules, pageTags: tags.page }),
    // SilverBullet indexes no links of pages that are templates.
    links: isTemplatePage(tags) ? [] : links,
  };
}

function tagRows({ page, uses }: PageTags): TagRow[] {
  const rows = new Map<string, { tag: string; scope: TagRow["scope"]; uses: number }>();
  for (
    const { tag, scope } of [
      ...page.map((tag) => ({ tag, scope: "page" as const })),
      ...uses.map(({ name, scope }) => ({ tag: name, scope })),
    ]
  ) {
    const row = rows.get(`${scope} ${tag}`);
    if (row === undefined) rows.set(`${scope} ${tag}`, { tag, scope, uses: 1 });
    else row.uses++;
  }
  return [...rows.values()];
}

function taskRows(
  blocks: Blocks,
  { rules, pageTags }: { readonly rules: TagRules; readonly pageTags: readonly string[] },
): TaskRow[] {
  return findTasks(blocks, rules).map((task) => {
    const { line, state, done, text, tags } = task;
    return { line, state, done, text, ref: taskRef(task), tags: [...new Set([...tags, ...pageTags])] };
  });
}

function linkRow(link: PageLink, path: string): LinkRow {
  const target = link.ref.path === "" ? path : link.ref.path;
  return {
    line: link.line,
    kind: linkKind(link),
    target,
    base: linkBase(target),
    suffix: suffixOf(link.ref.detail),
  };
}

function suffixOf(detail: RefDetail | null): string {
  switch (detail?.kind) {
    case undefined:
      return "";
    case "header":
      return `#${detail.header}`;
    case "anchor":
      return `$${detail.name}`;
    case "position":
      return `@${detail.offset}`;
    case "line":
      return `@L${detail.line}${detail.column > 1 ? `C${detail.column}` : ""}`;
  }
}

function linkKind({ kind, embed, place }: PageLink): string {
  if (place !== "text") return place;
  if (kind === "wikilink") return embed ? "embed" : "wikilink";
  return embed ? "image" : "markdown";
}
