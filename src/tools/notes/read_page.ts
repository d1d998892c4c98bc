/** `read_page`: the text of a page, or a part of it, with its version. */

import { z } from "zod";
import { clampLimit, cursor, page } from "../fields.ts";
import { defineTool, type ToolResult } from "../tool.ts";
import { callerOf, given, notesOf, pageSynonyms } from "./call.ts";

const maxBytes = 1_000_000;
const line = () => z.int().min(1).optional();

export const readPage = defineTool({
  name: "read_page",
  title: "Read page",
  description: "Reads a page: one line of JSON about it (its etag is the version for if_match), then its " +
    "Markdown, unchanged. Long pages come in parts: follow next_cursor. For big pages try outline first.",
  family: "notes",
  input: z.object({
    page,
    view: z.enum(["full", "outline", "section", "lines", "frontmatter", "info"]).default("full"),
    section: z.string().optional().describe("Heading, as Tasks or A > B"),
    start_line: line(),
    end_line: line(),
    max_bytes: z.int().min(1).default(48_000),
    cursor,
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: pageSynonyms,
  errors: ["not_found", "invalid_path", "forbidden_path", "conflict", "ambiguous", "no_match"],
  deadline: 30_000,
  async handle(input, call): Promise<ToolResult> {
    const { limit, clamped } = clampLimit(input.max_bytes, maxBytes);
    const answer = await notesOf(call).read(callerOf(call, "read_page"), {
      page: input.page,
      view: viewOf(input),
      section: given(input.section),
      startLine: input.start_line ?? null,
      endLine: input.end_line ?? null,
      maxBytes: limit,
      cursor: given(input.cursor),
    });
    const info = clamped ? { ...answer.info, limited: `max_bytes is at most ${maxBytes}` } : answer.info;
    const blocks: ToolResult["blocks"][number][] = [{ type: "text", text: JSON.stringify(info) }];
    if (answer.text !== null) blocks.push({ type: "text", text: answer.text });
    if (answer.image !== null) blocks.push({ type: "image", ...answer.image });
    return { blocks };
  },
});

type View = "full" | "outline" | "section" | "lines" | "frontmatter" | "info";

/** Who names a section or lines wants to see them, even without naming the view. */
function viewOf(input: { view: View; section?: string | undefined; start_line?: number | undefined }): View {
  if (input.view !== "full") return input.view;
  if (given(input.section) !== null) return "section";
  return input.start_line === undefined ? "full" : "lines";
}
