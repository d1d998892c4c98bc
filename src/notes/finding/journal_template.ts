/**
 * The text of a new journal page: from the space's template where that needs no Lua beyond the day and the tag, else as
 * SilverBullet's own template makes it (libraries/Library/Std/Journal/Template).
 */

import { readFrontmatter } from "../../text/frontmatter/frontmatter_values.ts";
import { locateFrontmatter } from "../../text/frontmatter/frontmatter.ts";
import { appendText } from "../../text/joins.ts";

export interface JournalText {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly tag: string;
  /** To be added; empty for none. */
  readonly content: string;
}

/** Where the cursor goes in a template. */
const mark = "|^|";
const known =
  /\$\{\s*(?:(date\s*\.\s*today\s*\(\s*\))|config\s*\.\s*get\s*\(\s*["']journal\.tag["']\s*\))\s*\}/g;
const emptyItem = /^[ \t]*[*+-][ \t]+(?:\[[^\]]\][ \t]+)?\|\^\|[ \t]*$/m;
const item = /^[ \t]*(?:[*+-]|\d+[.)])[ \t]/;
const builtIn =
  '---\nfrontmatter: |\n  tags: ${config.get("journal.tag")}\n  date: ${date.today()}\n---\n* |^|\n';

/** `null` where the template needs Lua that is not run here. */
export function journalText(template: string, options: JournalText): string | null {
  const { day, tag, content } = options;
  const frontmatter = frontmatterOf(template);
  const body = template.slice(locateFrontmatter(template)?.end ?? 0);
  if (frontmatter === null) return null;
  const text = (frontmatter === "" ? "" : `---\n${frontmatter.replace(/\n*$/, "\n")}---\n`) + body;
  const filled = text.replace(known, (_, today) => today === undefined ? tag : day);
  return filled.includes("${") ? null : withContent(filled, content);
}

export function builtInJournalText(options: JournalText): string {
  return journalText(builtIn, options) ?? "";
}

/** What the template says the new page's frontmatter is; `null` where it is no text. */
function frontmatterOf(template: string): string | null {
  const read = readFrontmatter(template);
  if (read.kind !== "read") return read.kind === "none" ? "" : null;
  const wanted = read.values["frontmatter"] ?? "";
  return typeof wanted === "string" ? wanted : null;
}

/** In place of an empty list item where the cursor would go, else at the end. */
function withContent(text: string, content: string): string {
  const added = content.trim();
  if (added === "") return text.replace(mark, "");
  const isOneLine = !added.includes("\n");
  if (emptyItem.test(text)) {
    if (isOneLine && !item.test(added)) return text.replace(mark, () => added);
    return appendText(text.replace(emptyItem, "").replace(/\n{2,}$/, "\n"), content);
  }
  return appendText(text.replace(mark, ""), content);
}
