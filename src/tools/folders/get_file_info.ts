/** `get_file_info`: what a path is. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, diskErrors, foldersOf, path, readingHints, root } from "./call.ts";

export const getFileInfo = defineTool({
  name: "get_file_info",
  title: "File facts",
  description: "Tells type, size and time.",
  family: "folders",
  input: z.object({ root, path }),
  hints: readingHints,
  verbs: [],
  synonyms: {},
  errors: diskErrors,
  deadline: 30_000,
  handle: async (input, call) => jsonResult({ ...await foldersOf(call).info(callerOf(call), input) }),
});
