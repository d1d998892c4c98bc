/** `tail_file`: the last lines of a file. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, diskErrors, encoding, foldersOf, maxChars, path, readingHints, root } from "./call.ts";

export const tailFile = defineTool({
  name: "tail_file",
  title: "Read end",
  description: "Reads a file's last lines.",
  family: "folders",
  input: z.object({ root, path, last_lines: z.int().min(1).max(10_000), max_chars: maxChars, encoding }),
  hints: readingHints,
  verbs: [],
  synonyms: { max_chars: "max_chars", encoding: "encoding" },
  errors: diskErrors,
  deadline: 30_000,
  async handle(input, call) {
    const answer = await foldersOf(call).tail(callerOf(call), {
      root: input.root,
      path: input.path,
      lastLines: input.last_lines,
      maxChars: input.max_chars ?? null,
      encoding: input.encoding ?? null,
    });
    return jsonResult({ ...answer });
  },
});
