/**
 * Which links mean a file, and which files a file links to, by the rules of the server's generation.
 *
 * Links are kept as they are written and resolved when somebody asks: a page that comes, goes or moves changes what
 * other pages' links mean, and nothing has to be written for that.
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { numberColumn, textColumn } from "../state/rows.ts";
import {
  linkBase,
  type LinkMeaning,
  type LinkRules,
  resolveLink,
  type SpaceFiles,
} from "../text/links/resolve_link.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { compareCodePoints, type Directory, type IndexedFile } from "./store/directory.ts";
import type { Filters, Scope } from "./query/filters.ts";
import { spaceSource, type Visible } from "./input.ts";
import { jsonRows, numberCell, textCell } from "./store/json_rows.ts";
import { defaultRows, type Paged, type PageOf } from "./paged.ts";
import type { Texts } from "./store/texts.ts";

/** As `Scope`; files that the caller may not know of are nothing that a link could mean either. */
export interface LinkScope extends Scope {
  /** What a link may mean beside what is visible, such as files that came with the server. */
  readonly linkable?: Visible | undefined;
}

export interface BacklinksRequest extends LinkScope, Paged {
  /** Path of the file that is linked to; it need not exist. */
  readonly path: string;
}

export interface Backlink {
  /** Path of the page that the link is on. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** The page's line, cut where it is long. */
  readonly text: string;
  /** `wikilink`, `embed`, `markdown`, `image`, `frontmatter`, `attribute`, `data`. */
  readonly kind: string;
  /** What the link says after the path: `#Heading`, `@12`, `$anchor`, or nothing. */
  readonly suffix: string;
}

export interface OutgoingLink {
  /** The file that is meant, or would be. */
  readonly path: string;
  readonly exists: boolean;
  readonly kind: string;
  readonly line: number;
}

/** The links of one page that mean the file. */
interface LinkingPage {
  readonly file: IndexedFile;
  count: number;
}

export interface LinksOptions {
  readonly db: DatabaseSync;
  readonly directory: Directory;
  readonly filters: Filters;
  readonly texts: Texts;
  readonly rules: LinkRules;
}

interface PlacedLink extends Backlink {
  readonly place: number;
}

const maxLineLength = 200;
const rowsAtOnce = 200;

export class Links {
  readonly #options: LinksOptions;
  readonly #counts: StatementSync;
  readonly #onPage: StatementSync;
  readonly #ofDoc: StatementSync;

  constructor(options: LinksOptions) {
    this.#options = options;
    const { db, rules } = options;
    const columns = "place, line, kind, target, suffix";
    const wanted = rules === "exact" ? "base = :base AND target = :path" : "base = :base";
    this.#counts = db.prepare(`
      SELECT json_group_array(json_array(doc, kind, target, links)) AS rows
      FROM (SELECT doc, kind, target, count(*) AS links FROM links WHERE ${wanted} GROUP BY target, kind, doc)`);
    this.#onPage = db.prepare(
      `SELECT ${columns} FROM links WHERE doc = ? AND base = ? AND place > ? ORDER BY place LIMIT ${rowsAtOnce}`,
    );
    this.#ofDoc = db.prepare(`SELECT ${columns} FROM links WHERE doc = ? ORDER BY place`);
  }

  /**
   * Every link that means the file, a row for each, by page and place; links in the file itself count too. Throws
   * `invalid_argument` for a cursor of another question.
   */
  to(request: BacklinksRequest): PageOf<Backlink> {
    const { path, prefix, limit = defaultRows, cursor } = request;
    const question = ["backlinks", path, prefix];
    const [afterPath = "", afterPlace = -1] = cursor === undefined ? [] : readCursor(question, cursor);
    const pages = this.#linkingPages(request).sort((a, b) => compareCodePoints(a.file.path, b.file.path));
    const total = pages.reduce((sum, { count }) => sum + count, 0);
    const rows: PlacedLink[] = [];
    const files = this.#files(request);
    for (const { file } of pages) {
      const order = compareCodePoints(file.path, String(afterPath));
      if (order < 0) continue;
      const most = limit + 1 - rows.length;
      const after = order === 0 ? Number(afterPlace) : -1;
      rows.push(...this.#linksOn(file, path, { after, most, files }));
      if (rows.length > limit) break;
    }
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const isLast = last === undefined || rows.length <= limit;
    return {
      rows: shown.map(({ place: _, ...link }) => link),
      total,
      nextCursor: isLast ? null : writeCursor(question, [last.path, last.place]),
    };
  }

  /** Up to `most` links of one page that mean the file at `path`, those after a place. */
  #linksOn(
    file: IndexedFile,
    path: string,
    { after, most, files }: { after: number; most: number; files: SpaceFiles },
  ): PlacedLink[] {
    const found: PlacedLink[] = [];
    for (let last = after;;) {
      const rows = this.#onPage.all(file.doc, linkBase(path), last);
      for (const row of rows) {
        if (found.length >= most) return found;
        last = numberColumn(row, "place");
        const kind = textColumn(row, "kind");
        const target = textColumn(row, "target");
        if (this.meaning(target, { page: file.path, kind, files }).path !== path) continue;
        const line = numberColumn(row, "line");
        const text = shortened(this.#options.texts.line(file.doc, line) ?? "");
        found.push({ path: file.path, line, text, kind, suffix: textColumn(row, "suffix"), place: last });
      }
      if (rows.length < rowsAtOnce) return found;
    }
  }

  /** The links of a page, in order, those to itself left out. A target that the caller may not see does not exist. */
  from(path: string, scope: LinkScope): OutgoingLink[] {
    const { directory, filters } = this.#options;
    const file = directory.at(spaceSource, path);
    const accepts = filters.inSpace(scope);
    if (file === undefined || !accepts(file)) return [];
    const found: OutgoingLink[] = [];
    const files = this.#files(scope);
    for (const row of this.#ofDoc.all(file.doc)) {
      const kind = textColumn(row, "kind");
      const meaning = this.meaning(textColumn(row, "target"), { page: path, kind, files });
      if (meaning.path === path) continue;
      const target = directory.at(spaceSource, meaning.path);
      const exists = target !== undefined && accepts(target);
      const shown = target === undefined || exists ? meaning.path : textColumn(row, "target");
      found.push({ path: shown, exists, kind, line: numberColumn(row, "line") });
    }
    return found;
  }

  /** What a link means now, among all files where none are given. */
  meaning(
    target: string,
    { page, kind, files }: { readonly page: string; readonly kind: string; readonly files?: SpaceFiles },
  ): LinkMeaning {
    const isMarkdown = kind === "markdown" || kind === "image";
    return resolveLink({
      path: target,
      page,
      kind: isMarkdown ? "markdown" : "wikilink",
      rules: this.#options.rules,
    }, files ?? this.#files({ visible: everyFile }));
  }

  #linkingPages({ path, ...scope }: BacklinksRequest): LinkingPage[] {
    const { directory, filters, rules } = this.#options;
    const accepts = filters.inSpace(scope);
    /** What a target means depends on nothing but the folder of the page; asked once for each. */
    const known = new Map<string, boolean>();
    const pages = new Map<number, LinkingPage>();
    const files = this.#files(scope);
    const base = linkBase(path);
    for (
      const [doc, kind, target, links] of jsonRows(
        this.#counts,
        rules === "exact" ? { base, path } : { base },
      )
    ) {
      const file = directory.byDoc(numberCell(doc));
      if (file === undefined || !accepts(file)) continue;
      const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
      const key = `${kind}\0${folder}\0${target}`;
      let means = known.get(key);
      if (means === undefined) {
        const from = { page: file.path, kind: textCell(kind), files };
        means = this.meaning(textCell(target), from).path === path;
        known.set(key, means);
      }
      if (!means) continue;
      const page = pages.get(file.doc);
      if (page === undefined) pages.set(file.doc, { file, count: numberCell(links) });
      else page.count += numberCell(links);
    }
    return [...pages.values()];
  }

  /** What a link may mean for that caller. */
  #files({ visible, linkable }: LinkScope): SpaceFiles {
    const { directory } = this.#options;
    const isKnown = (path: string) => {
      const file = directory.at(spaceSource, path);
      if (file === undefined) return false;
      return directory.isVisible(file, visible) ||
        linkable !== undefined && directory.isVisible(file, linkable);
    };
    return { has: isKnown, withBase: (base) => directory.withBase(base).filter(isKnown) };
  }
}

function everyFile(): boolean {
  return true;
}

function shortened(text: string): string {
  const line = text.trim();
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength - 1).toWellFormed()}…`;
}
