/**
 * Brings arguments into the shape that a tool's schema asks for, before it is parsed strictly.
 *
 * Clients send numbers, booleans, lists and objects as strings again and again, `null` for "not given", and the
 * argument names of other servers. Each of those has one reading, and that one is taken. Nothing else is guessed:
 * what does not fit goes on unchanged, so that the parse names it.
 */

import type { JsonSchema } from "./definitions.ts";

export interface CoerceOptions {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  /** Other argument name → own argument name; never shadows an own name. */
  readonly synonyms: Readonly<Record<string, string>>;
}

export interface Coerced {
  readonly values: Readonly<Record<string, unknown>>;
  /** Names that the tool does not take. */
  readonly unknown: readonly string[];
  /** Synonyms that came beside the name they stand for, with another value. */
  readonly doubled: readonly { readonly given: string; readonly own: string }[];
}

/** Versions are text, but a time in milliseconds is one of their spellings, and clients send it as a number. */
const numericText: ReadonlySet<string> = new Set(["if_match", "version"]);
/** YAML is text, but clients send what it means; JSON is YAML too. */
const yamlText: ReadonlySet<string> = new Set(["set"]);

export function coerceArguments(
  given: Readonly<Record<string, unknown>>,
  { properties, synonyms }: CoerceOptions,
): Coerced {
  const values: Record<string, unknown> = {};
  const unknown: string[] = [];
  const later: (readonly [given: string, own: string, value: unknown])[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(properties, name)) {
      if (value !== null) values[name] = coerceValue(name, value, properties[name]);
      continue;
    }
    const own = Object.hasOwn(synonyms, name) ? synonyms[name] : undefined;
    if (own === undefined || !Object.hasOwn(properties, own)) unknown.push(name);
    else if (value !== null) later.push([name, own, coerceValue(own, value, properties[own])]);
  }
  const doubled = [];
  for (const [name, own, value] of later) {
    if (!Object.hasOwn(values, own)) values[own] = value;
    else if (values[own] !== value) doubled.push({ given: name, own });
  }
  return { values, unknown, doubled };
}

function coerceValue(name: string, value: unknown, schema: JsonSchema | undefined): unknown {
  if (typeof value === "string") return fromText(value, schema);
  if (schema?.type === "string") {
    if (yamlText.has(name)) return yamlFrom(value);
    return typeof value === "number" && Number.isFinite(value) && numericText.has(name)
      ? String(value)
      : value;
  }
  if (schema?.type === "array" && Array.isArray(value)) {
    return value.map((item) => coerceItem(item, schema.items));
  }
  return value;
}

function fromText(text: string, schema: JsonSchema | undefined): unknown {
  switch (schema?.type) {
    case "integer":
    case "number":
      return numberFrom(text);
    case "boolean":
      return booleanFrom(text);
    case "array": {
      const list = jsonFrom(text);
      return Array.isArray(list) ? list.map((item) => coerceItem(item, schema.items)) : text;
    }
    case "object": {
      const object = jsonFrom(text);
      return typeof object === "object" && object !== null && !Array.isArray(object) ? object : text;
    }
    default:
      return text;
  }
}

/** Items of lists that arrived as text, or hold text where something else is wanted. */
function coerceItem(item: unknown, schema: JsonSchema | undefined): unknown {
  return typeof item === "string" && schema?.type !== "string" ? fromText(item, schema) : item;
}

/** An object by its JSON; a list of lines as lines. */
function yamlFrom(value: unknown): unknown {
  if (!Array.isArray(value)) return typeof value === "object" ? JSON.stringify(value) : value;
  return value.every((line) => typeof line === "string") ? value.join("\n") : value;
}

function numberFrom(text: string): unknown {
  const trimmed = text.trim();
  if (!/^[+-]?\d{1,17}(?:\.\d{1,17})?$/.test(trimmed)) return text;
  return Number(trimmed);
}

function booleanFrom(text: string): unknown {
  const word = text.trim().toLowerCase();
  if (word === "true") return true;
  if (word === "false") return false;
  return text;
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
