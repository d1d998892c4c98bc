/** `journal_page`: the page of a day, made where it is missing. */

import { z } from "zod";
import { defineTool } from "../tool.ts";
import { callerOf, contentSynonyms, given, notesOf } from "./call.ts";

export const journalPage = defineTool({
  name: "journal_page",
  title: "Journal page",
  description:
    "Opens the journal page of a day, or creates it from the space's template; adds content at its end where given.",
  family: "notes",
  input: z.object({
    date: z.string().optional().describe("YYYY-MM-DD, default today"),
    content: z.string().optional(),
  }),
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  verbs: ["append"],
  synonyms: contentSynonyms,
  errors: [
    "not_found",
    "already_exists",
    "conflict",
    "invalid_path",
    "forbidden_path",
    "too_large",
    "protected",
    "read_only",
  ],
  deadline: 60_000,
  async handle(input, call) {
    const { info, text } = await notesOf(call).journal(callerOf(call, "journal_page"), {
      date: given(input.date),
      content: given(input.content),
    });
    const blocks = [JSON.stringify(info), ...(text === null ? [] : [text])];
    return { blocks: blocks.map((text) => ({ type: "text", text })) };
  },
});
