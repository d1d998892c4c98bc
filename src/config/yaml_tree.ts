/**
 * A configuration file once parsed: maps, lists and texts with their places, and nothing else.
 *
 * Scalars stay as written (YAML's failsafe schema): `yes`, `0123` and `1e3` mean what the setting makes of them.
 */

/** Lines and columns count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface YamlText {
  readonly kind: "text";
  readonly text: string;
  readonly place: Place;
}

export interface YamlList {
  readonly kind: "list";
  readonly items: readonly YamlNode[];
  readonly place: Place;
}

export interface YamlEntry {
  readonly key: string;
  readonly place: Place;
  readonly value: YamlNode;
}

export interface YamlMap {
  readonly kind: "map";
  readonly entries: readonly YamlEntry[];
  readonly place: Place;
}

export type YamlNode = YamlText | YamlList | YamlMap;

/** Why a file was refused, in our own words: the parser's may quote the file. */
export interface YamlFault {
  readonly message: string;
  readonly mend: string;
  /** `null` where the whole file is meant. */
  readonly place: Place | null;
}

/** What the parser's worker says first, once it is loaded. */
export const parserReady = "ready";

export type YamlOutcome = { readonly root: YamlMap } | { readonly faults: readonly YamlFault[] };
