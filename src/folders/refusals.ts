/** What folder tools answer instead of a result. No message holds an absolute path or the words of a system error. */

import { AppError, type FolderCode } from "../core/errors.ts";

const lookAround = "Call `list_files` to see what is there.";

function refusal(
  code: FolderCode,
  message: string,
  { remedy = lookAround, ...details }: Readonly<Record<string, unknown>> & { readonly remedy?: string } = {},
): AppError {
  return new AppError({ code, message, remedy, ...(Object.keys(details).length === 0 ? {} : { details }) });
}

export function unknownRoot(alias: string, known: readonly string[]): AppError {
  const shown = known.slice(0, 20).join(", ");
  return refusal("unknown-root", `Cannot find the root ${quote(alias)}`, {
    remedy: shown === "" ? "Call `list_roots`." : `Call \`list_roots\`; there are ${shown}.`,
  });
}

export function excluded(ref: string): AppError {
  return refusal("path-excluded", `Cannot read ${quote(ref)}: it is hidden or leads out of its root`);
}

export function notFound(ref: string, close: readonly string[] = []): AppError {
  const near = close.map(quote).join(", ");
  return refusal("file-not-found", `Cannot find ${quote(ref)}`, {
    remedy: near === "" ? lookAround : `There is ${near}. ${lookAround}`,
    ...(close.length === 0 ? {} : { close }),
  });
}

export function notAFolder(ref: string): AppError {
  return refusal("not-a-directory", `Cannot open ${quote(ref)} as a folder: it is a file`, {
    remedy: "Call `read_file` or `get_file_info` for it.",
  });
}

export function notAFile(ref: string): AppError {
  return refusal("invalid-argument", `Cannot read ${quote(ref)}: it is a folder`, { detail: "not-a-file" });
}

export function denied(ref: string): AppError {
  return refusal("permission-denied", `Cannot read ${quote(ref)}: the operating system does not allow it`, {
    remedy: "Only the owner of this server can change that; other files are readable as always.",
  });
}

const reasons = {
  "not-answering": "the disk under it does not answer",
  changing: "the folders above it change all the time",
  busy: "too many documents are being read",
} as const;

/** It cannot be read now; later it may. */
export function stalled(ref: string, detail: keyof typeof reasons): AppError {
  return new AppError({
    code: "permission-denied",
    message: `Cannot read ${quote(ref)}: ${reasons[detail]}`,
    remedy: "Try again later; other roots are readable as always.",
    status: 503,
    retryable: true,
    details: { detail },
  });
}

export function badArgument(message: string, detail: string, remedy: string): AppError {
  return refusal("invalid-argument", message, { remedy, detail });
}

export function badParams(argument: string, wanted: string): AppError {
  return refusal("invalid-params", `\`${argument}\` must be ${wanted}`, {
    remedy: "Call the tool again with that corrected.",
    argument,
  });
}

export function binaryFile(ref: string): AppError {
  return badArgument(
    `Cannot read ${quote(ref)}: it is no text`,
    "binary-file",
    "`get_file_info` tells what it is; if it is text in an old encoding, name that as `encoding`.",
  );
}

export function notADocument(ref: string): AppError {
  return badArgument(
    `Cannot choose pages or a sheet of ${quote(ref)}: it is text`,
    "not-a-document",
    "Call `read_file` without `pages` and `sheet`.",
  );
}

export function notACursor(): AppError {
  return badArgument(
    "Cannot use this cursor: it is none that this server gave out",
    "cursor",
    "Pass `next_cursor` of the answer before as it stands there, or start again without a cursor.",
  );
}

export function quote(text: string): string {
  return JSON.stringify(text.length > 300 ? `${text.slice(0, 300).toWellFormed()}…` : text);
}
