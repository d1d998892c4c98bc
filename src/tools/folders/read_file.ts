/** `read_file`: a file as text, a document as text with citations, a picture as a picture. */

import { z } from "zod";
import { defineTool, jsonResult } from "../tool.ts";
import { callerOf, diskErrors, encoding, foldersOf, maxChars, path, readingHints, root } from "./call.ts";

export const readFile = defineTool({
  name: "read_file",
  title: "Read file",
  description: "Reads text, images, PDF, DOCX, PPTX, XLSX. Go on at next_offset.",
  family: "folders",
  input: z.object({
    root,
    path,
    max_chars: maxChars,
    offset: z.int().min(0).optional(),
    encoding,
    pages: z.string().optional(),
    sheet: z.string().optional(),
  }),
  hints: readingHints,
  verbs: [],
  synonyms: {},
  errors: [...diskErrors, "archive-rejected"],
  deadline: 30_000,
  async handle(input, call) {
    const answer = await foldersOf(call).read(callerOf(call), {
      root: input.root,
      path: input.path,
      maxChars: input.max_chars ?? null,
      offset: input.offset ?? 0,
      encoding: input.encoding ?? null,
      pages: input.pages ?? null,
      sheet: input.sheet ?? null,
    });
    if (!("image" in answer)) return jsonResult(answer);
    const { image, ...facts } = answer;
    const { data, mimeType } = image as { readonly data: string; readonly mimeType: string };
    return { blocks: [...jsonResult(facts).blocks, { type: "image", data, mimeType }] };
  },
});
