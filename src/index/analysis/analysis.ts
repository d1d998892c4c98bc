/**
 * Takes a file's text apart into what the index keeps of it, by SilverBullet's rules as src/text knows them.
 *
 * Pure: the same text gives the same rows. Text that is no page has lines and words and nothing else.
 */

import { blockPieces } from "../../text/markdown/block_pieces.ts";
import type { Blocks } from "../../text/markdown/blocks.ts";
import { readFrontmatter } from "../../text/frontmatter/frontmatter_values.ts";
import { findHeadings } from "../../text/markdown/headings.ts";
import type { TagRules } from "../../text/markdown/inline.ts";
import { countLines } from "../../text/lines.ts";
import type { RefDetail } from "../../text/links/link_ref.ts";
import { findLinks, type PageLink } from "../../text/links/links.ts";
import { linkBase } from "../../text/links/resolve_link.ts";
import { findTags, isTemplatePage, type TagScope } from "../../text/markdown/tags.ts";
import { taskRef } from "../../text/markdown/task_ref.ts";
import { findTasks } from "../../text/markdown/tasks.ts";
import type { PlainMap } from "../../text/frontmatter/yaml_values.ts";
import type { FileContent } from "../input.ts";
import { dayOfName } from "./journal_day.ts";
import { leafChunks } from "./leaf_chunks.ts";
import { countBreaks } from "./line_breaks.ts";
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
  const found = new FoundRows(path, rules);
  for (const piece of blockPieces(text, { comments: rules === "2.11" ? "markdown" : "opaque" })) {
    yield;
    if (piece !== null) yield* found.add(piece);
  }
  const values = frontmatterValues(text);
  const page = [...found.pageTags];
  return {
    lines: yield* countLinesInSteps(text),
    aliases: [...textsOf(values["aliases"]), ...textsOf(values["displayName"])],
    headings: found.headings,
    tags: found.tags(),
    properties: propertyRows(values),
    tasks: yield* withTags(found.tasks, page),
    // SilverBullet indexes no links of pages that are templates.
    links: isTemplatePage({ page }) ? [] : found.links,
  };
}

/** What has been found in the pieces of a page so far. */
class FoundRows {
  readonly headings: HeadingRow[] = [];
  readonly tasks: TaskRow[] = [];
  readonly links: LinkRow[] = [];
  readonly pageTags = new Set<string>();
  readonly #uses = new Map<string, { tag: string; scope: TagRow["scope"]; uses: number }>();
  readonly #path: string;
  readonly #rules: TagRules;

  constructor(path: string, rules: TagRules) {
    this.#path = path;
    this.#rules = rules;
  }

  *add(piece: Blocks): Generator<undefined> {
    for (const { line, level, title } of findHeadings(piece)) this.headings.push({ line, level, title });
    for (const chunk of leafChunks(piece)) {
      yield;
      const tags = findTags(chunk, this.#rules);
      for (const tag of tags.page) this.pageTags.add(tag);
      for (const { name, scope } of tags.uses) this.#count(name, scope);
      yield;
      for (const link of findLinks(chunk, this.#path)) this.links.push(linkRow(link, this.#path));
    }
    for (let from = 0; from < piece.tasks.length; from += tasksPerStep) {
      yield;
      const some = { ...piece, tasks: piece.tasks.slice(from, from + tasksPerStep) };
      for (const task of findTasks(some, this.#rules)) {
        const { line, state, done, text, tags } = task;
        this.tasks.push({ line, state, done, text, ref: taskRef(task), tags });
      }
    }
  }

  tags(): TagRow[] {
    const page = [...this.pageTags].map((tag) => ({ tag, scope: "page" as const, uses: 1 }));
    return [...page, ...this.#uses.values()];
  }

  #count(tag: string, scope: TagRow["scope"]): void {
    const row = this.#uses.get(`${scope} ${tag}`);
    if (row === undefined) this.#uses.set(`${scope} ${tag}`, { tag, scope, uses: 1 });
    else row.uses++;
  }
}

/** What YAML that is any good is found in. */
const headLength = 131_072;

function frontmatterValues(text: string): PlainMap {
  const frontmatter = readFrontmatter(text.slice(0, headLength));
  return frontmatter.kind === "read" ? frontmatter.values : {};
}

const tasksPerStep = 500;

/** Tasks with the tags of their page beside their own. */
function* withTags(
  tasks: readonly TaskRow[],
  page: readonly string[],
): Generator<undefined, readonly TaskRow[]> {
  if (page.length === 0) return tasks;
  const rows: TaskRow[] = [];
  for (const task of tasks) {
    rows.push({ ...task, tags: [...new Set([...task.tags, ...page])] });
    if (rows.length % tasksPerStep === 0) yield;
  }
  return rows;
}

const lengthPerStep = 131_072;

function* countLinesInSteps(text: string): Generator<undefined, number> {
  if (text === "") return 0;
  let breaks = 0;
  for (let from = 0; from < text.length; from += lengthPerStep) {
    breaks += countBreaks(text.slice(from, from + lengthPerStep));
    if (from > 0) yield;
  }
  return text.endsWith("\n") ? breaks : breaks + 1;
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
