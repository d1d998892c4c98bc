/**
 * What a client is told of a tool: its definition as it goes over the wire, converted from zod once per tool.
 *
 * Input schemas are flat objects of plain types: no `$ref`, unions, nullable types or `$schema`, because one odd
 * schema makes some hosts drop the whole list. A property that maps to itself in `synonyms` is accepted and not
 * shown.
 */

import { z } from "zod";
import type { Tool, ToolHints } from "./tool.ts";

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** Type aliases with mutable arrays, so that they are JSON to the MCP library's types; nothing changes them. */
export type JsonSchema = {
  type?: string;
  description?: string;
  enum?: (string | number)[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  default?: Json;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
};

export type ObjectSchema = JsonSchema & { type: "object"; properties: Record<string, JsonSchema> };

export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: ToolHints & { readonly title: string };
}

/** The definition under the tool's own name. */
export function defineForWire(tool: Tool): ToolDefinition {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool),
    ...(tool.output === undefined ? {} : { outputSchema: outputSchema(tool.output) }),
    annotations: { title: tool.title, ...tool.hints },
  };
}

/** Every property that the tool takes, the unadvertised ones included; what coercion and messages go by. */
export function acceptedProperties(tool: Tool): Readonly<Record<string, JsonSchema>> {
  return objectSchema(z.toJSONSchema(tool.input, { io: "input" }), tool.name).properties;
}

function inputSchema(tool: Tool): ObjectSchema {
  const schema = objectSchema(z.toJSONSchema(tool.input, { io: "input" }), tool.name);
  const shown = Object.entries(schema.properties).filter(([name]) => tool.synonyms[name] !== name);
  return {
    type: "object",
    properties: Object.fromEntries(shown),
    ...(schema.required === undefined || schema.required.length === 0 ? {} : { required: schema.required }),
    additionalProperties: false,
  };
}

/** Tolerant on the wire: a client that validates strictly must not refuse a field that a later version adds. */
function outputSchema(output: z.ZodObject): ObjectSchema {
  const schema = objectSchema(z.toJSONSchema(output, { io: "output" }), "output");
  return {
    type: "object",
    properties: schema.properties,
    ...(schema.required === undefined ? {} : { required: schema.required }),
  };
}

function objectSchema(converted: unknown, name: string): ObjectSchema {
  const schema = tidy(converted);
  if (schema.type !== "object" || schema.properties === undefined) {
    throw new TypeError(`The schema of ${name} is no plain object`);
  }
  return { ...schema, type: "object", properties: schema.properties };
}

const noise = new Set(["$schema", "additionalProperties"]);

/** Drops what says nothing: the dialect, closed inner objects, and the bounds of every safe integer. */
function tidy(value: unknown): JsonSchema {
  if (!isRecord(value)) return {};
  const out: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (noise.has(key) && typeof inner !== "object") continue;
    if (key === "minimum" && inner === Number.MIN_SAFE_INTEGER) continue;
    if (key === "maximum" && inner === Number.MAX_SAFE_INTEGER) continue;
    if (key === "properties" && isRecord(inner)) {
      out[key] = Object.fromEntries(Object.entries(inner).map(([name, schema]) => [name, tidy(schema)]));
    } else if (key === "items" || key === "additionalProperties") out[key] = tidy(inner);
    else out[key] = inner;
  }
  return out;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
