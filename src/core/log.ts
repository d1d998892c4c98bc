/**
 * Structured log lines on standard error (product §11).
 *
 * A field never holds page text, query text, a token or a local path: callers pass names, codes, counts and
 * times. `error()` of an unexpected exception keeps its type and frames for the log and hands back the incident id.
 */

import type { Clock } from "./clock.ts";
import { randomId } from "./ids.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Logger {
  log(level: LogLevel, event: string, fields?: LogFields): void;
  /** Logs an unexpected exception and returns the incident id that a caller may be told. */
  incident(event: string, error: unknown, fields?: LogFields): string;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: "json" | "text";
  readonly clock: Clock;
  readonly write: (line: string) => void;
}

const rank: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

export function createLogger(options: LoggerOptions): Logger {
  const { clock, format, write } = options;
  function log(level: LogLevel, event: string, fields: LogFields = {}): void {
    if (rank[level] < rank[options.level]) return;
    const time = new Date(clock.now()).toISOString();
    const told = bounded(fields);
    if (format === "json") write(JSON.stringify({ time, level, event, ...told }));
    else write(textLine({ time, level, event }, told));
  }
  return {
    log,
    incident(event, error, fields = {}) {
      const incident = randomId(12);
      log("error", event, { incident, ...describeException(error), ...fields });
      return incident;
    },
  };
}

export const silentLogger: Logger = { log: () => {}, incident: () => randomId(12) };

/** Longer values are a caller's doing; the beginning is enough to know them by. */
const longestValue = 2000;

function bounded(fields: LogFields): LogFields {
  const long = Object.entries(fields).filter(([, value]) =>
    typeof value === "string" && value.length > longestValue
  );
  if (long.length === 0) return fields;
  const cut = long.map(([key, value]) => [key, `${String(value).slice(0, longestValue).toWellFormed()}…`]);
  return { ...fields, ...Object.fromEntries(cut) };
}

function textLine(
  { time, level, event }: { readonly time: string; readonly level: LogLevel; readonly event: string },
  { text, ...rest }: LogFields,
): string {
  const said = saidIn(typeof text === "string" ? text : "");
  const pairs = Object.entries(rest)
    .filter(([key, value]) => value !== undefined && value !== null && !said.has(`${key} ${value}`))
    .map(([key, value]) => `${key}=${/^[\w.:@+-]+$/.test(String(value)) ? value : JSON.stringify(value)}`);
  const subject = typeof text === "string" ? text : event;
  return [time, level.toUpperCase().padEnd(5), subject, ...pairs].join(" ").replace(unprintable, escaped);
}

/**
 * Key and value of each pair that a text has already, so that it is not told twice. What stands inside a quoted value
 * is that value and no pair: a page's name cannot take the place of who changed it.
 */
function saidIn(text: string): ReadonlySet<string> {
  const pairs = [...text.matchAll(/(\w+)=("(?:[^"\\]|\\.)*"|\S+)/g)].flatMap(([, key, shown = ""]) => {
    const value = shown.startsWith('"') ? unquoted(shown) : shown;
    // What older log readers know as the tool and the code of an error are the action and the outcome of a call.
    const alike = key === "code" ? [`outcome ${value}`] : key === "tool" ? [`action ${value}`] : [];
    return [`${key} ${value}`, ...alike];
  });
  return new Set(pairs);
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

/** What a terminal could act on, or show in another order: a caller chooses its name and the names of pages. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** Type and frames without messages and without local folders: messages of foreign errors can quote anything. */
function describeException(error: unknown): LogFields {
  if (!(error instanceof Error)) return { type: typeof error };
  const frames = (error.stack ?? "").split("\n")
    .filter((line) => line.trimStart().startsWith("at "))
    .slice(0, 6)
    .map((line) => line.trim().replace(/(?:file:\/\/)?(?:[A-Za-z]:)?[^\s()]*\//g, ""))
    .join(" < ");
  return { type: error.name, frames };
}
