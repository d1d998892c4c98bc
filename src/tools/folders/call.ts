/** What the folder tools share: arguments, hints and codes, and the way from a tool call to the folders. */

import { z } from "zod";
import type { ErrorCode } from "../../core/errors.ts";
import type { Folders } from "../../folders/folders.ts";
import type { FolderCaller } from "../../folders/requests.ts";
import { encodings } from "../../folders/text_form.ts";
import type { ToolCall } from "../tool.ts";

/** On whose behalf the folders work. */
export function callerOf({ principal, signal, progress }: ToolCall): FolderCaller {
  const { rights } = principal;
  if (progress === undefined) return { rights, signal };
  return { rights, signal, progress: (done) => progress({ done, message: `${done} files searched` }) };
}

/** The folders; without them these tools are not listed at all. */
export function foldersOf({ services }: ToolCall): Folders {
  if (services.folders === undefined || services.folders === null) {
    throw new TypeError("A folder tool was called without folders");
  }
  return services.folders;
}

/** Shown to each caller as an enum of the roots that it may read. */
export const root = z.string();

/** Relative to the root. */
export const path = z.string();

export const maxChars = z.int().min(1).optional();

export const encoding = z.enum(encodings).optional();

/** Rows of a list answer. What is in a row is not spelt out: every conversation pays for a schema, and rows speak for themselves. */
export const rows = z.array(z.object({}));

export const readingHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Codes of every tool that goes to the disk. */
export const diskErrors: readonly ErrorCode[] = [
  "path-excluded",
  "file-not-found",
  "not-a-directory",
  "unknown-root",
  "invalid-argument",
  "permission-denied",
];
