/** `context_pack`: passages for a question, with their sources, within a number of bytes. */

import { z } from "zod";
import { clampLimit } from "../fields.ts";
import { defineTool } from "../tool.ts";
import { callerOf, notesOf } from "./call.ts";

const leastBytes = 1000;
const mostBytes = 48_000;

export const contextPack = defineTool({
  name: "context_pack",
  title: "Context pack",
  description: "Packs passages that answer a question, linked pages and their citations into one answer.",
  family: "notes",
  input: z.object({ question: z.string(), max_bytes: z.int().min(leastBytes).default(12_000) }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  verbs: ["read"],
  synonyms: { query: "question" },
  errors: [],
  deadline: 45_000,
  async handle(input, call) {
    const { limit, clamped } = clampLimit(input.max_bytes, mostBytes);
    const { info, text } = await notesOf(call).finding.pack(callerOf(call, "context_pack"), {
      question: input.question,
      maxBytes: limit,
    });
    const told = clamped ? { ...info, limited: `max_bytes is at most ${mostBytes}` } : info;
    const blocks = [JSON.stringify(told), ...(text === "" ? [] : [text])];
    return { blocks: blocks.map((text) => ({ type: "text", text })) };
  },
});
