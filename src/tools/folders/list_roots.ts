/** `list_roots`: the folders that this caller may read, by their aliases. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, foldersOf, readingHints } from "./call.ts";

export const listRoots = defineTool({
  name: "list_roots",
  title: "List roots",
  description: "Names the folders you may read.",
  family: "folders",
  input: z.object({}),
  hints: readingHints,
  verbs: [],
  synonyms: {},
  errors: [],
  deadline: 10_000,
  handle: async (_input, call) => jsonResult({ ...foldersOf(call).roots(callerOf(call)) }),
});
