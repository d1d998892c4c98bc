/** `search_files` (`search` to clients of personal-mcp-bridge): files with a very text in them. */

import { z } from "zod";
import { defineTool, listResult } from "../tool.ts";
import {
  callerOf,
  diskErrors,
  encoding,
  foldersOf,
  maxChars,
  path,
  readingHints,
  root,
  rows,
} from "./call.ts";

export const searchFiles = defineTool({
  name: "search_files",
  title: "Search files",
  description: "Finds literal text in files.",
  family: "folders",
  input: z.object({
    root,
    q: z.string(),
    path: path.optional(),
    glob: z.string().optional(),
    case_sensitive: z.boolean().optional(),
    max_chars: maxChars,
    cursor: z.string().optional(),
    encoding,
  }),
  output: z.object({ matches: rows }),
  hints: readingHints,
  verbs: [],
  synonyms: { query: "q", encoding: "encoding" },
  errors: [...diskErrors, "archive-rejected"],
  deadline: 45_000,
  async handle(input, call) {
    const answer = await foldersOf(call).search(callerOf(call), {
      root: input.root,
      path: input.path ?? ".",
      q: input.q,
      glob: input.glob ?? null,
      caseSensitive: input.case_sensitive ?? false,
      maxChars: input.max_chars ?? null,
      encoding: input.encoding ?? null,
      cursor: input.cursor ?? null,
    });
    return listResult({ ...answer });
  },
});
