/** Which files a search is about: what the caller may see, and what the query and its arguments ask for. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Condition, fits, type PropertyForms, propertyForms } from "./condition.ts";
import type { Directory, IndexedFile } from "../store/directory.ts";
import { spaceSource, type Visible } from "../input.ts";
import { jsonRows, numberCell, textCell } from "../store/json_rows.ts";
import { patternFits } from "./path_pattern.ts";

/** What the caller asks for beside the query. */
export interface Scope {
  readonly visible: Visible;
  /** Where to look; everywhere when left out. */
  readonly sources?: readonly string[] | undefined;
  /** Beginning of the path. */
  readonly prefix?: string | undefined;
  readonly includeTrash?: boolean | undefined;
}

export interface ArgumentFilters {
  readonly scope: Scope;
  readonly tag: string | null;
  readonly where: readonly Condition[];
}

export type Accepts = (file: IndexedFile) => boolean;

const trash = "_trash/";

export class Filters {
  readonly #directory: Directory;
  readonly #byTag: StatementSync;
  readonly #byTagInAnyCase: StatementSync;
  readonly #byKey: StatementSync;

  constructor(db: DatabaseSync, directory: Directory) {
    this.#directory = directory;
    const docs = "SELECT json_group_array(json_array(doc)) AS rows FROM tags WHERE";
    this.#byTag = db.prepare(`${docs} tag = :tag OR (tag >= :tag || '/' AND tag < :tag || '0')`);
    this.#byTagInAnyCase = db.prepare(
      `${docs} lower(tag) = lower(:tag) OR substr(lower(tag), 1, length(:tag) + 1) = lower(:tag) || '/'`,
    );
    this.#byKey = db.prepare(
      "SELECT json_group_array(json_array(doc, value)) AS rows FROM properties WHERE key = :key",
    );
  }

  /** Files that the scope is about, whatever they hold. */
  inScope(scope: Scope): Accepts {
    const { visible, sources, prefix = "", includeTrash = false } = scope;
    return (file) =>
      (sources === undefined || sources.includes(file.source)) &&
      file.path.startsWith(prefix) &&
      (includeTrash || file.source !== spaceSource || !file.path.startsWith(trash)) &&
      this.#directory.isVisible(file, visible);
  }

  /** As `inScope`, in the space alone: folders have no tasks, tags or links of SilverBullet's. */
  inSpace(scope: Scope): Accepts {
    return this.inScope({ ...scope, sources: [spaceSource] });
  }

  /** Files that the scope and the arguments beside the query are about. */
  forArguments({ scope, tag, where }: ArgumentFilters): Accepts {
    const inScope = this.inScope(scope);
    const rules = [inScope, ...where.map((condition) => this.fitting(condition))];
    if (tag !== null) {
      const docs = this.tagged(tag.replace(/^#/, ""), inScope);
      rules.push((file) => docs.has(file.doc));
    }
    return rules.length === 1 ? inScope : (file) => rules.every((rule) => rule(file));
  }

  /**
   * Files with that tag or one below it (`a` finds `a/b`), in any scope. Without regard to case where none has it as
   * it is written.
   */
  tagged(tag: string, accepts: Accepts): Set<number> {
    const found = this.#accepted(this.#byTag, tag, accepts);
    return found.size > 0 ? found : this.#accepted(this.#byTagInAnyCase, tag, accepts);
  }

  #accepted(statement: StatementSync, tag: string, accepts: Accepts): Set<number> {
    const found = new Set<number>();
    for (const [doc] of jsonRows(statement, { tag })) {
      const file = this.#directory.byDoc(numberCell(doc));
      if (file !== undefined && accepts(file)) found.add(file.doc);
    }
    return found;
  }

  /** True when some file that is accepted has that key. */
  hasKey(key: string, accepts: Accepts): boolean {
    return isFileKey(key) || [...this.#valuesOf(key).keys()].some((doc) => {
      const file = this.#directory.byDoc(doc);
      return file !== undefined && accepts(file);
    });
  }

  fitting(condition: Condition): Accepts {
    const values = this.#valuesOf(condition.key);
    const isOwn = values.size === 0 && isFileKey(condition.key);
    return (file) => fits(condition, isOwn ? fileValues(condition.key, file) : values.get(file.doc) ?? []);
  }

  #valuesOf(key: string): Map<number, PropertyForms[]> {
    const values = new Map<number, PropertyForms[]>();
    for (const [doc, value] of jsonRows(this.#byKey, { key })) {
      const forms = propertyForms(textCell(value));
      const known = values.get(numberCell(doc));
      if (known === undefined) values.set(numberCell(doc), [forms]);
      else known.push(forms);
    }
    return values;
  }
}

/** A path fits where it holds the text in any case or, with `*` or `?`, where the whole of it fits. */
export function pathFits(wanted: string): Accepts {
  const lower = wanted.toLowerCase();
  if (!/[*?]/.test(wanted)) return (file) => file.path.toLowerCase().includes(lower);
  const matches = patternFits(lower);
  return (file) => {
    const path = file.path.toLowerCase();
    return matches(path) || path.endsWith(".md") && matches(path.slice(0, -3));
  };
}

/** What SilverBullet knows of a page without its frontmatter. */
function isFileKey(key: string): boolean {
  return key === "modified" || key === "lastmodified" || key === "created";
}

function fileValues(key: string, file: IndexedFile): PropertyForms[] {
  const time = key === "created" ? file.created : file.modified;
  return time === null ? [] : [propertyForms(new Date(time).toISOString().slice(0, 19))];
}
