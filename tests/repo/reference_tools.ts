/** `docs/reference/tools.md`: every tool as an assistant sees it, and which profile shows it. */

import type { Profile } from "../../src/core/principal.ts";
import { allTools } from "../../src/tools/all.ts";
import { defineForWire, type JsonSchema } from "../../src/tools/definitions.ts";
import { profiles } from "../../src/tools/profiles.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { referencePage, table } from "./reference_page.ts";

const profileNames: readonly Profile[] = ["standard", "full", "read", "chatgpt", "files"];

export function toolReference(): string {
  return referencePage({
    title: "Tools",
    sources: ["src/tools/all.ts", "src/tools/profiles.ts", "src/tools/definitions.ts"],
    intro:
      "What an assistant is told of each tool, word for word. Which of them a client sees depends on its profile and its rights; " +
      "a tool that its rights forbid does not exist for it. Errors are in [errors.md](errors.md).",
  }, [
    ...table(
      ["tool", "right", "shown by profile"],
      allTools.map((tool) => [
        `[\`${tool.name}\`](#${tool.name})`,
        tool.verbs.length === 0 ? "any" : tool.verbs.join(" or "),
        profileNames.filter((profile) => profiles[profile].has(tool.name)).join(", "),
      ]),
    ),
    ...allTools.flatMap(section),
  ]);
}

function section(tool: Tool): string[] {
  const { description, inputSchema, outputSchema } = defineForWire(tool);
  const required = new Set(inputSchema.required ?? []);
  const inputs = Object.entries(inputSchema.properties);
  return [
    "",
    `## ${tool.name}`,
    "",
    `**${tool.title}.** ${description}`,
    "",
    ...(inputs.length === 0 ? ["No arguments."] : table(
      ["argument", "type", "default", "meaning"],
      inputs.map(([name, schema]) => [
        `\`${name}\``,
        typeOf(schema),
        required.has(name)
          ? "required"
          : schema.default === undefined
          ? ""
          : `\`${JSON.stringify(schema.default)}\``,
        schema.description ?? "",
      ]),
    )),
    "",
    `Hints: ${hintsOf(tool)}. ` +
    (outputSchema === undefined
      ? "Answers text."
      : `Answers structured content with ${
        Object.keys(outputSchema.properties).map((name) => `\`${name}\``).join(", ")
      }.`),
  ];
}

function hintsOf({ hints }: Tool): string {
  const words = [
    hints.readOnlyHint ? "reads only" : "changes pages",
    ...(hints.destructiveHint ? ["can replace or remove text"] : []),
    ...(hints.idempotentHint ? ["the same call twice is one call"] : []),
    ...(hints.openWorldHint ? ["reaches beyond the space"] : []),
  ];
  return words.join(", ");
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${value}\``).join(", ");
  const range = [schema.minimum, schema.maximum].some((bound) => bound !== undefined)
    ? ` ${schema.minimum ?? ""}…${schema.maximum ?? ""}`
    : "";
  if (schema.type === "array") return `list of ${schema.items?.type ?? "values"}`;
  return `${schema.type ?? "any"}${range}`;
}
