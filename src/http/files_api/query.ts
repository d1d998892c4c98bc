/**
 * The arguments of a tool from the query of an address, by the types of its schema.
 *
 * Every name once, every value decoded once, numbers in digits alone. What does not fit its type goes on as the text that it
 * is, so that the tool's own parser refuses it.
 */

import type { JsonSchema } from "../../tools/definitions.ts";

export type QueryArguments =
  | { readonly args: Readonly<Record<string, unknown>> }
  /** One sentence without a full stop. */
  | { readonly problem: string };

/** Let through by the gate for tokens in addresses where the operator allowed it; no tool takes it. */
const gateName = "token";

export function queryArguments(
  query: string,
  properties: Readonly<Record<string, JsonSchema>>,
): QueryArguments {
  const args = new Map<string, unknown>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const mark = pair.indexOf("=");
    const name = decode(mark < 0 ? pair : pair.slice(0, mark));
    const value = decode(mark < 0 ? "" : pair.slice(mark + 1));
    if (name.text === gateName) continue;
    if (args.has(name.text)) return { problem: `\`${shown(name.text)}\` is given twice` };
    // Paths have a word of their own for names that no file here can have.
    if (!name.isUtf8 || (!value.isUtf8 && name.text !== "path")) {
      return { problem: `\`${shown(name.text)}\` is not in UTF-8` };
    }
    const schema = Object.hasOwn(properties, name.text) ? properties[name.text] : undefined;
    args.set(name.text, typed(value.text, schema));
  }
  return { args: Object.fromEntries(args) };
}

function typed(text: string, schema: JsonSchema | undefined): unknown {
  if (schema?.type === "integer" && /^[0-9]{1,16}$/.test(text)) return Number(text);
  if (schema?.type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** As forms are decoded: `+` is a space, a stray `%` is itself. The listener lets no bytes beyond ASCII in unencoded. */
function decode(encoded: string): { readonly text: string; readonly isUtf8: boolean } {
  const text = encoded.replaceAll("+", " ").replace(/%(?![0-9a-fA-F]{2})/g, "%25");
  try {
    return { text: decodeURIComponent(text), isUtf8: true };
  } catch {
    return { text: new URLSearchParams(`_=${text}`).get("_") ?? "", isUtf8: false };
  }
}

function shown(name: string): string {
  return name.slice(0, 40).replace(/[^\w.-]/g, "?");
}
