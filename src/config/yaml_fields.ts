/** Reads the maps of the configuration file strictly: known names, wanted kinds, every fault with its place. */

import type { Kind } from "./kind.ts";
import { type Report, shownName } from "./report.ts";
import { suggest } from "./suggest.ts";
import type { Place, YamlEntry, YamlNode } from "./yaml_tree.ts";

/** How a place in the file is called in a problem. */
export function inFile(what: string, place: Place): string {
  return `${what} (configuration file, line ${place.line})`;
}

export interface FieldsOptions {
  /** How the map is called: `tokens[0]`. */
  readonly label: string;
  readonly keys: readonly string[];
  readonly report: Report;
}

export class Fields {
  readonly #entries = new Map<string, YamlEntry>();
  readonly #options: FieldsOptions;
  readonly #place: Place;

  /** Reports names that are not among `keys`, and anything that is no map. */
  constructor(node: YamlNode, options: FieldsOptions) {
    this.#options = options;
    this.#place = node.place;
    const { label, keys, report } = options;
    if (node.kind !== "map") {
      const name = inFile(label, node.place);
      report.problem(name, `${name} must hold names and values`, `Known are ${keys.join(", ")}`);
      return;
    }
    for (const entry of node.entries) {
      if (keys.includes(entry.key)) this.#entries.set(entry.key, entry);
      else {
        const name = inFile(
          label === "" ? shownName(entry.key) : `${label}.${shownName(entry.key)}`,
          entry.place,
        );
        const close = suggest(entry.key, keys);
        const mend = close.length > 0
          ? `Did you mean ${close.join(" or ")}?`
          : `Known are ${keys.join(", ")}`;
        report.problem(name, `${name} is not known`, mend);
      }
    }
  }

  /** The map itself, in problems. */
  get name(): string {
    return inFile(this.#options.label, this.#place);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  nameOf(key: string): string {
    return inFile(this.path(key), this.#entries.get(key)?.place ?? this.#place);
  }

  path(key: string): string {
    return this.#options.label === "" ? key : `${this.#options.label}.${key}`;
  }

  node(key: string): YamlNode | null {
    return this.#entries.get(key)?.value ?? null;
  }

  /** The value by a kind, or `null` where it is absent or was refused. */
  value<T>(key: string, kind: Kind<T>): T | null {
    const node = this.node(key);
    if (node === null) return null;
    const given = textOrItems(node);
    const name = this.nameOf(key);
    if (given === null || (typeof given !== "string" && kind.parseItems === undefined)) {
      return this.#refuse(name, "must be a single value", `Wanted: ${kind.label}`);
    }
    if (typeof given === "string" && given.trim() === "") {
      return this.#refuse(name, "has no value", "Give it one, or remove the line");
    }
    const parsed = typeof given === "string" ? kind.parse(given) : kind.parseItems?.(given);
    if (parsed === undefined || "value" in parsed) return parsed?.value ?? null;
    return this.#refuse(name, `must be ${parsed.wanted}`, "Correct it, or remove the line");
  }

  /** Says that a name is missing, where it is. */
  require(key: string): void {
    if (this.has(key)) return;
    this.#refuse(this.name, `lacks ${key}`, `Add ${key}`);
  }

  #refuse(name: string, what: string, mend: string): null {
    this.#options.report.problem(name, `${name} ${what}`, mend);
    return null;
  }
}

/** A text, the texts of a flat list, or `null` for anything deeper. */
export function textOrItems(node: YamlNode): string | readonly string[] | null {
  if (node.kind === "text") return node.text;
  if (node.kind === "map") return null;
  const items: string[] = [];
  for (const item of node.items) {
    if (item.kind !== "text") return null;
    items.push(item.text);
  }
  return items;
}
