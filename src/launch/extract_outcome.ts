/**
 * What a child process says about a document, believed only in its shape: the parsers in it have read what strangers wrote.
 * Nothing but the fields named here gets through.
 */

import {
  type Citation,
  cutReasons,
  documentFormats,
  type DocumentLimits,
  type DocumentOutcome,
  type DocumentRequest,
  type DocumentText,
  type Notice,
  noticeCodes,
  rejectReasons,
} from "../documents/outcome.ts";

type Fields = Readonly<Record<string, unknown>>;

/** `null` for anything that is no outcome. */
export function readOutcome(value: unknown): DocumentOutcome | null {
  const fields = fieldsOf(value);
  switch (fields["kind"]) {
    case "text":
      return readText(fields);
    case "rejected": {
      const reason = rejectReasons.find((each) => each === fields["reason"]);
      return reason === undefined ? null : { kind: "rejected", reason };
    }
    case "unselectable": {
      const { message } = fields;
      return typeof message === "string" ? { kind: "unselectable", message: message.slice(0, 4000) } : null;
    }
    case "unavailable": {
      const { reason } = fields;
      return reason === "busy" || reason === "closed" ? { kind: "unavailable", reason } : null;
    }
    default:
      return null;
  }
}

/** `null` for anything that is no request. */
export function readRequest(value: unknown): DocumentRequest | null {
  const { format: named, pages, sheet, limits: given } = fieldsOf(value);
  const format = documentFormats.find((each) => each === named);
  const limits = readLimits(fieldsOf(given));
  if (format === undefined || limits === null) return null;
  if (pages !== null && typeof pages !== "string") return null;
  if (sheet !== null && typeof sheet !== "string") return null;
  return { format, pages, sheet, limits };
}

function readLimits(fields: Fields): DocumentLimits | null {
  const names = [
    ...["maxFileBytes", "maxMembers", "maxUnpackedBytes", "maxMemberBytes", "maxRatio"] as const,
    ...["maxSheets", "maxRows", "maxColumns", "maxPages", "maxChars", "softMs"] as const,
  ];
  const limits: Partial<Record<typeof names[number], number>> = {};
  for (const name of names) {
    const value = fields[name];
    if (typeof value !== "number" || !(value >= 0)) return null;
    limits[name] = value;
  }
  return isWhole(limits, names) ? limits : null;
}

function isWhole(
  limits: Partial<DocumentLimits>,
  names: ReadonlyArray<keyof DocumentLimits>,
): limits is DocumentLimits {
  return names.every((name) => limits[name] !== undefined);
}

function readText(fields: Fields): DocumentText | null {
  const { text, next, total } = fields;
  const format = documentFormats.find((each) => each === fields["format"]);
  const cut = fields["cut"] === null ? null : cutReasons.find((each) => each === fields["cut"]);
  const citations = readAll(fields["citations"], readCitation);
  const notices = readAll(fields["notices"], readNotice);
  if (format === undefined || cut === undefined || citations === null || notices === null) return null;
  if (typeof text !== "string" || !isCount(total)) return null;
  if (next !== null && typeof next !== "string") return null;
  return { kind: "text", format, text: text.toWellFormed(), citations, cut, next, total, notices };
}

function readCitation(value: unknown): Citation | null {
  const { line, location } = fieldsOf(value);
  return isCount(line) && typeof location === "string" ? { line, location: location.toWellFormed() } : null;
}

function readNotice(value: unknown): Notice | null {
  const { code: named, count } = fieldsOf(value);
  const code = noticeCodes.find((each) => each === named);
  return code === undefined || !isCount(count) ? null : { code, count };
}

function readAll<T>(value: unknown, read: (each: unknown) => T | null): T[] | null {
  if (!Array.isArray(value)) return null;
  const found: T[] = [];
  for (const each of value) {
    const one = read(each);
    if (one === null) return null;
    found.push(one);
  }
  return found;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
