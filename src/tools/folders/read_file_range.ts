/** `read_file_range`: lines of a file by their numbers. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, diskErrors, encoding, foldersOf, maxChars, path, readingHints, root } from "./call.ts";

export const readFileRange = defineTool({
  name: "read_file_range",
  title: "Read lines",
  description: "Reads lines of a text file.",
  family: "folders",
  input: z.object({
    root,
    path,
    start_line: z.int().min(1).max(1_000_000),
    line_count: z.int().min(1).max(10_000),
    max_chars: maxChars,
    encoding,
  }),
  hints: readingHints,
  verbs: [],
  // Taken as in `read_file`, and not advertised: each costs every conversation its place.
  synonyms: { max_chars: "max_chars", encoding: "encoding" },
  errors: diskErrors,
  deadline: 30_000,
  async handle(input, call) {
    const answer = await foldersOf(call).readRange(callerOf(call), {
      root: input.root,
      path: input.path,
      startLine: input.start_line,
      lineCount: input.line_count,
      maxChars: input.max_chars ?? null,
      encoding: input.encoding ?? null,
    });
    return jsonResult({ ...answer });
  },
});
