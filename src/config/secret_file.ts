/** Reads what stands in small files that settings name: secrets, certificates, house rules. */

import type { FileFault, Source } from "./source.ts";
import type { Report } from "./report.ts";

/** What went wrong with a file, as the end of a sentence that begins with the setting's name. */
export const faultWords: Readonly<Record<FileFault, string>> = {
  missing: "names a file or folder that does not exist",
  denied: "names a file or folder that this user may not read",
  wrong_kind: "names something of the wrong kind",
  too_large: "names a file that is too large",
  fault: "names a file or folder that cannot be read",
};

export const faultMends: Readonly<Record<FileFault, string>> = {
  missing: "Correct the path, or create it",
  denied: "Let the user that silverbridge runs as read it",
  wrong_kind: "Name a regular file where a file is wanted, a folder where a folder is",
  too_large: "Name the right file",
  fault: "Check the disk and the path",
};

export interface SettingFile {
  /** The setting that names the file, as the operator wrote it. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly maxBytes: number;
}

export interface Reader {
  readonly source: Source;
  readonly report: Report;
}

/** The text of a file, or `null` after a problem; a file of white space alone is one. */
export function readSettingFile(file: SettingFile, reader: Reader): string | null {
  return readWithMode(file, reader)?.text ?? null;
}

/** The same for a secret: one that everybody may read is worth a warning. */
export function readSecretFile(file: SettingFile, reader: Reader): string | null {
  const read = readWithMode(file, reader);
  if (read?.shared) {
    reader.report.warn(
      "open_secret_file",
      `${file.name} names a file that every user of this machine may read`,
    );
  }
  return read?.text ?? null;
}

/** `shared`: every user of the machine may read it. */
export function readWithMode(
  file: SettingFile,
  { source, report }: Reader,
): { readonly text: string; readonly shared: boolean } | null {
  const { name } = file;
  const read = source.readFile(file.path, file.maxBytes);
  if (typeof read === "string") {
    report.problem(name, `${name} ${faultWords[read]}`, faultMends[read]);
    return null;
  }
  const text = decode(read.bytes);
  if (text === null) {
    report.problem(name, `${name} names a file that is not UTF-8 text`, "Write the file again as plain text");
    return null;
  }
  if (text.trim() === "") {
    report.problem(name, `${name} names an empty file`, "Write the value into it");
    return null;
  }
  return { text: text.replace(/(\r?\n)+$/, ""), shared: read.shared };
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
