/**
 * Which cells hold dates: a number of days shown in a format that has date or time letters (ECMA-376 part 1, §18.8.30 and
 * §18.8.31), written in ISO 8601.
 */

import type { OfficePackage } from "./office_package.ts";

export type DateStyle = "date" | "time" | "moment" | "duration";

/** Formats that every program knows by number, those of East Asian editions included. */
const builtIn: ReadonlyArray<readonly [first: number, last: number, style: DateStyle]> = [
  [14, 17, "date"],
  [18, 21, "time"],
  [22, 22, "moment"],
  [27, 31, "date"],
  [32, 33, "time"],
  [34, 36, "date"],
  [45, 45, "time"],
  [46, 46, "duration"],
  [47, 47, "time"],
  [50, 54, "date"],
  [55, 56, "time"],
  [57, 58, "date"],
];

/** The date style of each cell style by its index; `null`: the number as it is. */
export function readDateStyles(source: OfficePackage, part: string | null): ReadonlyArray<DateStyle | null> {
  const reader = part === null ? null : source.read(part);
  const own = new Map<number, string>();
  const styles: Array<DateStyle | null> = [];
  if (reader === null) return styles;
  for (const name of reader.elements()) {
    if (name === "s:numFmt") {
      own.set(Number(reader.attribute("numFmtId")), reader.attribute("formatCode") ?? "");
    } else if (name === "s:cellXfs") {
      for (const inner of reader.elements()) {
        if (inner !== "s:xf") continue;
        const id = Number(reader.attribute("numFmtId") ?? 0);
        const code = own.get(id);
        styles.push(code === undefined ? builtInStyle(id) : styleOfFormat(code));
      }
    }
  }
  return styles;
}

function builtInStyle(id: number): DateStyle | null {
  return builtIn.find(([first, last]) => id >= first && id <= last)?.[2] ?? null;
}

/** Excel takes no longer one. */
const longestFormat = 255;

/** What a format shows, by its letters; those in quotes, behind a backslash or in brackets are none. */
function styleOfFormat(code: string): DateStyle | null {
  const first = code.slice(0, longestFormat).split(";")[0] ?? "";
  if (/\[(h+|m+|s+)\]/i.test(first)) return "duration";
  const letters = first.replace(/"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]/gs, "").replace(/general/gi, "")
    .toLowerCase();
  if (/am\/pm|a\/p/.test(letters)) {
    return /[yd]/.test(letters.replace(/am\/pm|a\/p/g, "")) ? "moment" : "time";
  }
  const hasDay = /[ydbe]/.test(letters.replace(/e[+-]/g, ""));
  const hasClock = /[hs]/.test(letters);
  if (hasDay) return hasClock ? "moment" : "date";
  if (hasClock) return "time";
  return /m/.test(letters) ? "date" : null;
}

const msPerDay = 86_400_000;
/** Excel's day 60 is 29 February 1900, which never was (ECMA-376 part 1, §18.17.4.1). */
const leapMistake = 60;
const latestSerial = 2_958_466;

/** A number of days as ISO 8601; `null` where it is no date that Excel has. */
export function formatSerial(
  serial: number,
  { style, is1904 }: { readonly style: DateStyle; readonly is1904: boolean },
): string | null {
  if (
    !Number.isFinite(serial) || serial >= latestSerial || serial < (style === "duration" ? -latestSerial : 0)
  ) return null;
  const seconds = Math.round(serial * 86_400);
  const clock = formatClock(((seconds % 86_400) + 86_400) % 86_400);
  if (style === "duration") return formatDuration(seconds);
  if (style === "time") return clock;
  const days = Math.floor(seconds / 86_400);
  const date = formatDay(days, is1904);
  return style === "date" && seconds % 86_400 === 0 ? date : `${date}T${clock}`;
}

function formatDay(days: number, is1904: boolean): string {
  if (!is1904 && days === leapMistake) return "1900-02-29";
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < leapMistake ? 31 : 30);
  return new Date(epoch + days * msPerDay).toISOString().slice(0, 10);
}

function formatClock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}

function formatDuration(seconds: number): string {
  const sign = seconds < 0 ? "-" : "";
  const size = Math.abs(seconds);
  const rest = [Math.floor(size / 60) % 60, size % 60].map((part) => String(part).padStart(2, "0"));
  return `${sign}${Math.floor(size / 3600)}:${rest.join(":")}`;
}
