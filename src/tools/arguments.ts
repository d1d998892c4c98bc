/**
 * From what a caller sent as `arguments` to what a handler takes, or to one error that names every fault.
 *
 * The messages are written for a model: which argument, what is wanted, what came. They never repeat page text:
 * of a string only its length is told.
 */

import type { z } from "zod";
import { AppError } from "../core/errors.ts";
import { closeNames } from "../text/close_names.ts";
import { coerceArguments, type Coerced } from "./coerce.ts";
import { acceptedProperties, type JsonSchema } from "./definitions.ts";
import type { Tool } from "./tool.ts";

/**
 * Parses the arguments of one tool; built once per tool. Throws `invalid_argument` (folders: `invalid-params`).
 *
 * `exact`: nothing is brought into shape. Types and names are those of the schema, and `null` is a wrong type.
 */
export type ArgumentParser = (given: unknown, exact?: boolean) => Readonly<Record<string, unknown>>;

const maxFaults = 5;
const maxItems = 1000;

export function argumentParser(tool: Tool): ArgumentParser {
  const properties = acceptedProperties(tool);
  const shown = Object.keys(properties).filter((name) => tool.synonyms[name] !== name);
  const schema = tool.input.strict();
  return (given, exact = false) => {
    if (given !== undefined && given !== null && !isRecord(given)) {
      throw refusal(tool, shown, ["`arguments` must be an object"]);
    }
    const named = isRecord(given) ? given : {};
    const coerced = exact
      ? asGiven(named, properties)
      : coerceArguments(named, { properties, synonyms: tool.synonyms });
    const faults = nameFaults(coerced, shown);
    const tooLong = lengthFaults(coerced.values);
    if (tooLong.length > 0) throw refusal(tool, shown, [...faults, ...tooLong]);
    const parsed = schema.safeParse(coerced.values);
    for (const issue of parsed.error?.issues ?? []) {
      faults.push(describeIssue(issue, coerced.values, properties));
    }
    if (!parsed.success || faults.length > 0) throw refusal(tool, shown, faults);
    return parsed.data;
  };
}

function asGiven(
  given: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, JsonSchema>>,
): Coerced {
  const entries = Object.entries(given);
  return {
    values: Object.fromEntries(entries.filter(([name]) => Object.hasOwn(properties, name))),
    unknown: entries.map(([name]) => name).filter((name) => !Object.hasOwn(properties, name)),
    doubled: [],
  };
}

function nameFaults({ unknown, doubled }: Coerced, shown: readonly string[]): string[] {
  const faults = unknown.slice(0, maxFaults).map((name) => {
    const near = closeNames(name, shown, 1)[0];
    return `unknown argument ${quote(name)}${near === undefined ? "" : `, did you mean \`${near}\`?`}`;
  });
  if (unknown.length > maxFaults) faults.push(`${unknown.length - maxFaults} more unknown arguments`);
  for (const { given, own } of doubled) {
    faults.push(`\`${own}\` was given twice, as \`${own}\` and as ${quote(given)}; give it once`);
  }
  return faults;
}

/** Every item of a list is looked at, and told of when it is wrong: nobody means so many. */
function lengthFaults(values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    Array.isArray(value) && value.length > maxItems
      ? [`\`${name}\` has ${value.length} items; at most ${maxItems} fit into one call`]
      : []
  );
}

function describeIssue(
  issue: z.core.$ZodIssue,
  values: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, JsonSchema>>,
): string {
  const [name, ...inner] = issue.path.map(String);
  if (name === undefined) return issue.message;
  const schema = properties[name];
  const place = `\`${[name, ...inner].join(".")}\``;
  if (!Object.hasOwn(values, name)) {
    return `${place} is missing: ${schema?.description ?? wanted(schema)}`;
  }
  if (issue.code === "custom") return `${place}: ${issue.message}`;
  if (issue.code === "unrecognized_keys") {
    return `${place} has unknown fields: ${issue.keys.slice(0, 3).map(quote).join(", ")}`;
  }
  if (inner.length > 0) return `${place}: ${issue.message}`;
  return `${place} must be ${wanted(schema)}, not ${came(values[name])}`;
}

/** What a schema asks for, in words: `an integer of at least 1`, `one of full, outline`. */
export function wanted(schema: JsonSchema | undefined): string {
  if (schema?.enum !== undefined) return `one of ${schema.enum.join(", ")}`;
  switch (schema?.type) {
    case "integer":
      return `an integer${bounds(schema)}`;
    case "number":
      return `a number${bounds(schema)}`;
    case "boolean":
      return "true or false";
    case "string":
      return `a string${lengths(schema)}`;
    case "array":
      return `a list${schema.items?.type === undefined ? "" : ` of ${schema.items.type}s`}`;
    case "object":
      return "an object";
    default:
      return "another value";
  }
}

function bounds({ minimum, maximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

function lengths({ minLength, maxLength }: JsonSchema): string {
  if (minLength !== undefined && minLength > 0) return " that is not empty";
  return maxLength === undefined ? "" : ` of at most ${maxLength} characters`;
}

function came(value: unknown): string {
  if (typeof value === "string") {
    return value.length <= 24 ? `the string ${quote(value)}` : `a string of ${value.length} characters`;
  }
  if (typeof value === "number" || typeof value === "boolean" || value === null) return String(value);
  return Array.isArray(value) ? "a list" : "an object";
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text);
}

function refusal(tool: Tool, shown: readonly string[], faults: readonly string[]): AppError {
  const told = faults.slice(0, maxFaults);
  if (faults.length > told.length) told.push(`and ${faults.length - told.length} more`);
  return new AppError({
    code: tool.family === "folders" ? "invalid-params" : "invalid_argument",
    message: `Cannot run ${tool.name}: ${told.join("; ")}`,
    remedy: shown.length === 0
      ? `Call \`${tool.name}\` again without arguments.`
      : `Call \`${tool.name}\` again; its arguments are ${shown.map((name) => `\`${name}\``).join(", ")}.`,
    details: { arguments: shown },
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
