/** `read_multiple_files`: several files within one budget. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, foldersOf, maxChars, path, readingHints, root } from "./call.ts";

export const readMultipleFiles = defineTool({
  name: "read_multiple_files",
  title: "Read files",
  description: "Reads files within one max_chars.",
  family: "folders",
  input: z.object({ root, paths: z.array(path).min(1).max(50), max_chars: maxChars }),
  hints: readingHints,
  verbs: [],
  synonyms: {},
  errors: ["unknown-root"],
  deadline: 45_000,
  async handle({ root, paths, max_chars }, call) {
    const request = { root, paths, maxChars: max_chars ?? null };
    return jsonResult({ ...await foldersOf(call).readMany(callerOf(call), request) });
  },
});
