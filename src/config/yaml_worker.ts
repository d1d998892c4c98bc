/// <reference lib="deno.worker" />
/**
 * Parses one configuration file in a worker that has no permission at all, so that the parser of a foreign package
 * meets neither the network, the disk nor the secrets of this process.
 *
 * Answers plain maps, lists and texts with their places. Anchors, aliases and tags are refused: a configuration
 * needs none, and a few lines of aliases can unfold to gigabytes.
 */

import process from "node:process";
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type YAMLError,
} from "yaml";
import {
  parserReady,
  type Place,
  type YamlEntry,
  type YamlFault,
  type YamlNode,
  type YamlOutcome,
} from "./yaml_tree.ts";

const maxDepth = 12;
const maxNodes = 20_000;

class Refused extends Error {
  readonly fault: YamlFault;

  constructor(fault: YamlFault) {
    super("Refused");
    this.fault = fault;
  }
}

/** The parser looks for two debugging variables while it works; without this, asking would need a permission. */
process.env = {};

self.onmessage = (event: MessageEvent<unknown>) => {
  self.postMessage(read(typeof event.data === "string" ? event.data : ""));
};
self.postMessage(parserReady);

function read(text: string): YamlOutcome {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof Refused) return { faults: [error.fault] };
    return {
      faults: [{
        message: "cannot be parsed",
        mend: "Write it as in docs/reference/configuration.md",
        place: null,
      }],
    };
  }
}

function parse(text: string): YamlOutcome {
  const lines = new LineCounter();
  // Unique names are checked below: the parser compares each with all, which takes seconds for a large file.
  const document = parseDocument(text, {
    schema: "failsafe",
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  });
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) {
    return {
      faults: errors.slice(0, 10).map((error) => ({ ...explain(error), place: placeOf(error.pos[0]) })),
    };
  }
  const contents = document.contents;
  if (contents === null || (isScalar(contents) && contents.value === "")) {
    return { root: { kind: "map", entries: [], place: { line: 1, column: 1 } } };
  }
  const root = new Walk(placeOf).node(contents, 0);
  if (root.kind === "map") return { root };
  return {
    faults: [{
      message: "does not hold settings",
      mend: "Write one `name: value` a line",
      place: root.place,
    }],
  };
}

class Walk {
  readonly #placeOf: (offset: number) => Place;
  #nodes = 0;

  constructor(placeOf: (offset: number) => Place) {
    this.#placeOf = placeOf;
  }

  node(node: ParsedNode, depth: number): YamlNode {
    const place = this.#placeOf(node.range[0]);
    if (isAlias(node) || node.anchor !== undefined) {
      refuse("an anchor or alias", "Write the value out", place);
    }
    if (node.tag !== undefined && !/^tag:yaml\.org,2002:(str|map|seq)$/.test(node.tag)) {
      refuse("a tag", "Leave the word that begins with ! out", place);
    }
    if (depth > maxDepth) refuse("too many levels", `Nest at most ${maxDepth} levels`, place);
    if (++this.#nodes > maxNodes) refuse("too many values", `At most ${maxNodes} are read`, place);
    if (isScalar(node)) {
      return { kind: "text", text: typeof node.value === "string" ? node.value : "", place };
    }
    if (isSeq(node)) {
      return {
        kind: "list",
        items: node.items.map((item) => this.node(item, depth + 1)),
        place,
      };
    }
    if (!isMap(node)) refuse("something else than settings", "Write one `name: value` a line", place);
    const entries = node.items.map((pair) => this.entry(pair, depth));
    const seen = new Set<string>();
    for (const entry of entries) {
      if (seen.has(entry.key)) refuse("the same name twice", "Keep one of the two", entry.place);
      seen.add(entry.key);
    }
    return { kind: "map", entries, place };
  }

  entry(pair: { readonly key: ParsedNode; readonly value: ParsedNode | null }, depth: number): YamlEntry {
    const place = this.#placeOf(pair.key.range[0]);
    const key = this.node(pair.key, depth + 1);
    if (key.kind !== "text") refuse("a name that is no single word", "Write `name: value`", place);
    const value = pair.value === null
      ? { kind: "text" as const, text: "", place }
      : this.node(pair.value, depth + 1);
    return { key: key.text, place, value };
  }
}

function refuse(what: string, mend: string, place: Place): never {
  throw new Refused({ message: `holds ${what}, which is not accepted here`, mend, place });
}

/** In our own words: the parser's message can quote the line, and with it a secret. */
function explain(error: YAMLError): Pick<YamlFault, "message" | "mend"> {
  if (error.code === "TAG_RESOLVE_FAILED") {
    return { message: "holds a tag", mend: "Leave the word that begins with ! out" };
  }
  if (error.code === "TAB_AS_INDENT") {
    return { message: "is indented with a tab", mend: "Indent with spaces" };
  }
  if (error.code === "BAD_INDENT") {
    return { message: "is indented wrongly", mend: "Line it up with its neighbours" };
  }
  if (error.code === "MULTIPLE_DOCS") {
    return { message: "begins a second document", mend: "Keep one, without ---" };
  }
  if (error.code === "MISSING_CHAR") {
    return {
      message: "lacks a quote, bracket, comma or colon",
      mend: "Close what is open on that line or before it",
    };
  }
  return { message: "is not valid YAML", mend: "Check quotes, colons and indentation there" };
}
