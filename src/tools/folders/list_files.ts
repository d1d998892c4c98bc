/** `list_files`: what is in a folder. */

import { z } from "zod";
import { defineTool, listResult } from "../tool.ts";
import { callerOf, diskErrors, foldersOf, path, readingHints, root, rows } from "./call.ts";

export const listFiles = defineTool({
  name: "list_files",
  title: "List files",
  description: "Lists one folder by name.",
  family: "folders",
  input: z.object({ root, path: path.default("."), cursor: z.string().optional() }),
  output: z.object({ entries: rows }),
  hints: readingHints,
  verbs: [],
  synonyms: {},
  errors: diskErrors,
  deadline: 30_000,
  async handle({ root, path, cursor }, call) {
    const answer = await foldersOf(call).list(callerOf(call), { root, path, cursor: cursor ?? null });
    return listResult({ ...answer });
  },
});
